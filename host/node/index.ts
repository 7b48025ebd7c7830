export { type ImageInfo, listAllImages, pruneAllImages, type PruneReport } from './all-images.ts';
export {
  applyChanges,
  classifyChange,
  type FileEntry,
  filterChangesBelow,
  findChanges,
  type FolderChanges,
  forgetOrigin,
  type FoundChanges,
  listOrigins,
  type OmittedPath,
  originArchive,
  OriginDraft,
  packFile,
  type PathChange,
  planPull,
  type PullPlan,
  readArchiveTree,
  readChanges,
  readKeptContent,
  readOrigin,
  readPulled,
  renderPatch,
  type SandboxOrigin,
  writeFolderTree,
  writePulled,
} from './changes/index.ts';
export type {
  CheckpointInfo,
  CheckpointKind,
  CheckpointOptions,
  CheckpointProblem,
  CheckpointSupport,
  ForkOptions,
} from './checkpoint.ts';
export { leastStartBytes, readWatchLimits, type WatchLimits } from './container/index.ts';
export {
  createNode,
  findNodeKind,
  type NodeOptions,
  type NodeSuggestion,
  suggestNodeKind,
} from './create-node.ts';
export { correctKeyName, explainUnplayable } from './display/index.ts';
export { describeAgentRoot } from './describe-agent-root.ts';
export { createDockerNode, type DockerNodeOptions } from './docker/index.ts';
export { hashPackageFiles, readGalleryPackages } from './gallery/index.ts';
export { clicksTogether, type InputCommand, type InputResult } from './input-commands.ts';
export {
  type Actor,
  type AskedQuestion,
  controlHeldError,
  type Lease,
  type LeaseHandOver,
  type LeaseHolder,
  type LeaseRequest,
  type LeaseState,
  type OpenQuestion,
  type OpenQuestions,
  type Person,
  type PersonAnswer,
  type Questions,
  type TakeLeaseOptions,
  type TakenLease,
} from './lease.ts';
export { createLocalNode, type LocalNodeOptions } from './local/index.ts';
export type {
  Capture,
  CaptureOptions,
  ExecResult,
  ExecSpec,
  HashOptions,
  InputOptions,
  Node,
  Sandbox,
  SandboxInfo,
  Settled,
  SettleOptions,
} from './node.ts';
export { prepareNode } from './prepare-node.ts';
export type { AgentRootInfo, AgentUser } from './agent-root.ts';
export { type BuildNetwork, findImageUser, type RootConfig, type RootImage } from './root-image/index.ts';
export { fetchRootImage, type FetchRootOptions } from './root-images.ts';
export {
  defaultDisplay,
  defaultLimits,
  type Display,
  type Language,
  languageNames,
  type Limits,
  type NetworkPolicy,
  resolveLanguages,
  type SandboxSpec,
  type Seed,
  type StreamedSeed,
  toSandboxName,
} from './sandbox-spec.ts';
export {
  type Picture,
  type PictureFormat,
  type PictureOptions,
  readPictureFormat,
  type ScreenPicture,
  type ScreenUpdate,
  toPicturePoint,
  toScreenPoint,
  type UpdateOptions,
  type ViewOptions,
} from './screen-picture.ts';
export { checkRequirements } from './setup/index.ts';
