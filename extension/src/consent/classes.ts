import type { Tool, ToolFamily } from '../../../bridge/protocol/index.ts';

/** What a person allows or refuses as one. */
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
  // These families only read: a new tool that does more is asked about as the worst that it can be.
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

/** Tools that are not what their family is: a chart is drawn by a program, and a command can be anything. */
const ofTool: Readonly<Record<string, ActionClass>> = { preview_chart: 'run', run_command: 'run' };

/** What a person has to allow before a tool is run; undefined if it only reads. */
export function actionClassOf({ name, family, readOnly, runsCode }: Tool): ActionClass | undefined {
  if (runsCode) return 'run';
  return readOnly ? undefined : (ofTool[name] ?? ofFamily[family]);
}
