import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { describeError } from '../../../../bridge/lib/index.ts';
import { type refactorTools, toolError, type ToolOutput } from '../../../../bridge/protocol/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import { notifyServers } from '../../language/index.ts';
import { clipText } from '../../lib/index.ts';
import {
  type DocumentSnapshot,
  restoreDocuments,
  runInFileOrder,
  snapshotDocument,
} from '../change-document.ts';
import { refuseReadOnly } from '../change-file.ts';
import { compareProblems, readProblemsBefore, watchProblems } from '../check-problems.ts';
import { compareWithDisk, hashText, openDocument } from '../file-text.ts';
import { formatPath, resolvePlace, type WorkspacePlace } from '../workspace-place.ts';

export type RefactorResult = ToolOutput<typeof refactorTools.renameSymbol>;
export type RefactoredFile = RefactorResult['files'][number];

const refactorLimits = { files: 500, changes: 500, piece: 2000, checked: 20, warning: 5000 };

/** The edits of one file, relative to its current text. */
interface FileEdits {
  readonly place: WorkspacePlace;
  readonly document: vscode.TextDocument | undefined;
  readonly edits: readonly vscode.TextEdit[];
  /** The version of the document that the edits are about. */
  readonly version: number | undefined;
}

export interface ApplyOptions {
  readonly title: string;
  readonly preview: boolean;
  readonly waitMs: number;
  readonly signal: AbortSignal;
  /** Files may be created. Otherwise edits of missing files are skipped: a server may name deleted ones. */
  readonly creates?: boolean;
  /** Why places may be left unchanged. */
  readonly incomplete?: string | null;
  /** Effects of the change that may be unintended. */
  readonly warning?: string | null;
  /** Done after the edits, before problems are looked at. */
  readonly move?: FileMove;
}

/** A file or a folder that moves beside the edits. */
interface FileMove {
  readonly from: WorkspacePlace;
  readonly run: () => Promise<void>;
  /** The path of a file after the move. */
  readonly pathOf: (path: string) => string;
}

/**
 * Applies edits of several files at once, in VS Code's documents, so that undo works; documents without unsaved changes
 * are saved. Either all edits are made or none. Errors: `outside-workspace`, `stale-version`, `write-failed`.
 */
export async function applyEdits(
  found: readonly (readonly [vscode.Uri, readonly vscode.TextEdit[]])[],
  options: ApplyOptions,
): Promise<RefactorResult> {
  const { creates = false, move } = options;
  const named = found.filter(([, edits]) => edits.length > 0);
  const prepared = await Promise.all(named.map((one) => prepareFile(one, creates)));
  const files = prepared.flatMap((one) => (one ? [one] : []));
  const shown = files.map((file) => describeRefactoredFile(file));
  if (options.preview || (files.length === 0 && !move)) return describeRefactor(options, shown, false);
  const change = () => writeFiles(files, options);
  const locks = [...files.map((file) => file.place.real), ...(move ? [move.from.real] : [])];
  const places = [...new Set(locks)].sort();
  // All files at once, always in the same order, so that no two changes wait for each other.
  const locked = places.reduceRight<() => Promise<readonly RefactoredFile[]>>(
    (work, path) => () => runInFileOrder(path, options.signal, work),
    change,
  );
  return describeRefactor(options, await locked(), true);
}

export function describeRefactor(
  { title, incomplete = null, warning = null }: Pick<ApplyOptions, 'title' | 'incomplete' | 'warning'>,
  files: readonly RefactoredFile[],
  applied: boolean,
): RefactorResult {
  return {
    title: clipText(title),
    applied,
    files: files.slice(0, refactorLimits.files),
    total_changes: files.reduce((sum, { changes, omitted }) => sum + changes.length + omitted, 0),
    truncated: files.length > refactorLimits.files,
    incomplete,
    warning: warning === null ? null : clip(warning, refactorLimits.warning),
  };
}

async function prepareFile(
  [uri, edits]: readonly [vscode.Uri, readonly vscode.TextEdit[]],
  creates: boolean,
): Promise<FileEdits | undefined> {
  const where = await resolvePlace(uri.fsPath);
  const unsaved = openDocument(where)?.isDirty === true;
  const isThere = unsaved || (await stat(where.real).catch(() => undefined)) !== undefined;
  if (!isThere && !creates) return undefined;
  const document = await vscode.workspace.openTextDocument(uri).then(
    (opened) => opened,
    () => undefined,
  );
  const all = isThere || !document ? edits : [wholeText(document, edits)];
  return { place: where, document, edits: all, version: document?.version };
}

/** VS Code still has the text of a removed file, while the edits are relative to an empty one. */
function wholeText(document: vscode.TextDocument, edits: readonly vscode.TextEdit[]): vscode.TextEdit {
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  return vscode.TextEdit.replace(whole, edits.map(({ newText }) => newText).join(''));
}

/** Nothing may have changed since the edits were computed, in the IDE or on disk. Errors: `stale-version`. */
async function refuseStaleVersion({ place: where, document, version }: FileEdits): Promise<void> {
  const current = document
    ? document.version === version &&
      (document.isDirty || document.isClosed || (await compareWithDisk(document)) !== 'other')
    : (await stat(where.real).catch(() => undefined)) === undefined;
  if (current) return;
  throw toolError('stale-version', `${formatPath(where.path)} was changed at this moment; nothing was done`, {
    help: 'Try again',
  });
}

async function writeFiles(
  files: readonly FileEdits[],
  { waitMs, signal, move }: ApplyOptions,
): Promise<readonly RefactoredFile[]> {
  await Promise.all(files.map(refuseStaleVersion));
  for (const { place: where, document } of files) if (!document?.isDirty) await refuseReadOnly(where);
  const shown = files.map((file) => describeRefactoredFile(file));
  const dirty = new Set(files.filter(({ document }) => document?.isDirty).map(({ place: { path } }) => path));
  const watched = await Promise.all(
    files
      .slice(0, waitMs > 0 ? refactorLimits.checked : 0)
      .map((file) => watchFile(file, { waitMs, signal, move })),
  );
  try {
    const were = files.flatMap(({ document }) => (document ? [snapshotDocument(document)] : []));
    if (files.length > 0) await applyAll(files);
    const saved = await saveAll(files, were, dirty);
    // Before their problems are read: one file may import something new from another.
    for (const { place: where, document } of files)
      await notifyServers(where.uri, document ? 'changed' : 'created');
    if (move) await moveOrTakeBack(move, were);
    const problems = await Promise.all(watched.map((one) => one.check()));
    return shown.map((file, index) => ({
      ...file,
      saved: saved[index]?.saved ?? false,
      version: saved[index]?.version ?? null,
      problems: problems[index] ?? null,
    }));
  } finally {
    for (const { stop } of watched) stop();
  }
}

async function watchFile(
  { place: { uri }, document }: FileEdits,
  { waitMs, signal, move }: Pick<ApplyOptions, 'waitMs' | 'signal'> & { move: FileMove | undefined },
) {
  const end = vscode.Uri.file(move?.pathOf(uri.fsPath) ?? uri.fsPath);
  const watch = watchProblems(end);
  const known = document ? await readProblemsBefore(document, true, waitMs, signal) : [];
  return {
    check: async () => {
      const now = await vscode.workspace.openTextDocument(end);
      return compareProblems(known, await watch.check(now, waitMs, signal));
    },
    stop: () => watch[Symbol.dispose](),
  };
}

async function applyAll(files: readonly FileEdits[]): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  for (const { place: where, document, edits } of files) {
    if (!document) edit.createFile(where.uri, { overwrite: false, ignoreIfExists: true });
    edit.set(document?.uri ?? where.uri, [...edits]);
  }
  if (await vscode.workspace.applyEdit(edit)) return;
  throw toolError(
    'stale-version',
    'a file was changed by someone else at this moment, or could not be written',
    {
      help: 'Look at the files again',
    },
  );
}

/** Errors: `write-failed`; the files are then as they were. */
async function saveAll(
  files: readonly FileEdits[],
  were: readonly DocumentSnapshot[],
  dirty: ReadonlySet<string>,
): Promise<readonly { saved: boolean; version: string }[]> {
  const done: { saved: boolean; version: string }[] = [];
  for (const { place: where, document } of files) {
    const now = document ?? (await vscode.workspace.openTextDocument(where.uri));
    const wasDirty = dirty.has(where.path);
    if (!wasDirty && !(await now.save()) && now.isDirty)
      throw await restoreAfterFailedSave(where, files, were);
    done.push({ saved: !wasDirty, version: hashText(now.getText()) });
  }
  return done;
}

/** Errors: `write-failed`; the files are then as they were. */
async function moveOrTakeBack({ from, run }: FileMove, were: readonly DocumentSnapshot[]): Promise<void> {
  try {
    await run();
  } catch (cause) {
    const why = `${formatPath(from.path)} could not be moved: ${describeError(cause)}`;
    throw toolError('write-failed', `${why}; ${await restoreDocuments(were)}`, { cause });
  }
}

async function restoreAfterFailedSave(
  where: WorkspacePlace,
  files: readonly FileEdits[],
  were: readonly DocumentSnapshot[],
): Promise<Error> {
  const made = new vscode.WorkspaceEdit();
  for (const { place: one, document } of files)
    if (!document) made.deleteFile(one.uri, { ignoreIfNotExists: true });
  await vscode.workspace.applyEdit(made);
  return toolError(
    'write-failed',
    `${formatPath(where.path)} could not be saved; ${await restoreDocuments(were)}`,
    {
      help: 'The IDE says why',
    },
  );
}

function describeRefactoredFile({ place: { path }, document, edits }: FileEdits): RefactoredFile {
  const sorted = [...edits].sort((a, b) => a.range.start.compareTo(b.range.start));
  return {
    path: formatPath(path),
    kind: document ? 'changed' : 'created',
    new_path: null,
    changes: sorted.slice(0, refactorLimits.changes).map(({ range, newText }) => ({
      line: range.start.line + 1,
      column: range.start.character + 1,
      end_line: range.end.line + 1,
      end_column: range.end.character + 1,
      old: clip(document?.getText(range) ?? '', refactorLimits.piece),
      new: clip(newText, refactorLimits.piece),
    })),
    omitted: Math.max(0, edits.length - refactorLimits.changes),
    saved: false,
    version: null,
    problems: null,
  };
}
