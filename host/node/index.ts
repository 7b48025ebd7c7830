export type {
  CheckpointInfo,
  CheckpointKind,
  CheckpointOptions,
  CheckpointSupport,
  ForkOptions,
} from './checkpoint.ts';
export type { InputCommand, InputResult } from './input.ts';
export {
  defaultDisplay,
  defaultLimits,
  type Capture,
  type Display,
  type ExecResult,
  type ExecSpec,
  type LimitHits,
  type Limits,
  type NetworkPolicy,
  type Node,
  type NodeLoad,
  type Refusal,
  type RefusalReason,
  type Sandbox,
  type SandboxInfo,
  type SandboxSpec,
  type Seed,
  type Settled,
  type SettleOptions,
  type SweepReport,
  type Usage,
} from './node.ts';
export {
  createLocalNode,
  disposeOnSignals,
  listImages,
  pruneImages,
  type Image,
  type Layer,
  type LocalNode,
  type LocalNodeOptions,
} from './local/index.ts';
export { createDockerNode, type DockerNode, type DockerNodeOptions } from './docker/index.ts';
