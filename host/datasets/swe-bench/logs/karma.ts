import type { ReadLog, Statuses } from './status.ts';

/**
 * Karma's tree of suites and tests: `✔ name` and `✖ name` below lines that are indented less, after the browser was
 * started and before the summary. A name is that of its suites and its own, with ` > ` between.
 */
export const karma: ReadLog = (log) => {
  const found: Statuses = new Map();
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
