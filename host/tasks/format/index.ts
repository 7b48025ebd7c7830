export {
  type ArchiveEntry,
  makeTextEntry,
  moveEntriesBelow,
  openLargeFile,
  packArchive,
  streamArchive,
  type StreamedTaskSeed,
} from './archive.ts';
export type { ImageTests, SeparateTests, ImageTestRun } from './image-test-runs.ts';
export { findTasks, type LoadOptions, loadTask, resolveTaskPath } from './load-task.ts';
export {
  folderTask,
  type FolderTaskOptions,
  type MadeFalseSolution,
  makeTask,
  openTask,
  scriptThatWrites,
  type TaskParts,
} from './made-task.ts';
export type { RunVariant, VariantAnswer, VariantProgram } from './make-variant.ts';
export { describePendingTask } from './pending-task.ts';
export { type FalseSolution, readSolutionSteps, readWrittenCalls, type Solution } from './solutions.ts';
export type { AgentCode, RawTaskConfig, TaskConfig } from './task-config.ts';
export { chooseTaskWorkspace, readTaskLimits, readTaskNetwork } from './task-sandbox.ts';
export { makeRunnable, readTreeEntries, withUnixLineEnds } from './task-files.ts';
export type { TaskSeed } from './task-seeds.ts';
export {
  chooseImage,
  type ImageTask,
  isOfImage,
  type JudgedPatch,
  type Task,
  type TaskImage,
} from './task.ts';
