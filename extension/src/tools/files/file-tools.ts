import { lstat } from 'node:fs/promises';
import { extname } from 'node:path';
import * as vscode from 'vscode';
import { fileTools, toolError, type ToolInput, type ToolOutput } from '../../../../bridge/protocol/index.ts';
import type { ToolContext, ToolHandlers } from '../../../../bridge/rpc/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import {
  applyReplacements,
  detectLineEnd,
  findDifference,
  splitLines,
  type TextLine,
} from '../../lib/index.ts';
import { changeFile, createTextFile } from '../change-file.ts';
import { hashText, loadText, openDocument } from '../file-text.ts';
import { formatPath, resolvePlace, type WorkspacePlace } from '../workspace-place.ts';
import { createDirectory, deleteFile, listDir, refuseRename, renameFile, renameNow } from './file-tree.ts';
import { editNotebook } from './notebook.ts';
import { computeLineReplacements, computeTextReplacements } from './text-replacements.ts';

export { refuseRename, renameNow };

/** Adds the tools that read and change files. */
export function addFileTools(handlers: ToolHandlers): ToolHandlers {
  return handlers
    .add(fileTools.readFile, readFile)
    .add(fileTools.listDir, listDir)
    .add(fileTools.editFile, editFile)
    .add(fileTools.searchReplace, searchReplace)
    .add(fileTools.writeFile, writeFile)
    .add(fileTools.createFile, createFile)
    .add(fileTools.createDirectory, createDirectory)
    .add(fileTools.deleteFile, deleteFile)
    .add(fileTools.renameFile, renameFile)
    .add(fileTools.editNotebook, editNotebook);
}

type Read = typeof fileTools.readFile;

/** Limits of an answer, in lines and UTF-16 code units; the descriptor states them to models. */
const readLimits = { lines: 5000, text: 400_000, line: 5000 };

async function readFile(input: ToolInput<Read>): Promise<ToolOutput<Read>> {
  const where = await resolvePlace(input.path);
  const { text, encoding, unsaved, document } = await loadText(where);
  const lines = splitLines(text);
  const { first, last } = chooseLineRange(input, lines.length);
  const wanted = lines.slice(first - 1, last);
  const { shown, cut } = takeFittingLines(wanted, input.line_numbers, first);
  const note = makeNotebookNote(where.path);
  return {
    path: formatPath(where.path),
    text: shown.join('\n'),
    start_line: shown.length === 0 ? 0 : first,
    end_line: shown.length === 0 ? 0 : first + shown.length - 1,
    total_lines: lines.length,
    truncated: shown.length < wanted.length || cut,
    version: hashText(text),
    ...(document && { language: document.languageId }),
    encoding,
    end_of_line: detectLineEnd(lines),
    unsaved,
    ...(note !== undefined && { note }),
  };
}

/** The file of a notebook is JSON that includes outputs: cells are changed by another tool. */
function makeNotebookNote(path: string): string | undefined {
  if (extname(path) !== '.ipynb') return undefined;
  const open = vscode.workspace.notebookDocuments.find(({ uri }) => uri.fsPath === path);
  const unsaved =
    open?.isDirty === true ? '; it is open with unsaved changes, which are not in this text' : '';
  return `a notebook: edit_notebook changes its cells${unsaved}`;
}

function chooseLineRange({ start_line: first = 1, end_line: last }: ToolInput<Read>, total: number) {
  if (last !== undefined && last < first)
    throw toolError('bad-arguments', `read_file: end_line ${last} is before start_line ${first}`);
  if (first > Math.max(total, 1))
    throw toolError(
      'bad-arguments',
      `read_file: start_line ${first} is past the end: the file has ${total} lines`,
    );
  return { first, last: Math.min(last ?? total, total) };
}

/**
 * As many lines as fit. A line that is much longer than people write, such as a picture in a notebook, is cut to leave
 * room for the lines after it. If only that line is requested, it is cut only at the limit of an answer.
 */
function takeFittingLines(
  lines: readonly TextLine[],
  numbers: boolean,
  first: number,
): { shown: string[]; cut: boolean } {
  const shown: string[] = [];
  const longest = lines.length === 1 ? readLimits.text : readLimits.line;
  let room = readLimits.text;
  let cut = false;
  for (const [i, { text }] of lines.slice(0, readLimits.lines).entries()) {
    const line = (numbers ? `${first + i}\t` : '') + cutLine(text, longest);
    if (line.length > room && shown.length > 0) break;
    cut ||= text.length > longest;
    shown.push(line);
    room -= line.length + 1;
  }
  return { shown, cut };
}

function cutLine(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const start = clip(text, longest);
  return `${start} … (line cut: ${text.length - start.length} more characters)`;
}

type Files = typeof fileTools;
type Written = ToolOutput<Files['writeFile']>;

async function editFile(input: ToolInput<Files['editFile']>, { signal }: ToolContext): Promise<Written> {
  const where = await resolvePlace(input.path);
  const options = makeChangeOptions(input, signal);
  const isNew = input.create && options.expected === undefined && !(await isExistingFile(where));
  if (isNew)
    return createTextFile(where, applyReplacements('', computeLineReplacements('', input.edits)), options);
  return changeFile(where, options, (text) => computeLineReplacements(text, input.edits));
}

async function searchReplace(
  input: ToolInput<Files['searchReplace']>,
  { signal }: ToolContext,
): Promise<Written> {
  const where = await resolvePlace(input.path);
  const { old_string: old, new_string: instead, replace_all: all } = input;
  return changeFile(where, makeChangeOptions(input, signal), (text) =>
    computeTextReplacements(text, { old, instead, all, name: formatPath(where.path) }),
  );
}

async function writeFile(input: ToolInput<Files['writeFile']>, { signal }: ToolContext): Promise<Written> {
  const where = await resolvePlace(input.path);
  const options = makeChangeOptions(input, signal);
  if (options.expected === undefined && !(await isExistingFile(where)))
    return createTextFile(where, input.content, options);
  return changeFile(where, options, (text) => {
    const difference = findDifference(text, adoptLineEnds(text, input.content));
    return difference ? [difference] : [];
  });
}

async function createFile(input: ToolInput<Files['createFile']>, { signal }: ToolContext): Promise<Written> {
  const where = await resolvePlace(input.path);
  return createTextFile(where, input.content, makeChangeOptions(input, signal));
}

function makeChangeOptions(
  { wait_ms: waitMs, expected_version: expected }: { wait_ms: number; expected_version?: string | undefined },
  signal: AbortSignal,
) {
  return { expected, waitMs, signal };
}

/** Whether the file exists on disk, or in an editor that was not saved since its file was removed. */
async function isExistingFile(where: WorkspacePlace): Promise<boolean> {
  return (
    openDocument(where)?.isDirty === true || (await lstat(where.real).catch(() => undefined)) !== undefined
  );
}

/** A text with the file's line ends, if all of its own are `\n`. */
function adoptLineEnds(before: string, content: string): string {
  return detectLineEnd(splitLines(before)) === '\r\n' ? content.replaceAll(/\r?\n/g, '\r\n') : content;
}
