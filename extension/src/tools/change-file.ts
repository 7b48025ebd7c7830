import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { access, chmod, chown, constants, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { deadline } from '../../../bridge/lib/index.ts';
import { toolError, type ToolProblem, type WriteResult } from '../../../bridge/protocol/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import { notifyServers } from '../language/index.ts';
import { applyReplacements, countLines, type Replacement } from '../lib/index.ts';
import { awaitDocumentText, changeDocument, runInFileOrder } from './change-document.ts';
import {
  type CheckedProblems,
  compareProblems,
  type ProblemWatch,
  readProblemsBefore,
  watchProblems,
} from './check-problems.ts';
import { encodeText, hashText, type LoadedText, loadText } from './file-text.ts';
import { formatPath, type WorkspacePlace } from './workspace-place.ts';

/** The changes of a text: in order, and without overlap. */
type TextChange = (text: string) => readonly Replacement[];

interface ChangeOptions {
  /** The version that the text must have. */
  readonly expected?: string | undefined;
  /** Milliseconds to wait for the language server's diagnostics; 0: don't wait. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/**
 * Changes a file's text: in VS Code's document if it has one with the same text, so that it can be undone there; else
 * atomically on disk. A document with unsaved changes keeps them, and stays unsaved. Changes of one file are made one
 * after another. Errors: those of `loadText`, `stale-version`, `unsaved-changes`, `write-failed`, and those of `change`;
 * the file is then unchanged.
 */
export function changeFile(
  place: WorkspacePlace,
  options: ChangeOptions,
  change: TextChange,
): Promise<WriteResult> {
  return runInFileOrder(place.real, options.signal, async () => {
    refuseNotebook(place);
    const loaded = await loadText(place);
    const version = hashText(loaded.text);
    refuseStale(place, version, options.expected);
    const replacements = change(loaded.text).filter(
      ({ start, end, text }) => loaded.text.slice(start, end) !== text,
    );
    if (replacements.length === 0) return unchanged(place, loaded, version);
    if (!loaded.unsaved) await refuseReadOnly(place);
    return applyChange(place, options, loaded, replacements);
  });
}

/** Creates a file with a text, and its folders. Errors: `already-exists`, `write-failed`. */
export function createTextFile(
  place: WorkspacePlace,
  text: string,
  { waitMs, signal }: ChangeOptions,
): Promise<WriteResult> {
  return runInFileOrder(place.real, signal, async () => {
    using watch = watchProblems(place.uri);
    await createFileOnDisk(place.real, Buffer.from(text, 'utf8'), formatPath(place.path));
    await notifyServers(place.uri, 'created');
    const document = waitMs > 0 ? await openForChange(place) : undefined;
    const checked = await checkAfterChange(document, watch, waitMs, signal);
    return {
      ...describeChange(place, text, text, ''),
      created: true,
      through: 'disk',
      saved: true,
      previous_version: null,
      problems: compareProblems([], checked),
    };
  });
}

async function applyChange(
  place: WorkspacePlace,
  { waitMs, signal }: ChangeOptions,
  loaded: LoadedText,
  replacements: readonly Replacement[],
): Promise<WriteResult> {
  const document = loaded.document ?? (waitMs > 0 ? await openForChange(place) : undefined);
  using watch = watchProblems(document?.uri ?? place.uri);
  const before =
    waitMs > 0 && document
      ? await readProblemsBefore(document, loaded.document !== undefined, waitMs, signal)
      : undefined;
  const intended = applyReplacements(loaded.text, replacements);
  const inBuffer = document !== undefined && document.getText() === loaded.text;
  if (inBuffer) await changeDocument(document, replacements, formatPath(place.path));
  else await changeOnDisk(place, loaded, intended);
  const now = inBuffer ? document.getText() : intended;
  if (!inBuffer && document && waitMs > 0) await awaitReloadedText(document, intended, waitMs, signal);
  const checked = await checkAfterChange(document, watch, waitMs, signal);
  return {
    ...describeChange(place, intended, now, loaded.text),
    created: false,
    through: inBuffer ? 'buffer' : 'disk',
    saved: !loaded.unsaved,
    previous_version: hashText(loaded.text),
    problems: compareProblems(before, checked),
  };
}

async function changeOnDisk(
  place: WorkspacePlace,
  { stats, encoding, unsaved }: LoadedText,
  text: string,
): Promise<void> {
  const name = formatPath(place.path);
  // Its text is the document's, so it was changed there.
  if (unsaved || !stats)
    throw toolError('stale-version', `${name} was changed at this moment`, { help: 'Read it again' });
  await replaceFileOnDisk(place.real, await encodeText(text, encoding, name), stats, name);
  await notifyServers(place.uri, 'changed');
}

function describeChange(place: WorkspacePlace, intended: string, now: string, before: string) {
  const { added, removed } = countLines(before, intended);
  return {
    path: formatPath(place.path),
    changed: true,
    adjusted: now !== intended,
    version: hashText(now),
    lines_added: added,
    lines_removed: removed,
  };
}

function unchanged(place: WorkspacePlace, { document, unsaved }: LoadedText, version: string): WriteResult {
  return {
    path: formatPath(place.path),
    created: false,
    changed: false,
    through: document ? 'buffer' : 'disk',
    saved: !unsaved,
    adjusted: false,
    version,
    previous_version: version,
    lines_added: 0,
    lines_removed: 0,
    problems: compareProblems([], makeUncheckedProblems('nothing was changed')),
  };
}

/** Opens the document, so that the language server learns of it. Undefined if VS Code does not accept it as text. */
async function openForChange({ uri }: WorkspacePlace): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    return undefined;
  }
}

async function checkAfterChange(
  document: vscode.TextDocument | undefined,
  watch: ProblemWatch,
  waitMs: number,
  signal: AbortSignal,
): Promise<CheckedProblems> {
  if (waitMs === 0) return makeUncheckedProblems('not requested');
  if (!document) return makeUncheckedProblems('VS Code does not open this file as text');
  return watch.check(document, waitMs, signal);
}

function makeUncheckedProblems(why: string): CheckedProblems {
  return { problems: [] as readonly ToolProblem[], state: 'none', why, version: null };
}

/** A document that VS Code has not reloaded in time is checked as it is; its version shows that the result is stale. */
async function awaitReloadedText(
  document: vscode.TextDocument,
  text: string,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  using limit = deadline('reload of the document', ms, signal);
  await awaitDocumentText(document, text, limit.signal).catch(() => signal.throwIfAborted());
}

function refuseStale(place: WorkspacePlace, version: string, expected: string | undefined): void {
  if (expected === undefined || expected === version) return;
  throw toolError('stale-version', `${formatPath(place.path)} is version ${version} now, not ${expected}`, {
    help: 'Read it again: lines may have moved',
  });
}

function refuseNotebook({ path }: WorkspacePlace): void {
  const notebook = vscode.workspace.notebookDocuments.find(({ uri }) => uri.fsPath === path);
  if (notebook?.isDirty !== true) return;
  throw toolError('unsaved-changes', `${formatPath(path)} is open as a notebook with unsaved changes`, {
    help: 'Save it first, or edit its cells',
  });
}

/**
 * Replaces a file's bytes atomically: a reader sees the old text or the new one, even if this process ends in the
 * middle. Mode and owner are kept. Errors: `stale-version` if the file has changed since it was read.
 */
async function replaceFileOnDisk(path: string, bytes: Uint8Array, read: Stats, name: string): Promise<void> {
  const now = await stat(path).catch(() => undefined);
  if (!now || now.ino !== read.ino || now.mtimeMs !== read.mtimeMs || now.size !== read.size)
    throw toolError('stale-version', `${name} was changed on disk at this moment`, { help: 'Read it again' });
  // Another hard link to the file would keep the old text.
  if (now.nlink > 1 || !(await canAddFile(dirname(path)))) await writeFile(path, bytes);
  else await swapIn(path, bytes, now);
}

/** Whether a file can be created in a folder; in a read-only folder, existing files can still be written. */
function canAddFile(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** Creates a file with its folders. Errors: `already-exists`. */
async function createFileOnDisk(path: string, bytes: Uint8Array, name: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(path, bytes, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw toolError('already-exists', `${name} is there already`, { cause: error });
  }
}

async function swapIn(path: string, bytes: Uint8Array, { mode, uid, gid }: Stats): Promise<void> {
  const temporary = join(
    dirname(path),
    `.${clip(basename(path), 100)}.${randomBytes(4).toString('hex')}.tmp`,
  );
  try {
    await using file = await open(temporary, 'wx', 0o600);
    await file.writeFile(bytes);
    await chmod(temporary, mode & 0o7777);
    // Only root may change a file's owner; anyone else owns the new file already.
    if (process.getuid?.() === 0) await chown(temporary, uid, gid);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Refuses a read-only file before anything is changed: VS Code would keep the change unsaved in its editor, and replacing
 * a file on disk works even if its own mode forbids writing. Errors: `write-failed`.
 */
export async function refuseReadOnly({ real, path }: WorkspacePlace): Promise<void> {
  const why = await access(real, constants.W_OK).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error,
  );
  if (!why || !['EACCES', 'EPERM', 'EROFS'].includes(why.code ?? '')) return;
  throw toolError('write-failed', `${formatPath(path)} is read-only; nothing was changed`, {
    help: 'If it is to be changed, make it writable first: chmod u+w in a shell',
    cause: why,
  });
}
