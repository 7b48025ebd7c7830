export {
  findChanges,
  type FolderChanges,
  type FoundChanges,
  readChanges,
  readKeptContent,
} from './find-changes.ts';
export {
  classifyChange,
  type FileEntry,
  filterChangesBelow,
  type OmittedPath,
  type PathChange,
} from './folder-tree.ts';
export {
  forgetOrigin,
  listOrigins,
  originArchive,
  OriginDraft,
  readOrigin,
  readPulled,
  type SandboxOrigin,
  writePulled,
} from './origins.ts';
export { renderPatch } from './patch.ts';
export { applyChanges, packFile, planPull, type PullPlan, writeFolderTree } from './pull-changes.ts';
export { readArchiveTree } from './read-tree.ts';
