export type {
  CheckpointInfo,
  CheckpointKind,
  CheckpointOptions,
  CheckpointSupport,
  ForkOptions,
} from './checkpoint.ts';
export type { InputCommand, InputResult } from './input.ts';
export { sandboxName } from './name.ts';
export {
  fit,
  toPicture,
  toScreen,
  type Picture,
  type PictureFormat,
  type PictureOptions,
  type ViewOptions,
} from './picture.ts';
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
  canBeLocal,
  createLocalNode,
  fileHashes,
  readShelf,
  disposeOnSignals,
  type Image,
  type LocalNode,
  type LocalNodeOptions,
} from './local/index.ts';
export { DockerNode, createDockerNode, type DockerNodeOptions } from './docker/index.ts';
export { listAllImages, pruneAllImages, type ImageInfo, type ImagesOptions } from './images.ts';
