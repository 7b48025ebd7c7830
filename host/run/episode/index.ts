export { AgentChat, type ChatView } from './agent-chat.ts';
export { type Demonstration, PersonSteps, recordDemonstration } from './demonstration.ts';
export {
  type Branch,
  chooseSuppressedAction,
  type EpisodeEvent,
  type EpisodeOptions,
  type EpisodeResult,
  runEpisode,
  type WriteReport,
} from './episode.ts';
export { makeOpenEnvReport } from './openenv-report.ts';
export {
  checkSolution,
  checkTasks,
  type Finding,
  judgeValidity,
  nameProofRun,
  type ProofRun,
  type ProofStage,
  type TaskCheckOptions,
} from './task-proof.ts';
