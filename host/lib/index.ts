export {
  acquireLock,
  forEachParallel,
  lockHolder,
  type LockOptions,
  readLockNote,
  tryLock,
} from './concurrency.ts';
export { contentHash } from './content-hash.ts';
export { ignoreMissing, isFile, isFolder, pathExists, readAgeMs, readFreeBytes } from './file-facts.ts';
export {
  type FolderPlan,
  type FolderPlanOptions,
  IgnoreRules,
  type LeftOutPath,
  type LeftOutReason,
  packFolder,
  packFolderInMemory,
  planFolder,
  requireFolder,
} from './folder-copy/index.ts';
export { listMountPoints, readMountTable } from './mount-table.ts';
export { dropBinaryParts, type TextPatch } from './patch-parts.ts';
export {
  openTemporaryFolder,
  packagedTasksFolder,
  packageFolder,
  programVersion,
  contextsFolder,
  pwpHome,
  readPackageVersion,
  runFolder,
  type TemporaryFolder,
} from './paths.ts';
export {
  identifyProcess,
  identifyThisProcess,
  isProcessAlive,
  type ProcessIdentity,
  readBootId,
  readProcessStat,
} from './process-identity.ts';
export { openProgress, type Progress, scaleProgress, silentProgress } from './progress.ts';
export {
  countSchema,
  setting,
  settingFactsOf,
  type SettingSchemas,
  sizeSchema,
  swapForm,
  swapKeyForms,
} from './settings.ts';
export {
  hasUntrustedFile,
  listUntrusted,
  maxUntrustedBytes,
  openUntrusted,
  readLinkTarget,
  readUntrusted,
  readUntrustedText,
  resolveUntrusted,
  streamUntrusted,
  type UntrustedEntry,
} from './untrusted-files.ts';
export { describeSchemaIssues, readDollars, readNumberOrWord, readSize } from './user-texts.ts';
