import * as z from 'zod';
import { clip } from '../../../bridge/lib/index.ts';
import { ide, type Method, type ParamsIn, type ResultOf } from '../../../bridge/protocol/index.ts';
import type { Sandbox } from '../../node/index.ts';

const text = z.string().max(1000);

/** The part of an IDE's state that is compared. It is kept inside the sandbox, where the agent could change it. */
export const snapshot = z.object({
  turn: z.int().nonnegative().describe('how many turns of people were over when it was taken'),
  workspace: text.nullable().describe('the first folder; null if none is open'),
  tree: z
    .string()
    .regex(/^[0-9a-f]{40,64}$/)
    .nullable()
    .describe('the files, as git names their state; null if they were not noted'),
  tabs: z
    .record(text, z.object({ dirty: z.boolean() }))
    .nullable()
    .describe('by label and path'),
  unsaved: z
    .record(text, z.object({ hash: z.string().max(64), text: z.string().max(500_000).nullable() }))
    .nullable()
    .default(null)
    .describe('what editors have that is not saved, by path'),
  active: text.nullable().describe('the active editor and the line of its cursor'),
  settings: z.record(text, text).nullable().describe('values as JSON, of those that differ from the default'),
  commands: z
    .record(text, z.object({ line: text, end: text, beganMs: z.number().describe('since 1970, about') }))
    .nullable()
    .describe('the last command of each terminal'),
  debug: z.array(text).max(100).nullable(),
  breakpoints: z.array(text).max(1000).nullable(),
});
export type Snapshot = z.output<typeof snapshot>;

/** Longest wait for an answer of the IDE, in milliseconds. */
const lastMs = 3000;

/** The state of the IDE now, without the files. Parts that the IDE does not answer in time are null. */
export async function takeSnapshot(sandbox: Sandbox, turn: number, signal: AbortSignal): Promise<Snapshot> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(lastMs)]);
  const ask = async <M extends Method, T>(
    method: M,
    params: ParamsIn<M>,
    read: (result: ResultOf<M>) => T,
  ): Promise<T | null> => {
    try {
      return read(await sandbox.call(method, params, { signal: within }));
    } catch {
      signal.throwIfAborted();
      return null;
    }
  };
  const [workspace, tabs, unsaved, active, settings, commands, debug, breakpoints] = await Promise.all([
    ask(ide.workspace, {}, ({ folders }) => pathOf(folders[0]?.uri ?? '')),
    ask(ide.tabs, {}, ({ groups }) => tabsOf(groups)),
    ask(ide.unsaved, {}, ({ documents }) => unsavedOf(documents)),
    ask(ide.editor, {}, ({ editor }) => activeOf(editor)),
    ask(ide.changedSettings, {}, ({ settings: list }) => settingsOf(list)),
    ask(ide.terminals, { maxChars: 0 }, ({ terminals }) => commandsOf(terminals)),
    ask(ide.debug, {}, ({ sessions }) => sessions.slice(0, 100).map(({ name }) => cut(name))),
    ask(ide.breakpoints, {}, ({ breakpoints: list }) => list.slice(0, 1000).map(breakpointText)),
  ]);
  return { turn, workspace, tree: null, tabs, unsaved, active, settings, commands, debug, breakpoints };
}

function tabsOf(groups: ResultOf<typeof ide.tabs>['groups']): Snapshot['tabs'] {
  const tabs = groups.flatMap((group) => group.tabs);
  // A terminal in the editor area, or a page, has no path.
  return Object.fromEntries(
    tabs.map(({ label, uri, dirty }) => [cut(pathOf(uri ?? '') ?? label), { dirty }]),
  );
}

function unsavedOf(documents: ResultOf<typeof ide.unsaved>['documents']): Snapshot['unsaved'] {
  return Object.fromEntries(
    documents.map(({ uri, hash, text: typed }) => [cut(pathOf(uri) ?? uri), { hash, text: typed }]),
  );
}

function activeOf(editor: ResultOf<typeof ide.editor>['editor']): string | null {
  if (!editor) return null;
  const line = editor.selections[0]?.active.line;
  return cut(`${pathOf(editor.uri) ?? editor.uri}${line === undefined ? '' : ` line ${line + 1}`}`);
}

function settingsOf(settings: ResultOf<typeof ide.changedSettings>['settings']): Snapshot['settings'] {
  return Object.fromEntries(
    settings.map(({ key, effective }) => [cut(key), cut(JSON.stringify(effective) ?? '')]),
  );
}

function commandsOf(terminals: ResultOf<typeof ide.terminals>['terminals']): Snapshot['commands'] {
  const entries = terminals.flatMap(({ id, name, lastCommand }) => {
    if (!lastCommand) return [];
    const { line, running, exitCode, ageMs } = lastCommand;
    const end = running ? 'still running' : exitCode === null ? 'ended' : `exit code ${exitCode}`;
    return [[cut(`${name} (${id})`), { line: cut(line), end, beganMs: Date.now() - ageMs }] as const];
  });
  return Object.fromEntries(entries);
}

function breakpointText(one: ResultOf<typeof ide.breakpoints>['breakpoints'][number]): string {
  const { uri, line, name, enabled, condition, hitCondition, logMessage } = one;
  const place = uri === null ? (name ?? 'elsewhere') : `${pathOf(uri) ?? uri}:${line ?? '?'}`;
  const only = [condition && `if ${condition}`, hitCondition && `hit ${hitCondition}`, logMessage && 'logs'];
  return cut([place, ...only.filter(Boolean), ...(enabled ? [] : ['off'])].join(' '));
}

/** The path of a file; null for other URIs. */
function pathOf(uri: string): string | null {
  try {
    const { protocol, pathname } = new URL(uri);
    return protocol === 'file:' || protocol === 'vscode-remote:' ? decodeURIComponent(pathname) : null;
  } catch {
    return null;
  }
}

function cut(value: string): string {
  return clip(value, 500);
}
