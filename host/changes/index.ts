export { changesBelow, changesBetween, kindOf, type Change, type ChangeKind } from './compare.ts';
export { isSame, type Entry, type FileEntry, type LinkEntry, type Omitted, type Tree } from './entry.ts';
export {
  OriginDraft,
  forgetOrigin,
  listOrigins,
  originArchive,
  originsFolder,
  readOrigin,
  readPulled,
  writePulled,
  type Origin,
} from './origins.ts';
export { packFile, writeTree, type CopyResult } from './copy.ts';
export { findChanges, keptContent, type ArchiveOf, type FoundChanges } from './find.ts';
export { patchOf, type Patch } from './patch.ts';
export { applyChanges, planPull, type PullPlan } from './pull.ts';
export { readChanges, type ReadChanges } from './read-changes.ts';
export { contentPath, readTree, usualBounds, type ReadTreeOptions, type TreeBounds } from './read-tree.ts';
export { linksOut, targetsHere, type Coming } from './links.ts';
