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

/** Limits of an answer; the descriptor states the first to models. */
const most = { lines: 5000, text: 400_000 };

export async function readFile(input: ToolInput<Read>): Promise<ToolOutput<Read>> {
  const where = await place(input.path);
  const { text, encoding, unsaved, document } = await loadText(where);
  const lines = splitLines(text);
  const { first, last } = rangeOf(input, lines.length);
  const wanted = lines.slice(first - 1, last);
  const shown = fitting(wanted, input.line_numbers, first);
  return {
    path: pathText(where.path),
    text: shown.join('\n'),
    start_line: shown.length === 0 ? 0 : first,
    end_line: shown.length === 0 ? 0 : first + shown.length - 1,
    total_lines: lines.length,
    truncated: shown.length < wanted.length || shown.some((line) => line.endsWith(cutMark)),
    version: versionOf(text),
    ...(document && { language: document.languageId }),
    encoding,
    end_of_line: endOfLineOf(lines),
    unsaved,
  };
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

const cutMark = ' … (line cut)';

/** As many whole lines as fit; a line that is too long by itself is cut. */
function fitting(lines: readonly Line[], numbers: boolean, first: number): string[] {
  const shown: string[] = [];
  let room = most.text;
  for (const [i, { text }] of lines.slice(0, most.lines).entries()) {
    const line = numbers ? `${first + i}\t${text}` : text;
    if (line.length > room && shown.length > 0) break;
    shown.push(line.length > room ? clip(line, room) + cutMark : line);
    room -= line.length + 1;
  }
  return shown;
}
