import { createTwoFilesPatch } from 'diff';
import * as z from 'zod';
import { ide, type Method, type ParamsIn, type ResultOf } from '../../../bridge/protocol/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import type { Sandbox } from '../../node/index.ts';

const boundedText = z.string().max(1000);

/** The part of an IDE's state that is compared. It is kept inside the sandbox, where the agent could change it. */
export const ideSnapshot = z.object({
  turn: z.int().nonnegative().describe('how many turns of people were over when it was taken'),
  workspace: boundedText.nullable().describe('the first folder; null if none is open'),
  tree: z
    .string()
    .regex(/^[0-9a-f]{40,64}$/)
    .nullable()
    .describe('the files, as git names their state; null if they were not noted'),
  tabs: z
    .record(boundedText, z.object({ dirty: z.boolean() }))
    .nullable()
    .describe('by label and path'),
  unsaved: z
    .record(boundedText, z.object({ hash: z.string().max(64), text: z.string().max(500_000).nullable() }))
    .nullable()
    .default(null)
    .describe('what editors have that is not saved, by path'),
  active: boundedText.nullable().describe('the active editor and the line of its cursor'),
  settings: z
    .record(boundedText, boundedText)
    .nullable()
    .describe('values as JSON, of those that differ from the default'),
  commands: z
    .record(
      boundedText,
      z.object({ line: boundedText, end: boundedText, beganMs: z.number().describe('since 1970, about') }),
    )
    .nullable()
    .describe('the last command of each terminal'),
  debug: z.array(boundedText).max(100).nullable(),
  breakpoints: z.array(boundedText).max(1000).nullable(),
});
export type IdeSnapshot = z.output<typeof ideSnapshot>;

/** Longest wait for an answer of the IDE, in milliseconds. */
const snapshotAnswerMs = 3000;

/** The state of the IDE now, without the files. Parts that the IDE does not answer in time are null. */
export async function takeIdeSnapshot(
  sandbox: Sandbox,
  turn: number,
  signal: AbortSignal,
): Promise<IdeSnapshot> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(snapshotAnswerMs)]);
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
    ask(ide.workspace, {}, ({ folders }) => readUriPath(folders[0]?.uri ?? '')),
    ask(ide.tabs, {}, ({ groups }) => readTabs(groups)),
    ask(ide.unsaved, {}, ({ documents }) => readUnsavedTexts(documents)),
    ask(ide.editor, {}, ({ editor }) => readActivePath(editor)),
    ask(ide.changedSettings, {}, ({ settings: list }) => readChangedSettings(list)),
    ask(ide.terminals, { maxChars: 0 }, ({ terminals }) => readLastCommands(terminals)),
    ask(ide.debug, {}, ({ sessions }) => sessions.slice(0, 100).map(({ name }) => cutText(name))),
    ask(ide.breakpoints, {}, ({ breakpoints: list }) => list.slice(0, 1000).map(formatBreakpoint)),
  ]);
  return { turn, workspace, tree: null, tabs, unsaved, active, settings, commands, debug, breakpoints };
}

function readTabs(groups: ResultOf<typeof ide.tabs>['groups']): IdeSnapshot['tabs'] {
  const tabs = groups.flatMap((group) => group.tabs);
  // A terminal in the editor area, or a page, has no path.
  return Object.fromEntries(
    tabs.map(({ label, uri, dirty }) => [cutText(readUriPath(uri ?? '') ?? label), { dirty }]),
  );
}

function readUnsavedTexts(documents: ResultOf<typeof ide.unsaved>['documents']): IdeSnapshot['unsaved'] {
  return Object.fromEntries(
    documents.map(({ uri, hash, text: typed }) => [cutText(readUriPath(uri) ?? uri), { hash, text: typed }]),
  );
}

function readActivePath(editor: ResultOf<typeof ide.editor>['editor']): string | null {
  if (!editor) return null;
  const line = editor.selections[0]?.active.line;
  return cutText(`${readUriPath(editor.uri) ?? editor.uri}${line === undefined ? '' : ` line ${line + 1}`}`);
}

function readChangedSettings(
  settings: ResultOf<typeof ide.changedSettings>['settings'],
): IdeSnapshot['settings'] {
  return Object.fromEntries(
    settings.map(({ key, effective }) => [cutText(key), cutText(JSON.stringify(effective) ?? '')]),
  );
}

function readLastCommands(terminals: ResultOf<typeof ide.terminals>['terminals']): IdeSnapshot['commands'] {
  const entries = terminals.flatMap(({ id, name, lastCommand }) => {
    if (!lastCommand) return [];
    const { line, running, exitCode, ageMs } = lastCommand;
    const end = running ? 'still running' : exitCode === null ? 'ended' : `exit code ${exitCode}`;
    return [[cutText(`${name} (${id})`), { line: cutText(line), end, beganMs: Date.now() - ageMs }] as const];
  });
  return Object.fromEntries(entries);
}

function formatBreakpoint(one: ResultOf<typeof ide.breakpoints>['breakpoints'][number]): string {
  const { uri, line, name, enabled, condition, hitCondition, logMessage } = one;
  const place = uri === null ? (name ?? 'elsewhere') : `${readUriPath(uri) ?? uri}:${line ?? '?'}`;
  const only = [condition && `if ${condition}`, hitCondition && `hit ${hitCondition}`, logMessage && 'logs'];
  return cutText([place, ...only.filter(Boolean), ...(enabled ? [] : ['off'])].join(' '));
}

/** The path of a file; null for other URIs. */
function readUriPath(uri: string): string | null {
  try {
    const { protocol, pathname } = new URL(uri);
    return protocol === 'file:' || protocol === 'vscode-remote:' ? decodeURIComponent(pathname) : null;
  } catch {
    return null;
  }
}

function cutText(value: string): string {
  return clip(value, 500);
}

/** Folder inside the sandbox, outside of the workspace, for the state of the files at the take-over. */
export const handBackFolder = '/var/tmp/pwp-turn';
/** Longest for one look at all files, in milliseconds; a workspace that takes longer is not compared. */
const filesMs = 10_000;
/** The maximum size of the differences of all files. */
const outputBytes = 20_000;

/**
 * A separate repository beside the workspace, which itself is not touched. It leaves out files that the workspace
 * ignores, folders of packages, and files of more than 1 MiB.
 */
const scriptPrelude = `
set -eu
export GIT_DIR=${handBackFolder}/files.git GIT_WORK_TREE="$1" GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null HOME=/nonexistent
cd "$1"
tree() {
  { printf '%s\\n' node_modules/ .venv/ __pycache__/
    find . -name .git -prune -o -type f -size +1024k -printf '/%P\\n' | sed 's/[][*?\\\\ ]/\\\\&/g'
  } > "$GIT_DIR/info/exclude"
  git -c core.autocrlf=false -c core.safecrlf=false -c gc.auto=0 add -A --ignore-errors . 2> /dev/null || true
  git write-tree
}
`;

const noteScript = `${scriptPrelude}
mkdir -p -m 700 ${handBackFolder}
[ -d "$GIT_DIR/info" ] || git init -q
tree
`;

const compareScript = `${scriptPrelude}
old="$2"
new=$(tree)
git -c core.quotePath=false diff --no-ext-diff --no-color --stat=80 "$old" "$new"
printf '\\0'
git -c core.quotePath=false diff --no-ext-diff --no-color -U1 "$old" "$new"
`;

/** The differences between two states of the files. */
export interface FileChanges {
  /** As `git diff --stat` has it; empty if nothing differs. */
  readonly summary: string;
  /** With one line around each change. */
  readonly diff: string;
}

/** Notes the files as they are now, under a name that git gives them; undefined if that can't be done in time. */
export async function noteFiles(
  sandbox: Sandbox,
  workspace: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const tree = (await runScript(sandbox, noteScript, [workspace], signal))?.trim();
  return tree !== undefined && /^[0-9a-f]{40,64}$/.test(tree) ? tree : undefined;
}

/** The changes since `tree` was noted; undefined if they can't be read in time. */
export async function compareFiles(
  sandbox: Sandbox,
  workspace: string,
  tree: string,
  signal: AbortSignal,
): Promise<FileChanges | undefined> {
  const output = await runScript(sandbox, compareScript, [workspace, tree], signal);
  if (output === undefined) return undefined;
  const [summary = '', diff = ''] = output.split('\0', 2);
  return { summary: summary.trimEnd(), diff: diff.trimEnd() };
}

async function runScript(
  sandbox: Sandbox,
  script: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const { exitCode, stdout } = await sandbox.exec(
    {
      argv: ['bash', '-c', script, 'bash', ...args],
      cwd: '/',
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
      timeoutMs: filesMs,
      maxOutputBytes: outputBytes,
    },
    { signal },
  );
  return exitCode === 0 ? stdout : undefined;
}

/** Texts that differ in more lines are not compared line by line: their author could make that take long. */
const mostEdits = 2000;
const compareMs = 500;
/** A larger file is only named; in bytes. */
const fileBytes = 1_000_000;

/** Text that people typed and did not save, by two states of the IDE. */
export interface UnsavedChanges {
  /** One line for each editor that was not saved before either. */
  readonly lines: readonly string[];
  /** With one line around each change. */
  readonly diff: string;
}

/**
 * Compares the texts of unsaved editors with their earlier texts, or with the file if they were saved before.
 * @param read reads a file as it is now; null if it does not exist
 */
export async function compareUnsaved(
  before: IdeSnapshot['unsaved'],
  after: IdeSnapshot['unsaved'],
  read: (path: string) => Promise<string | null>,
): Promise<UnsavedChanges> {
  if (!before || !after) return { lines: [], diff: '' };
  const changed = Object.entries(after).filter(([name, { hash }]) => before[name]?.hash !== hash);
  const known = changed.filter(([name]) => before[name] !== undefined).map(([name]) => name);
  const diffs = await Promise.all(
    changed.map(async ([name, { text }]) => {
      const old = before[name] ? before[name].text : await read(name);
      return text === null || old === null ? '' : makePatch(name, old, text);
    }),
  );
  return {
    lines: known.map((name) => `changed and still not saved: ${name}`),
    diff: diffs.filter((diff) => diff !== '').join('\n'),
  };
}

function makePatch(name: string, old: string, text: string): string {
  const options = { context: 1, maxEditLength: mostEdits, timeout: compareMs };
  const patch = createTwoFilesPatch(name, `${name} (not saved)`, old, text, undefined, undefined, options);
  return (patch ?? '').replace(/^=+\n/, '').trimEnd();
}

/** The text of a file in the sandbox; empty for an editor without a file. */
export async function readFileText(sandbox: Sandbox, path: string): Promise<string | null> {
  if (!path.startsWith('/')) return '';
  const bytes = await sandbox.readFile(path, fileBytes).catch(() => null);
  return bytes && Buffer.from(bytes).toString('utf8');
}
