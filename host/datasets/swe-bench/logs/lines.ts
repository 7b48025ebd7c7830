import { byLines, failuresOnly, oneLine, type ReadLog, type Statuses } from './status.ts';

/** Runners whose logs say all about a test in one line. */
export const lineLogs = {
  goTest: byLines({
    pattern: /^\s*--- (?<word>PASS|FAIL|SKIP): (?<name>.+) \(.+\)$/,
    words: { PASS: 'PASSED', FAIL: 'FAILED', SKIP: 'SKIPPED' },
  }),
  cargo: byLines({
    pattern: /^test\s+(?<name>\S+)\s+\.\.\.\s+(?<word>\w+)$/,
    words: { ok: 'PASSED', FAILED: 'FAILED' },
  }),
  googleTest: byLines({
    pattern: /^.*\[\s*(?<word>OK|FAILED)\s*\]\s(?<name>.*)\s\(.*\)$/,
    words: { OK: 'PASSED', FAILED: 'FAILED' },
  }),
  redis: byLines({
    pattern: /^\s*\[(?<word>ok|err|skip|ignore)\]:\s(?<name>.+?)(?:\s\(\d+\s*m?s\))?$/,
    words: { ok: 'PASSED', err: 'FAILED', skip: 'SKIPPED', ignore: 'SKIPPED' },
    name: (name, word) => (word === 'err' ? name.replace(/\s+in\s+\S+$/, '') : name),
  }),
  jq: byLines({
    pattern: /^\s*(?<word>PASS|FAIL):\s(?<name>.+)$/,
    words: { PASS: 'PASSED', FAIL: 'FAILED' },
  }),
  microPython: byLines({
    pattern: /^\s*(?<word>pass|FAIL|skip)\s+(?<name>.+)$/,
    words: { pass: 'PASSED', FAIL: 'FAILED', skip: 'SKIPPED' },
  }),
  minitest: byLines({
    pattern: /^\s*(?<name>.+)\. .*=.*(?<word>[.FE]).*$/,
    words: { '.': 'PASSED', F: 'FAILED', E: 'FAILED' },
  }),
  cucumber: byLines({
    pattern: /^\s*(?<name>.*) \.+(?<word>[.F])/,
    words: { '.': 'PASSED', F: 'FAILED' },
  }),
  rubyUnit: byLines({
    pattern: /^\s*(?:test: )?(?<name>.+):\s+(?<word>\.|E\b|F\b|O\b)/,
    words: { '.': 'PASSED', E: 'FAILED', F: 'FAILED', O: 'SKIPPED' },
  }),
  rspec: byLines({
    pattern: /^\s*(?<name>.+) - (?<word>passed|failed)/,
    words: { passed: 'PASSED', failed: 'FAILED' },
  }),
  jest: byLines({
    pattern: /^\s*(?<word>[✓✕○])\s(?<name>.+?)(?:\s\(\d+\s*m?s\))?$/,
    words: { '✓': 'PASSED', '✕': 'FAILED', '○': 'SKIPPED' },
    name: (name) => name.trim(),
  }),
  jestJson: byLines({
    pattern: /^\s*\[(?<word>PASSED|FAILED)\]\s(?<name>.+)$/,
    words: { PASSED: 'PASSED', FAILED: 'FAILED' },
  }),
  vitest: byLines({
    pattern: /^\s*(?<word>[✓×↓])\s(?<name>.+?)(?:\s(?:\d+\s*m?s?|\[skipped\]))?$/,
    words: { '✓': 'PASSED', '×': 'FAILED', '↓': 'SKIPPED' },
  }),
  tap: byLines({
    pattern: /^\s*(?<word>ok|not ok) \d+ (?<name>.+)$/,
    words: { ok: 'PASSED', 'not ok': 'FAILED' },
  }),
  /** Jest without names of tests: `PASS path/to.test.js (5.1s)`, by file. */
  jestFiles: byLines({
    pattern: /^(?<word>PASS|FAIL)\s(?<name>.*?)(?:\s\([\d.]+\s?m?s\))?$/,
    words: { PASS: 'PASSED', FAIL: 'FAILED' },
  }),
  seaborn: byLines(
    { pattern: /^(?<word>FAILED|PASSED) (?<name>\S+)/, words: { FAILED: 'FAILED', PASSED: 'PASSED' } },
    { pattern: /^(?<name>\S+) (?<word>PASSED) /, words: { PASSED: 'PASSED' } },
  ),
  karmaFailures: failuresOnly(/Chrome\s[\d.]+[^\S\r\n]\(.+?\)[^\S\r\n](.*)FAILED$/gm),
  numberedFailures: failuresOnly(/^\d+\)\s(.*)/gm, (name) => name.trim()),
  eslintFailures: failuresOnly(/\s{2}\d+\)([\s\S]*?)\s+(?:.*)Error/g, oneLine),
} satisfies Record<string, ReadLog>;

/** PHPUnit with `--testdox`: tests below the name of their suite. */
export const phpUnit: ReadLog = (log) => {
  const words = { '✔': 'PASSED', '✘': 'FAILED', '↩': 'SKIPPED' } as const;
  const found: Statuses = new Map();
  let suite = '';
  for (const line of log.split('\n')) {
    suite = /^(\w.+) \(.+\)$/.exec(line)?.[1] ?? suite;
    const [, word, name] = /^\s*([✔✘↩])\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined) found.set(`${suite} > ${name}`, words[word as keyof typeof words]);
  }
  return found;
};
