import { badData } from '../errors.ts';

/** The contents of a task_description.txt. */
export interface Description {
  /** All that is for the agent, word for word: title, free text, instructions. */
  readonly statement: string;
  readonly difficulty: 'easy' | 'medium' | 'hard';
  readonly category: string;
  readonly tags: readonly string[];
  /** Lower case, e.g. `pytest`; undefined if it is not said. */
  readonly parser: string | undefined;
  readonly author: string | undefined;
  readonly email: string | undefined;
}

const keys = ['author_name', 'author_email', 'difficulty', 'category', 'tags', 'parser_name'] as const;
const keyLine = new RegExp(`^(${keys.join('|')}):(.*)$`);
const head = /^task_description:[ \t]*[|>]?[+-]?[ \t]*(.*)$/;

/**
 * Reads a task_description.txt. It looks like YAML but is not: below `task_description:` all indented lines are the
 * statement, free text included; in the plain form all lines are, except those of known keys. Errors: `bad-data`.
 */
export function readDescription(where: string, text: string): Description {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .split('\n');
  const first = head.exec(lines[0] ?? '');
  const body = first
    ? [first[1] ?? '', ...indented(lines.slice(1))]
    : lines.filter((line) => !keyLine.test(line));
  const statement = dedented(body).trim();
  if (statement === '') throw badData(where, 'expected what is to be done, found no text');
  const values = new Map(lines.flatMap(keyOf));
  const difficulty = values.get('difficulty')?.toLowerCase();
  return {
    statement,
    difficulty: difficulty === 'easy' || difficulty === 'hard' ? difficulty : 'medium',
    category: values.get('category') || 'ide-bench',
    tags: tagsOf(values.get('tags') ?? ''),
    parser: values.get('parser_name')?.replaceAll(/[<>]/g, '').trim().toLowerCase() || undefined,
    author: values.get('author_name') || undefined,
    email: values.get('author_email') || undefined,
  };
}

/** The block ends with the first line that is neither empty nor indented. */
function indented(lines: readonly string[]): string[] {
  const end = lines.findIndex((line) => line.trim() !== '' && !/^(?: {2}|\t)/.test(line));
  return lines.slice(0, end < 0 ? undefined : end);
}

/** Keys begin a line of their own; in a statement they are indented. */
function keyOf(line: string): [string, string][] {
  const [, key, value] = keyLine.exec(line) ?? [];
  return key === undefined ? [] : [[key, (value ?? '').trim()]];
}

function tagsOf(text: string): string[] {
  const parts = text.startsWith('[') ? text.replaceAll(/[[\]]/g, '').split(',') : text.split(/[\s,<>]+/);
  return parts.map((part) => part.trim().replaceAll(/^["']|["']$/g, '')).filter((part) => part !== '');
}

function dedented(lines: readonly string[]): string {
  const widths = lines.filter((line) => /^\s+\S/.test(line)).map((line) => line.search(/\S/));
  const width = Math.min(...widths, 80);
  const cut = new RegExp(`^\\s{0,${Number.isFinite(width) ? width : 0}}`);
  return lines.map((line) => line.replace(cut, '').trimEnd()).join('\n');
}
