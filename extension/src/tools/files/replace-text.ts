import { toolError } from '../../../../bridge/protocol/index.ts';
import type { Replacement } from '../../lib/index.ts';

/** Maximum number of places that an error names. */
const named = 10;

/**
 * Replaces a piece of text that occurs in a text once, or every occurrence. A line end in it matches any kind. Errors:
 * `no-match`, `ambiguous-match`.
 */
export function textReplacements(
  text: string,
  { old, instead, all, name }: { old: string; instead: string; all: boolean; name: string },
): Replacement[] {
  const pattern = new RegExp(
    old
      .split(/\r\n|\n|\r/)
      .map(escaped)
      .join('(?:\\r\\n|\\n|\\r)'),
    'g',
  );
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) throw noMatch(text, old, name);
  if (found.length > 1 && !all) {
    const lines = found.slice(0, named).map(({ index }) => lineAt(text, index));
    throw toolError(
      'ambiguous-match',
      `${name} has this text ${found.length} times: at lines ${lines.join(', ')}`,
      {
        help: 'Give more of the lines around the one that is meant, or set replace_all',
      },
    );
  }
  const written = instead.replaceAll(/\r\n|\n|\r/g, lineEndOf(text));
  return found.map(({ index, 0: match }) => ({ start: index, end: index + match.length, text: written }));
}

function lineEndOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split(/\r\n|\n|\r/).length;
}

/** If only white space differs, the help text says so. */
function noMatch(text: string, old: string, name: string): Error {
  const words = old
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');
  const loose = words.length === 0 ? null : new RegExp(words.map(escaped).join('\\s+')).exec(text);
  const help = loose
    ? `At line ${lineAt(text, loose.index)} is the same text except for white space`
    : 'Read the file: the text must match it exactly';
  return toolError('no-match', `${name} does not have this text`, { help });
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
