export type { AgentCode, Keybinding, RawTaskConfig, Settings, TaskConfig } from './schema.ts';
export type { TaskSeed, WorkspaceFiles } from './seeds.ts';
export type { StreamedTaskSeed } from './streamed-seed.ts';
export { largeFile, type LargeFile } from './large-file.ts';
export type { FalseSolution, Solution } from './solution.ts';
export type { Leak } from './leaks/index.ts';
export type { Task } from './task.ts';
export { findTasks } from './find.ts';
export { folderTask, openTask, type FolderTaskOptions } from './folder-task.ts';
export {
  madeTask,
  scriptThatWrites,
  type Entries,
  type MadeFalseSolution,
  type MadeSolution,
  type TaskParts,
} from './made-task.ts';
export { loadTask, type LoadOptions } from './load.ts';
export { placeOfTask } from './place.ts';
export type {
  MakeVariant,
  RunVariant,
  Variant,
  VariantAnswer,
  VariantInput,
  VariantProgram,
} from './variant/index.ts';
export { stepsOf, toolCallsOf, type WrittenCall } from './steps.ts';
export { mergeSettings } from './settings.ts';
export { readTree } from './tree.ts';
export { runnableEntry, scriptText } from './script-lines.ts';
export { archive, streamedArchive, textEntry, type Entry, type StreamedFile } from './archive.ts';
