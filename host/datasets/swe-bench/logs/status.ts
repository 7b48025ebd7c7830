/** A test's status in a log, in the words of the owners' harness. */
export type Status = 'PASSED' | 'FAILED' | 'SKIPPED' | 'ERROR' | 'XFAIL';

/** By the name of the test. */
export type Statuses = Map<string, Status>;

export type ReadLog = (log: string) => Statuses;

/** How one kind of line is read: a pattern with the groups `name` and `word`, and the status for each word. */
export interface LineRule {
  readonly pattern: RegExp;
  readonly words: Readonly<Record<string, Status>>;
  /** Makes the name; default: as it is in the line. */
  readonly name?: (name: string, word: string) => string;
}

/** Reads a log line by line, the first rule that fits a line. Of several lines on one test the last counts. */
export function byLines(...rules: readonly LineRule[]): ReadLog {
  return (log) => {
    const found: Statuses = new Map();
    for (const line of log.split('\n')) {
      for (const rule of rules) if (takes(rule, line.trimEnd(), found)) break;
    }
    return found;
  };
}

function takes(
  { pattern, words, name: named = (name) => name }: LineRule,
  line: string,
  found: Statuses,
): boolean {
  const { name, word } = pattern.exec(line)?.groups ?? {};
  if (name === undefined || word === undefined) return false;
  const status = words[word];
  if (status === undefined) return false;
  found.set(named(name, word), status);
  return true;
}

/**
 * Every match of the pattern is a test that failed; tests that pass are not in such logs.
 * @param named makes the name of what was matched; default: as it is, with the space at its end that some records have
 */
export function failuresOnly(pattern: RegExp, named: (found: string) => string = (found) => found): ReadLog {
  return (log) => {
    const names = [...withoutColours(log).matchAll(pattern)].map(([, name]) => name);
    return new Map(names.flatMap((name) => (name === undefined ? [] : [[named(name), 'FAILED']])));
  };
}

export function withoutColours(text: string): string {
  return text.replaceAll(/\x1b\[[0-9;]*[A-Za-z]/g, '');
}

/** Lines that were broken, as one. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
