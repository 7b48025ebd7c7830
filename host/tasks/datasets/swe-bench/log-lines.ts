/** A test's status in a log, in the words of the owners' harness. */
export type LogStatus = 'PASSED' | 'FAILED' | 'SKIPPED' | 'ERROR' | 'XFAIL';

/** By the name of the test. */
export type LogStatuses = Map<string, LogStatus>;

export type LogReader = (log: string) => LogStatuses;

/** How one kind of line is read: a pattern with the groups `name` and `word`, and the status for each word. */
interface LogLineRule {
  readonly pattern: RegExp;
  readonly words: Readonly<Record<string, LogStatus>>;
  /** Makes the name; default: as it is in the line. */
  readonly name?: (name: string, word: string) => string;
}

/** Reads a log line by line, the first rule that fits a line. Of several lines on one test the last counts. */
export function readByLines(...rules: readonly LogLineRule[]): LogReader {
  return (log) => {
    const found: LogStatuses = new Map();
    for (const line of log.split('\n')) {
      for (const rule of rules) if (applyRule(rule, line.trimEnd(), found)) break;
    }
    return found;
  };
}

function applyRule(
  { pattern, words, name: named = (name) => name }: LogLineRule,
  line: string,
  found: LogStatuses,
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
function readFailuresOnly(pattern: RegExp, named: (found: string) => string = (found) => found): LogReader {
  return (log) => {
    const names = [...withoutColours(log).matchAll(pattern)].map(([, name]) => name);
    return new Map(names.flatMap((name) => (name === undefined ? [] : [[named(name), 'FAILED']])));
  };
}

export function withoutColours(text: string): string {
  return text.replaceAll(/\x1b\[[0-9;]*[A-Za-z]/g, '');
}

/** Lines that were broken, as one. */
function joinLines(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Runners whose logs say all about a test in one line. */
export const lineLogs = {
  goTest: readByLines({
    pattern: /^\s*--- (?<word>PASS|FAIL|SKIP): (?<name>.+) \(.+\)$/,
    words: { PASS: 'PASSED', FAIL: 'FAILED', SKIP: 'SKIPPED' },
  }),
  cargo: readByLines({
    pattern: /^test\s+(?<name>\S+)\s+\.\.\.\s+(?<word>\w+)$/,
    words: { ok: 'PASSED', FAILED: 'FAILED' },
  }),
  googleTest: readByLines({
    pattern: /^.*\[\s*(?<word>OK|FAILED)\s*\]\s(?<name>.*)\s\(.*\)$/,
    words: { OK: 'PASSED', FAILED: 'FAILED' },
  }),
  redis: readByLines({
    pattern: /^\s*\[(?<word>ok|err|skip|ignore)\]:\s(?<name>.+?)(?:\s\(\d+\s*m?s\))?$/,
    words: { ok: 'PASSED', err: 'FAILED', skip: 'SKIPPED', ignore: 'SKIPPED' },
    name: (name, word) => (word === 'err' ? name.replace(/\s+in\s+\S+$/, '') : name),
  }),
  jq: readByLines({
    pattern: /^\s*(?<word>PASS|FAIL):\s(?<name>.+)$/,
    words: { PASS: 'PASSED', FAIL: 'FAILED' },
  }),
  microPython: readByLines({
    pattern: /^\s*(?<word>pass|FAIL|skip)\s+(?<name>.+)$/,
    words: { pass: 'PASSED', FAIL: 'FAILED', skip: 'SKIPPED' },
  }),
  minitest: readByLines({
    pattern: /^\s*(?<name>.+)\. .*=.*(?<word>[.FE]).*$/,
    words: { '.': 'PASSED', F: 'FAILED', E: 'FAILED' },
  }),
  cucumber: readByLines({
    pattern: /^\s*(?<name>.*) \.+(?<word>[.F])/,
    words: { '.': 'PASSED', F: 'FAILED' },
  }),
  rubyUnit: readByLines({
    pattern: /^\s*(?:test: )?(?<name>.+):\s+(?<word>\.|E\b|F\b|O\b)/,
    words: { '.': 'PASSED', E: 'FAILED', F: 'FAILED', O: 'SKIPPED' },
  }),
  rspec: readByLines({
    pattern: /^\s*(?<name>.+) - (?<word>passed|failed)/,
    words: { passed: 'PASSED', failed: 'FAILED' },
  }),
  jest: readByLines({
    pattern: /^\s*(?<word>[✓✕○])\s(?<name>.+?)(?:\s\(\d+\s*m?s\))?$/,
    words: { '✓': 'PASSED', '✕': 'FAILED', '○': 'SKIPPED' },
    name: (name) => name.trim(),
  }),
  jestJson: readByLines({
    pattern: /^\s*\[(?<word>PASSED|FAILED)\]\s(?<name>.+)$/,
    words: { PASSED: 'PASSED', FAILED: 'FAILED' },
  }),
  vitest: readByLines({
    pattern: /^\s*(?<word>[✓×↓])\s(?<name>.+?)(?:\s(?:\d+\s*m?s?|\[skipped\]))?$/,
    words: { '✓': 'PASSED', '×': 'FAILED', '↓': 'SKIPPED' },
  }),
  tap: readByLines({
    pattern: /^\s*(?<word>ok|not ok) \d+ (?<name>.+)$/,
    words: { ok: 'PASSED', 'not ok': 'FAILED' },
  }),
  /** Jest without names of tests: `PASS path/to.test.js (5.1s)`, by file. */
  jestFiles: readByLines({
    pattern: /^(?<word>PASS|FAIL)\s(?<name>.*?)(?:\s\([\d.]+\s?m?s\))?$/,
    words: { PASS: 'PASSED', FAIL: 'FAILED' },
  }),
  seaborn: readByLines(
    { pattern: /^(?<word>FAILED|PASSED) (?<name>\S+)/, words: { FAILED: 'FAILED', PASSED: 'PASSED' } },
    { pattern: /^(?<name>\S+) (?<word>PASSED) /, words: { PASSED: 'PASSED' } },
  ),
  karmaFailures: readFailuresOnly(/Chrome\s[\d.]+[^\S\r\n]\(.+?\)[^\S\r\n](.*)FAILED$/gm),
  numberedFailures: readFailuresOnly(/^\d+\)\s(.*)/gm, (name) => name.trim()),
  eslintFailures: readFailuresOnly(/\s{2}\d+\)([\s\S]*?)\s+(?:.*)Error/g, joinLines),
} satisfies Record<string, LogReader>;

/** PHPUnit with `--testdox`: tests below the name of their suite. */
export const phpUnitLog: LogReader = (log) => {
  const words = { '✔': 'PASSED', '✘': 'FAILED', '↩': 'SKIPPED' } as const;
  const found: LogStatuses = new Map();
  let suite = '';
  for (const line of log.split('\n')) {
    suite = /^(\w.+) \(.+\)$/.exec(line)?.[1] ?? suite;
    const [, word, name] = /^\s*([✔✘↩])\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined) found.set(`${suite} > ${name}`, words[word as keyof typeof words]);
  }
  return found;
};
