export { bootId } from './boot.ts';
export { dollarsText } from './dollars.ts';
export { contentHash } from './hash.ts';
export { identify, isAlive, type ProcessIdentity } from './identity.ts';
export { acquireLock, lockHolder, tryLock, type LockOptions } from './lock.ts';
export {
  Rules,
  packFolder,
  packWhole,
  planFolder,
  requireFolder,
  type FolderPlan,
  type LeftOut,
  type PlanOptions,
  type WhyLeftOut,
} from './folder/index.ts';
export {
  foreignPath,
  hasForeign,
  hasForeignFolder,
  listForeign,
  mostForeignBytes,
  openForeign,
  readForeign,
  readForeignText,
  streamForeign,
  targetOf,
  type ForeignFile,
  type Listed,
} from './foreign/index.ts';
export { forEachParallel } from './parallel.ts';
export { packageFolder, packagedTasks, pwpHome, runFolder } from './paths.ts';
export { problemsOf } from './problems.ts';
export { openTemporaryFolder, type TemporaryFolder } from './temporary-folder.ts';
export { packageVersion, version } from './version.ts';
export { openProgress, lineProgress, partOf, silentProgress, type Progress } from './progress.ts';
