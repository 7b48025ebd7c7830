import { extname } from 'node:path';
import * as vscode from 'vscode';
import { clip } from '../../../../bridge/lib/index.ts';
import {
  toolError,
  type fileTools,
  type ToolInput,
  type ToolOutput,
} from '../../../../bridge/protocol/index.ts';
import { endOfLineOf, splitLines, type Line } from '../../lib/index.ts';
import { pathText, place } from '../place/index.ts';
import { loadText, versionOf } from '../text/index.ts';

type Read = typeof fileTools.readFile;

/** Limits of an answer, in lines and UTF-16 code units; the descriptor states them to models. */
const most = { lines: 5000, text: 400_000, line: 5000 };

export async function readFile(input: ToolInput<Read>): Promise<ToolOutput<Read>> {
  const where = await place(input.path);
  const { text, encoding, unsaved, document } = await loadText(where);
  const lines = splitLines(text);
  const { first, last } = rangeOf(input, lines.length);
  const wanted = lines.slice(first - 1, last);
  const { shown, cut } = fitting(wanted, input.line_numbers, first);
  const note = notebookNote(where.path);
  return {
    path: pathText(where.path),
    text: shown.join('\n'),
    start_line: shown.length === 0 ? 0 : first,
    end_line: shown.length === 0 ? 0 : first + shown.length - 1,
    total_lines: lines.length,
    truncated: shown.length < wanted.length || cut,
    version: versionOf(text),
    ...(document && { language: document.languageId }),
    encoding,
    end_of_line: endOfLineOf(lines),
    unsaved,
    ...(note !== undefined && { note }),
  };
}

/** The file of a notebook is JSON that includes outputs: cells are changed by another tool. */
function notebookNote(path: string): string | undefined {
  if (extname(path) !== '.ipynb') return undefined;
  const open = vscode.workspace.notebookDocuments.find(({ uri }) => uri.fsPath === path);
  const unsaved =
    open?.isDirty === true ? '; it is open with unsaved changes, which are not in this text' : '';
  return `a notebook: edit_notebook changes its cells${unsaved}`;
}

function rangeOf({ start_line: first = 1, end_line: last }: ToolInput<Read>, total: number) {
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
function fitting(lines: readonly Line[], numbers: boolean, first: number): { shown: string[]; cut: boolean } {
  const shown: string[] = [];
  const longest = lines.length === 1 ? most.text : most.line;
  let room = most.text;
  let cut = false;
  for (const [i, { text }] of lines.slice(0, most.lines).entries()) {
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
