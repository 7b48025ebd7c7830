import type { Tool, ToolFamily } from '../../../bridge/protocol/index.ts';

/** Classes of actions; a person allows or refuses each as a whole. */
export const actionClasses = {
  files: 'change files',
  run: 'run commands and code',
  debug: 'debug programs, which runs their code',
  settings: 'change settings, extensions and the like',
  show: 'open and show things',
} as const;
export type ActionClass = keyof typeof actionClasses;

const ofFamily: Readonly<Record<ToolFamily, ActionClass>> = {
  files: 'files',
  // These families only read. A new tool in them that does more is treated as the most dangerous class.
  search: 'run',
  data: 'run',
  refactor: 'files',
  history: 'files',
  run: 'run',
  debug: 'debug',
  view: 'show',
  profile: 'show',
  ide: 'settings',
};

/** Tools whose class differs from their family's: a chart is drawn by a program, and a command can do anything. */
const ofTool: Readonly<Record<string, ActionClass>> = { preview_chart: 'run', run_command: 'run' };

/** The class that a person has to allow before a tool runs; undefined if it only reads. */
export function actionClassOf({ name, family, readOnly, runsCode }: Tool): ActionClass | undefined {
  if (runsCode) return 'run';
  return readOnly ? undefined : (ofTool[name] ?? ofFamily[family]);
}
