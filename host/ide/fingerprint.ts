import { createHash } from 'node:crypto';
import { ide, type ResultOf } from '../../bridge/protocol/index.ts';
import { clip } from '../../bridge/text/index.ts';
import type { HashOptions, Sandbox } from '../node/index.ts';
import { isOutOfTurn, requireTurn } from './agent-turn.ts';

/** The files of a sandbox that two runs can be compared by. */
interface FileState {
  /** SHA-256 over all paths and contents, in hexadecimal digits. */
  readonly digest: string;
  /** By absolute path: the first 16 hexadecimal digits of the SHA-256 of the content, with `x` in front if executable; `->` and the target of a link; `folder`. */
  readonly entries: ReadonlyMap<string, string>;
}

/** Beyond these bounds nothing is compared: each file is read after every step. Python writes times into its caches. */
const hashBounds: HashOptions = { entries: 2000, bytes: 32 * 1024 ** 2, except: ['.git', '__pycache__'] };
const hashDigits = 16;
/** The user's settings of VS Code; the rest of the profile has times and random names. */
const settingsFiles = ['settings.json', 'keybindings.json', 'tasks.json'].map(
  (name) => `/ide/data/User/${name}`,
);
const settingsBytes = 1024 ** 2;

/** The files of the workspace and the user's settings, from outside. Null if they are too many, or the disk is gone. */
async function readFileState(sandbox: Sandbox, signal: AbortSignal): Promise<FileState | null> {
  try {
    const user = await Promise.all(
      settingsFiles.map(async (path) => [path, await sandbox.readFile(path, settingsBytes)] as const),
    );
    const { workspace } = sandbox;
    const found = await sandbox.hashes(workspace, { ...hashBounds, signal });
    return summarizeFiles([
      ...[...found].map(([path, text]) => [`${workspace}/${path}`, shortenHash(text)] as const),
      ...user.flatMap(([path, bytes]) => (bytes ? [[path, makeShortHash(bytes)] as const] : [])),
    ]);
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

function summarizeFiles(files: readonly (readonly [path: string, content: string])[]): FileState {
  const entries = new Map(files.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return { digest: digestEntries(entries), entries };
}

/** The same for the same entries in the order of their paths. */
function digestEntries(entries: ReadonlyMap<string, string>): string {
  return createHash('sha256')
    .update(JSON.stringify([...entries]))
    .digest('hex');
}

/** A hash with fewer digits; all else as it is. */
function shortenHash(text: string): string {
  return text.replace(/^(x?[0-9a-f]{16})[0-9a-f]{48}$/, '$1');
}

function makeShortHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, hashDigits);
}

/** The open editors, as the IDE reports them. */
export interface EditorState {
  /** All tabs from left to right, by label; ` •` marks text that is not saved. */
  readonly tabs: readonly string[];
  /** The editor that has or had the focus; null without one. */
  readonly active: {
    readonly uri: string;
    /** First 16 hexadecimal digits of the SHA-256 of its text, whether that is saved or not. */
    readonly text: string;
    /** Of the cursor, both from 1. */
    readonly line: number;
    readonly column: number;
  } | null;
}

/** Longest wait for the IDE, in milliseconds. */
const editorAnswerMs = 3000;

/** The editors of a sandbox; null if the IDE does not answer. It comes from inside. */
async function readEditorState(sandbox: Sandbox, signal: AbortSignal): Promise<EditorState | null> {
  const within = { signal: AbortSignal.any([signal, AbortSignal.timeout(editorAnswerMs)]) };
  try {
    const [{ editor }, { groups }] = await Promise.all([
      sandbox.call(ide.editor, { includeText: true, current: true }, within),
      sandbox.call(ide.tabs, {}, within),
    ]);
    const tabs = groups.flatMap((group) => group.tabs);
    return {
      tabs: tabs.slice(0, mostTabs).map(({ label, dirty }) => clip(label, 300) + (dirty ? ' •' : '')),
      active: editor && readActiveEditor(editor),
    };
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

const mostTabs = 200;

function readActiveEditor({
  uri,
  text = '',
  selections,
}: NonNullable<ResultOf<typeof ide.editor>['editor']>): EditorState['active'] {
  const { line = 0, character = 0 } = selections[0]?.active ?? {};
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { uri: clip(uri, 2000), text: hash, line: line + 1, column: character + 1 };
}

/** A fingerprint of an IDE's state, without its screen, for the comparison of two runs. No score depends on it. */
export interface Fingerprint {
  /** Null if they could not be read, or are too many. */
  readonly files: FileState | null;
  /** Null if the IDE did not answer. */
  readonly editor: EditorState | null;
}

/**
 * Rejects only for the signal. Nothing is known while a person has control, or if one has had it since an agent last
 * looked: then the state is theirs, and not the result of a step.
 */
export async function takeFingerprint(sandbox: Sandbox, signal: AbortSignal): Promise<Fingerprint> {
  const nothing = { files: null, editor: null };
  if (await isPersonsState(sandbox, signal)) return nothing;
  const [editor, files] = await Promise.all([
    readEditorState(sandbox, signal),
    readFileState(sandbox, signal),
  ]);
  return (await isPersonsState(sandbox, signal)) ? nothing : { files, editor };
}

async function isPersonsState(sandbox: Sandbox, signal: AbortSignal): Promise<boolean> {
  try {
    await requireTurn(sandbox, signal);
    return false;
  } catch (error) {
    signal.throwIfAborted();
    return isOutOfTurn(error);
  }
}
