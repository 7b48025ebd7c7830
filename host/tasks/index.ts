export type { Keybinding, Settings, TaskConfig } from './schema.ts';
export type { TaskSeed } from './seeds.ts';
export type { FalseSolution, Solution } from './solution.ts';
export type { Task } from './task.ts';
export { findTasks } from './find.ts';
export { loadTask, type LoadOptions } from './load.ts';
export type { MakeVariant, Variant, VariantInput } from './variant/index.ts';
export { mergeSettings } from './settings.ts';
export { archive, textEntry, type Entry } from './archive.ts';
