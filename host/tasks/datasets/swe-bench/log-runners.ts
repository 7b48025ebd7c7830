import {
  type LogReader,
  type LogStatus,
  type LogStatuses,
  readByLines,
  withoutColours,
} from './log-lines.ts';

const statusWords = ['FAILED', 'PASSED', 'SKIPPED', 'ERROR', 'XFAIL'] as const satisfies readonly LogStatus[];

/** How the names in a summary of pytest's are taken into the records of a repository. */
interface NameOptions {
  /** The whole rest of the line, not its first word alone. */
  readonly whole?: boolean;
  /** A parameter that is a path counts by its last part. */
  readonly shortOptions?: boolean;
  /** Words that the owners replaced, since versions of Python write them differently. */
  readonly replaced?: Readonly<Record<string, string>>;
}

/** Reads the summary that `pytest -rA` prints: `PASSED tests/test_a.py::test_b`. */
export function readPytestSummary(naming: NameOptions = {}): LogReader {
  return (log) => {
    const found: LogStatuses = new Map();
    for (const raw of log.split('\n')) {
      const line = replaceWords(naming.whole ? withoutControls(raw) : raw, naming.replaced ?? {});
      const [name, status] = readLeadingStatus(line, naming) ?? readTrailingStatus(line, naming) ?? [];
      if (name !== undefined && status !== undefined) found.set(name, status);
    }
    return found;
  };
}

function readLeadingStatus(
  line: string,
  { whole = false, shortOptions = false }: NameOptions,
): [string, LogStatus] | undefined {
  const status = statusWords.find((word) => line.startsWith(word));
  if (!status) return undefined;
  const text = status === 'FAILED' ? withoutReason(line, whole) : line;
  const [first, ...rest] = text.trim().split(/\s+/);
  const [name] = rest;
  // A line that begins with a longer word is about something else, and `SKIPPED [2]` counts tests that it does not name.
  if (first !== status || name === undefined || (status === 'SKIPPED' && /^\[\d+\]$/.test(name)))
    return undefined;
  if (whole) return [rest.join(' '), status];
  return [shortOptions ? shortenOption(name) : name, status];
}

/** Older versions of pytest print the status at the end of the line. */
function readTrailingStatus(line: string, { whole = false }: NameOptions): [string, LogStatus] | undefined {
  const parts = line.trim().split(/\s+/);
  const status = statusWords.find((word) => word === parts.at(-1));
  return whole && status && parts.length > 1 ? [parts.slice(0, -1).join(' '), status] : undefined;
}

function withoutReason(line: string, whole: boolean): string {
  return whole ? (line.split(' - ')[0] ?? line) : line.replaceAll(' - ', ' ');
}

function withoutControls(line: string): string {
  return withoutColours(line).replaceAll(/\[\d+m|[\x01-\x1f]/g, '');
}

function replaceWords(line: string, by: Readonly<Record<string, string>>): string {
  return Object.entries(by).reduce((text, [from, to]) => text.replaceAll(from, to), line);
}

function shortenOption(name: string): string {
  const [, test, option] = /^(.*?)\[(.*)\]/.exec(name) ?? [];
  if (test === undefined || option === undefined) return name;
  const isPath = option.startsWith('/') && !option.startsWith('//') && !option.includes('*');
  return isPath ? `${test}[/${option.split('/').at(-1) ?? ''}]` : `${test}[${option}]`;
}

const djangoEndings: readonly (readonly [RegExp, LogStatus])[] = [
  [/^(.*) \.\.\. {1,2}(?:ok|OK)$/, 'PASSED'],
  [/^(.*?) \.\.\. skipped/, 'SKIPPED'],
  [/^(.*?) \.\.\. FAIL$/, 'FAILED'],
  [/^FAIL: (\S+)/, 'FAILED'],
  [/^(.*?) \.\.\. ERROR$/, 'ERROR'],
  [/^ERROR: (\S+)/, 'ERROR'],
];

/**
 * Django's own runner, which writes `test (module.Class) ... ok`. What a test prints comes between the dots and the `ok`,
 * on lines of its own.
 */
export const readDjangoLog: LogReader = (log) => {
  const found: LogStatuses = new Map();
  let last: string | undefined;
  for (const raw of log.split('\n')) {
    const line = raw.trim();
    if (line.includes('--version is equivalent to version'))
      found.set('--version is equivalent to version', 'PASSED');
    if (line.includes(' ... ')) last = line.split(' ... ')[0];
    for (const [pattern, status] of djangoEndings) {
      const name = pattern.exec(line)?.[1];
      if (name !== undefined) found.set(withoutMigration(name), status);
    }
    if (line.startsWith('ok') && last !== undefined) found.set(last, 'PASSED');
  }
  return found;
};

/** One test of the records runs a migration, whose message precedes its name. */
function withoutMigration(name: string): string {
  return name.startsWith('Applying sites.0002_alter_domain_unique...')
    ? name.slice(name.indexOf('...') + 3).trim()
    : name;
}

/** SymPy's own runner: `test_name ok`, and a heading `____ path.py:test_name ____` for each that failed. */
export const readSympyLog: LogReader = (log) => {
  const headings = [...log.matchAll(/_* (.*)\.py:(.*) _*/g)];
  const found: LogStatuses = new Map(
    headings.map(([, file, test]) => [`${file ?? ''}.py:${test ?? ''}`, 'FAILED']),
  );
  const marks: Readonly<Record<string, LogStatus>> = { E: 'ERROR', F: 'FAILED', ok: 'PASSED' };
  for (const line of log.split('\n')) {
    const [name, ...rest] = line.trim().split(/\s+/);
    const status = marks[rest.at(-1) ?? ''];
    if (name?.startsWith('test_') && status) found.set(name, status);
  }
  return found;
};

/**
 * Maven, run once for each test, since it does not print the tests that pass: the results follow the commands in the same
 * order, though not always each after its own.
 */
export const readMavenLog: LogReader = (log) => {
  const tests: string[] = [];
  const results: string[] = [];
  for (const line of log.split('\n')) {
    const test = /-Dtest=(\S+)/.exec(line)?.[1];
    if (test !== undefined) tests.push(test);
    const result = /BUILD (SUCCESS|FAILURE)\s*$/.exec(line)?.[1];
    if (result !== undefined) results.push(result);
  }
  const found: LogStatuses = new Map();
  tests.slice(0, results.length).forEach((test, index) => {
    found.set(test, results[index] === 'SUCCESS' ? 'PASSED' : 'FAILED');
  });
  return found;
};

export const readAntLog = readByLines({
  pattern: /^\s*\[junit\]\s+\[(?<word>PASS|FAIL|ERR)\]\s+(?<name>.*)$/,
  words: { PASS: 'PASSED', FAIL: 'FAILED', ERR: 'FAILED' },
});

/** Gradle: `Class > test PASSED`, or the status on the next line. */
export const readGradleLog: LogReader = (log) => {
  const found: LogStatuses = new Map();
  let waiting: string | undefined;
  for (const raw of log.split('\n')) {
    const line = raw.trim();
    const [, name, word] = /^(?:([^>].+)\s+)?(PASSED|FAILED)$/.exec(line) ?? [];
    const test = name ?? waiting;
    if (word !== undefined && test !== undefined) found.set(test, word === 'PASSED' ? 'PASSED' : 'FAILED');
    if (word !== undefined) waiting = undefined;
    else waiting = /^[^>]\S*\s+>\s+\S+$/.test(line) ? line : waiting;
  }
  return found;
};

/**
 * Karma's tree of suites and tests: `✔ name` and `✖ name` below lines that are indented less, after the browser was
 * started and before the summary. A name is that of its suites and its own, with ` > ` between.
 */
export const readKarmaLog: LogReader = (log) => {
  const found: LogStatuses = new Map();
  const suites: string[] = [];
  let depth = -1;
  const lines = log.split('\n');
  const start = lines.findIndex((line) => line.includes('Starting browser'));
  for (const line of start < 0 ? [] : lines.slice(start + 1)) {
    if (line.startsWith('SUMMARY:')) break;
    const [, indent = '', mark, name = ''] = /^(\s*)([✔✖])?\s(.*)$/.exec(line) ?? [];
    if (mark !== undefined) found.set([...suites, name].join(' > '), mark === '✔' ? 'PASSED' : 'FAILED');
    else if (indent.length > 0 && indent.length > depth) suites.push(name);
    else if (indent.length > 0 && indent.length < depth) suites.pop();
    if (mark === undefined && indent.length > 0) depth = indent.length;
  }
  return found;
};
