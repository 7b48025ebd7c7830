/** The library's public door. */
export {
  Environment,
  Session,
  annotate,
  parseAction,
  type Action,
  type ActionOutcome,
  type Checkpoint,
  type Checkpoints,
  type Effect,
  type EnvironmentForkOptions,
  type EnvironmentOptions,
  type Observation,
  type Origin,
  type ResetInfo,
  type ResetResult,
  type RestoreInfo,
  type RestoreResult,
  type StepInfo,
  type StepResult,
  type ToolAnswer,
  type ToolCall,
} from './env/index.ts';
export {
  createLocalNode,
  type CheckpointInfo,
  type CheckpointKind,
  type CheckpointSupport,
  type Node,
  type Sandbox,
  type SandboxSpec,
} from './node/index.ts';
export { openRecord, readRecord, type EpisodeRecord } from './record/index.ts';
export { writeReport } from './report/index.ts';
export { findTasks, loadTask, type Task } from './tasks/index.ts';
export { grade, type Grade } from './grade/index.ts';
export { runEpisode, type Agent, type Decision, type EpisodeResult, type Turn } from './agents/index.ts';
export { PwpError } from '../bridge/lib/index.ts';
export {
  RpcError,
  definitionOf,
  dom,
  ide,
  toolErrorReason,
  tools,
  type Tool,
  type ToolDefinition,
} from '../bridge/protocol/index.ts';
