import { byLines, type ReadLog, type Statuses } from './status.ts';

/**
 * Maven, run once for each test, since it does not print the tests that pass: the results follow the commands in the same
 * order, though not always each after its own.
 */
export const mavenRuns: ReadLog = (log) => {
  const tests: string[] = [];
  const results: string[] = [];
  for (const line of log.split('\n')) {
    const test = /-Dtest=(\S+)/.exec(line)?.[1];
    if (test !== undefined) tests.push(test);
    const result = /BUILD (SUCCESS|FAILURE)\s*$/.exec(line)?.[1];
    if (result !== undefined) results.push(result);
  }
  const found: Statuses = new Map();
  tests.slice(0, results.length).forEach((test, index) => {
    found.set(test, results[index] === 'SUCCESS' ? 'PASSED' : 'FAILED');
  });
  return found;
};

export const ant = byLines({
  pattern: /^\s*\[junit\]\s+\[(?<word>PASS|FAIL|ERR)\]\s+(?<name>.*)$/,
  words: { PASS: 'PASSED', FAIL: 'FAILED', ERR: 'FAILED' },
});

/** Gradle: `Class > test PASSED`, or the status on the next line. */
export const gradle: ReadLog = (log) => {
  const found: Statuses = new Map();
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
