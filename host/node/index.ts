export type {
  CheckpointInfo,
  CheckpointKind,
  CheckpointOptions,
  CheckpointProblem,
  CheckpointSupport,
  ForkOptions,
} from './checkpoint.ts';
export { clicksTogether, type InputCommand, type InputResult } from './input.ts';
export { heldBy } from './held.ts';
export type {
  Actor,
  HandOver,
  Holder,
  Lease,
  LeaseRequest,
  LeaseState,
  Person,
  TakeOptions,
  Taken,
} from './lease.ts';
export type { AskedQuestion, OpenQuestion, OpenQuestions, PersonAnswer, Questions } from './questions.ts';
export { keyMeant, whyNot } from './display/index.ts';
export { sandboxName } from './name.ts';
export {
  fit,
  formatOf,
  toPicture,
  toScreen,
  type Picture,
  type ScreenPicture,
  type PictureFormat,
  type PictureOptions,
  type ScreenUpdate,
  type UpdateOptions,
  type ViewOptions,
} from './picture.ts';
export {
  type Capture,
  type CaptureOptions,
  type ExecResult,
  type ExecSpec,
  type HashOptions,
  type InputOptions,
  type LimitHits,
  type Node,
  type NodeLoad,
  type PrepareOptions,
  type Refusal,
  type RefusalReason,
  type Sandbox,
  type SandboxInfo,
  type Settled,
  type SettleOptions,
  type SweepReport,
  type Usage,
} from './node.ts';
export {
  defaultDisplay,
  defaultLimits,
  type Display,
  type Limits,
  type NetworkPolicy,
  type SandboxSpec,
  type Seed,
  type StreamedSeed,
} from './spec.ts';
export {
  canBeLocal,
  createLocalNode,
  fileHashes,
  prepareLocal,
  readPackages,
  disposeOnSignals,
  type Image,
  type LocalNode,
  type LocalNodeOptions,
  watchLimits,
  type WatchLimits,
} from './local/index.ts';
export { languageNames, languagesOf, servedLanguages, type Language } from './languages.ts';
export { createNode, suggestNodeKind, type NodeOptions, type NodeSuggestion } from './create.ts';
export { findNodeKind } from './find.ts';
export { createDockerNode, type DockerNodeOptions } from './docker/index.ts';
export {
  listAllImages,
  pruneAllImages,
  type ImageInfo,
  type ImagesOptions,
  type PruneReport,
} from './images.ts';
