import { clip, clipAround } from '../../lib/index.ts';

/** A relevant line of ripgrep's JSON output: a match, or a line around one. */
export interface FoundLine {
  readonly kind: 'match' | 'context';
  readonly path: string;
  readonly line: number;
  /** 1 for the first character; 1 for a line around a match. */
  readonly column: number;
  readonly text: string;
}

/** As `rg --json` writes them; text that is not UTF-8 comes as base64. */
interface Event {
  readonly type: string;
  readonly data: {
    readonly path: Text | null;
    readonly lines: Text;
    readonly line_number: number | null;
    readonly submatches?: readonly { readonly start: number }[];
  };
}
/** Maximum UTF-16 code units of a line. */
const longest = 2000;

type Text = { readonly text: string } | { readonly bytes: string };

/**
 * Reads one line of `rg --json`; returns several lines if a match spans them, and none for irrelevant output.
 * @param input the path of the searched document, if it was passed on standard input
 */
export function readFound(json: string, input?: string): FoundLine[] {
  const { type, data } = JSON.parse(json) as Event;
  if (type !== 'match' && type !== 'context') return [];
  const first = data.line_number;
  if (first === null) return [];
  const path = input ?? (data.path ? textOf(data.path) : '');
  const lines = textOf(data.lines)
    .replace(/\r?\n$/, '')
    .split(/\r?\n/);
  const offset = data.submatches?.[0]?.start ?? 0;
  const column = textBefore(data.lines, offset).length + 1;
  return lines.map((text, i) => ({
    kind: type,
    path,
    line: first + i,
    column: i === 0 ? column : 1,
    text: i === 0 && type === 'match' ? clipAround(text, column - 1, longest) : clip(text, longest),
  }));
}

function textOf(value: Text): string {
  return 'text' in value ? value.text : Buffer.from(value.bytes, 'base64').toString('latin1');
}

/** @param offset in bytes */
function textBefore(value: Text, offset: number): string {
  return 'text' in value
    ? Buffer.from(value.text).subarray(0, offset).toString('utf8')
    : textOf(value).slice(0, offset);
}
