export {
  createLimitedGroup,
  isSandboxFrozen,
  listProcessIds,
  readCpuMs,
  readProcessorWaitMs,
  removeCgroups,
  thawProcesses,
} from './cgroup.ts';
export { runHostCommand, takeLastLines } from './command.ts';
export { chooseUser, desktopUser } from './container-processes.ts';
export { execInside } from './exec-inside.ts';
export { archiveInside, makeFolderInside, openInside, readInside, runWhileFrozen } from './files-inside.ts';
export {
  explainWatcherFailure,
  raiseWatchLimits,
  readWatchLimits,
  type WatchLimits,
} from './kernel-limits.ts';
export { createSandbox, destroySandbox, planFromImage, type SandboxPlan } from './lifecycle.ts';
export { createNetworkNamespace, fillDesk, mountOverlay, unmountBelow } from './mounts.ts';
export { findOwner } from './owners.ts';
export { unpackSeed } from './root-contents.ts';
export {
  checkpointContainer,
  deleteContainer,
  listContainers,
  pauseContainer,
  readContainerState,
  requireOwnRoot,
  requireRunc,
  restoreContainer,
  resumeContainer,
  type RuncContainer,
  SandboxFreezer,
  startRuncContainer,
} from './runc.ts';
export {
  buildSandboxPaths,
  findSandboxRecord,
  isAbandoned,
  listSandboxIds,
  newSandboxId,
  readSandboxRecord,
  resolveSandboxPaths,
  runcRoot,
  sandboxesFolder,
  type SandboxPaths,
  type SandboxRecord,
  unfinishedRunPrefix,
  writeSandboxRecord,
} from './sandbox-record.ts';
export { readMemoryUse, readSandboxUsage } from './sandbox-usage.ts';
export { explainSandboxFailure } from './start-failure.ts';
export { leastStartBytes } from './volume.ts';
