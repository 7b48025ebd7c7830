import { deadline } from '../../../../bridge/lib/index.ts';
import * as vscode from 'vscode';
import { toolError, type Problem, type Written } from '../../../../bridge/protocol/index.ts';
import { notifyServers } from '../../language/index.ts';
import { applyReplacements, countLines, type Replacement } from '../../lib/index.ts';
import { pathText, type Place } from '../place/index.ts';
import {
  compareProblems,
  problemsBefore,
  watchProblems,
  type Checked,
  type ProblemWatch,
} from '../problems/index.ts';
import { encodeText, loadText, versionOf, type LoadedText } from '../text/index.ts';
import { changeDocument } from './buffer.ts';
import { createFile, replaceFile } from './disk.ts';
import { inTurn } from './queue.ts';
import { untilText } from './reload.ts';
import { refuseReadOnly } from './writable.ts';

/** The changes of a text: in order, and without overlap. */
export type Change = (text: string) => readonly Replacement[];

export interface ChangeOptions {
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
export function changeFile(place: Place, options: ChangeOptions, change: Change): Promise<Written> {
  return inTurn(place.real, options.signal, async () => {
    refuseNotebook(place);
    const loaded = await loadText(place);
    const version = versionOf(loaded.text);
    refuseStale(place, version, options.expected);
    const replacements = change(loaded.text).filter(
      ({ start, end, text }) => loaded.text.slice(start, end) !== text,
    );
    if (replacements.length === 0) return unchanged(place, loaded, version);
    if (!loaded.unsaved) await refuseReadOnly(place);
    return apply(place, options, loaded, replacements);
  });
}

/** Creates a file with a text, and its folders. Errors: `already-exists`, `write-failed`. */
export function makeFile(place: Place, text: string, { waitMs, signal }: ChangeOptions): Promise<Written> {
  return inTurn(place.real, signal, async () => {
    using watch = watchProblems(place.uri);
    await createFile(place.real, Buffer.from(text, 'utf8'), pathText(place.path));
    await notifyServers(place.uri, 'created');
    const document = waitMs > 0 ? await opened(place) : undefined;
    const checked = await look(document, watch, waitMs, signal);
    return {
      ...facts(place, text, text, ''),
      created: true,
      through: 'disk',
      saved: true,
      previous_version: null,
      problems: compareProblems([], checked),
    };
  });
}

async function apply(
  place: Place,
  { waitMs, signal }: ChangeOptions,
  loaded: LoadedText,
  replacements: readonly Replacement[],
): Promise<Written> {
  const document = loaded.document ?? (waitMs > 0 ? await opened(place) : undefined);
  using watch = watchProblems(document?.uri ?? place.uri);
  const before =
    waitMs > 0 && document
      ? await problemsBefore(document, loaded.document !== undefined, waitMs, signal)
      : undefined;
  const intended = applyReplacements(loaded.text, replacements);
  const inBuffer = document !== undefined && document.getText() === loaded.text;
  if (inBuffer) await changeDocument(document, replacements, pathText(place.path));
  else await changeOnDisk(place, loaded, intended);
  const now = inBuffer ? document.getText() : intended;
  if (!inBuffer && document && waitMs > 0) await reloaded(document, intended, waitMs, signal);
  const checked = await look(document, watch, waitMs, signal);
  return {
    ...facts(place, intended, now, loaded.text),
    created: false,
    through: inBuffer ? 'buffer' : 'disk',
    saved: !loaded.unsaved,
    previous_version: versionOf(loaded.text),
    problems: compareProblems(before, checked),
  };
}

async function changeOnDisk(
  place: Place,
  { stats, encoding, unsaved }: LoadedText,
  text: string,
): Promise<void> {
  const name = pathText(place.path);
  // Its text is the document's, so it was changed there.
  if (unsaved || !stats)
    throw toolError('stale-version', `${name} was changed at this moment`, { help: 'Read it again' });
  await replaceFile(place.real, await encodeText(text, encoding, name), stats, name);
  await notifyServers(place.uri, 'changed');
}

function facts(place: Place, intended: string, now: string, before: string) {
  const { added, removed } = countLines(before, intended);
  return {
    path: pathText(place.path),
    changed: true,
    adjusted: now !== intended,
    version: versionOf(now),
    lines_added: added,
    lines_removed: removed,
  };
}

function unchanged(place: Place, { document, unsaved }: LoadedText, version: string): Written {
  return {
    path: pathText(place.path),
    created: false,
    changed: false,
    through: document ? 'buffer' : 'disk',
    saved: !unsaved,
    adjusted: false,
    version,
    previous_version: version,
    lines_added: 0,
    lines_removed: 0,
    problems: compareProblems([], notLooked('nothing was changed')),
  };
}

/** Opens the document, so that the language server learns of it. Undefined if VS Code does not accept it as text. */
async function opened({ uri }: Place): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    return undefined;
  }
}

async function look(
  document: vscode.TextDocument | undefined,
  watch: ProblemWatch,
  waitMs: number,
  signal: AbortSignal,
): Promise<Checked> {
  if (waitMs === 0) return notLooked('not requested');
  if (!document) return notLooked('VS Code does not open this file as text');
  return watch.check(document, waitMs, signal);
}

function notLooked(why: string): Checked {
  return { problems: [] as readonly Problem[], state: 'none', why, version: null };
}

/** A document that VS Code has not reloaded in time is checked as it is; its version shows that the result is stale. */
async function reloaded(
  document: vscode.TextDocument,
  text: string,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  using limit = deadline('reload of the document', ms, signal);
  await untilText(document, text, limit.signal).catch(() => signal.throwIfAborted());
}

function refuseStale(place: Place, version: string, expected: string | undefined): void {
  if (expected === undefined || expected === version) return;
  throw toolError('stale-version', `${pathText(place.path)} is version ${version} now, not ${expected}`, {
    help: 'Read it again: lines may have moved',
  });
}

function refuseNotebook({ path }: Place): void {
  const notebook = vscode.workspace.notebookDocuments.find(({ uri }) => uri.fsPath === path);
  if (notebook?.isDirty !== true) return;
  throw toolError('unsaved-changes', `${pathText(path)} is open as a notebook with unsaved changes`, {
    help: 'Save it first, or edit its cells',
  });
}
