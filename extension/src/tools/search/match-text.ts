import { clip } from '../../../../bridge/text/index.ts';
import { clipAround } from '../../lib/index.ts';

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
interface RipgrepEvent {
  readonly type: string;
  readonly data: {
    readonly path: FoundText | null;
    readonly lines: FoundText;
    readonly line_number: number | null;
    readonly submatches?: readonly { readonly start: number }[];
  };
}
/** Maximum UTF-16 code units of a line. */
const maxLineLength = 2000;

type FoundText = { readonly text: string } | { readonly bytes: string };

/**
 * Reads one line of `rg --json`; returns several lines if a match spans them, and none for irrelevant output.
 * @param input the path of the searched document, if it was passed on standard input
 */
export function parseFoundLine(json: string, input?: string): FoundLine[] {
  const { type, data } = JSON.parse(json) as RipgrepEvent;
  if (type !== 'match' && type !== 'context') return [];
  const first = data.line_number;
  if (first === null) return [];
  const path = input ?? (data.path ? decodeFoundText(data.path) : '');
  const lines = decodeFoundText(data.lines)
    .replace(/\r?\n$/, '')
    .split(/\r?\n/);
  const offset = data.submatches?.[0]?.start ?? 0;
  const column = cutTextBefore(data.lines, offset).length + 1;
  return lines.map((text, i) => ({
    kind: type,
    path,
    line: first + i,
    column: i === 0 ? column : 1,
    text:
      i === 0 && type === 'match' ? clipAround(text, column - 1, maxLineLength) : clip(text, maxLineLength),
  }));
}

function decodeFoundText(value: FoundText): string {
  return 'text' in value ? value.text : Buffer.from(value.bytes, 'base64').toString('latin1');
}

/** @param offset in bytes */
function cutTextBefore(value: FoundText, offset: number): string {
  return 'text' in value
    ? Buffer.from(value.text).subarray(0, offset).toString('utf8')
    : decodeFoundText(value).slice(0, offset);
}

/**
 * The score of a path for a query whose letters have to occur in order, ignoring case; undefined if they don't. Letters
 * that follow each other, begin words, or are in the file's name score higher, and a short path higher than a long one.
 */
export function scoreFuzzy(query: string, path: string): number | undefined {
  const wanted = [...query.toLowerCase().replaceAll(/[\s\\]+/g, '')];
  const text = path.toLowerCase();
  const nameAt = path.lastIndexOf('/') + 1;
  // From the end, so that letters are found in the file's name first.
  const places: number[] = [];
  let from = text.length;
  for (const letter of wanted.toReversed()) {
    from = from === 0 ? -1 : text.lastIndexOf(letter, from - 1);
    if (from < 0) return undefined;
    places.unshift(from);
  }
  const name = text.slice(nameAt);
  const exact =
    name === query.toLowerCase()
      ? 200
      : name.includes(query.toLowerCase())
        ? 100
        : text.includes(query.toLowerCase())
          ? 50
          : 0;
  const letters = places.map((at, i) => {
    const follows = i > 0 && places[i - 1] === at - 1 ? 6 : 0;
    const begins = beginsWord(path, at) ? 5 : 0;
    return 1 + follows + begins + (at >= nameAt ? 3 : 0);
  });
  return exact + letters.reduce((sum, one) => sum + one, 0) - path.length / 100;
}

function beginsWord(path: string, at: number): boolean {
  const [before = '/', letter = ''] = [path[at - 1], path[at]];
  return /[/_.\-\s]/.test(before) || (/[a-z]/.test(before) && /[A-Z]/.test(letter));
}

/** Stop words: they say nothing about code. */
const stopWords = new Set(
  'a an and are as at be by can code do does file files find for from function get has have how i in is it of on or that the there this to use used uses was what when where which who why will with'.split(
    ' ',
  ),
);

/** The words of a question to search for; names are also searched by their parts. */
export function extractKeywords(query: string): string[] {
  const words = query.split(/[^\p{L}\p{N}_$]+/u).filter((word) => word.length > 1);
  const telling = words.filter((word) => !stopWords.has(word.toLowerCase()));
  const chosen = telling.length > 0 ? telling : words;
  const parts = chosen.flatMap((word) => [word, ...splitNameParts(word)]);
  return [...new Set(parts.map((word) => word.toLowerCase()))].slice(0, 20);
}

/** `parseUserName` has parse, user, name; so has parse_user_name. */
function splitNameParts(word: string): string[] {
  const parts = word.split(/_+|(?<=[a-z0-9])(?=[A-Z])/).filter((part) => part.length > 2);
  return parts.length > 1 ? parts : [];
}

/** A line that defines something, in most languages. */
const definitionPattern =
  /^\s*(export|default|public|private|protected|static|abstract|async|final|pub|unsafe|\s)*(class|interface|type|enum|struct|trait|impl|def|fn|func|function|const|let|var|module|namespace|package|sub|object)\b/;

export function isDefinition(line: string): boolean {
  return definitionPattern.test(line);
}
