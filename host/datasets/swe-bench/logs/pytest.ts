import { withoutColours, type ReadLog, type Status, type Statuses } from './status.ts';

const words = ['FAILED', 'PASSED', 'SKIPPED', 'ERROR', 'XFAIL'] as const satisfies readonly Status[];

/** How the names in a summary of pytest's are taken into the records of a repository. */
interface Naming {
  /** The whole rest of the line, not its first word alone. */
  readonly whole?: boolean;
  /** A parameter that is a path counts by its last part. */
  readonly shortOptions?: boolean;
  /** Words that the owners replaced, since versions of Python write them differently. */
  readonly replaced?: Readonly<Record<string, string>>;
}

/** Reads the summary that `pytest -rA` prints: `PASSED tests/test_a.py::test_b`. */
export function pytestSummary(naming: Naming = {}): ReadLog {
  return (log) => {
    const found: Statuses = new Map();
    for (const raw of log.split('\n')) {
      const line = replaced(naming.whole ? plain(raw) : raw, naming.replaced ?? {});
      const [name, status] = leading(line, naming) ?? trailing(line, naming) ?? [];
      if (name !== undefined && status !== undefined) found.set(name, status);
    }
    return found;
  };
}

function leading(
  line: string,
  { whole = false, shortOptions = false }: Naming,
): [string, Status] | undefined {
  const status = words.find((word) => line.startsWith(word));
  if (!status) return undefined;
  const text = status === 'FAILED' ? withoutReason(line, whole) : line;
  const [first, ...rest] = text.trim().split(/\s+/);
  const [name] = rest;
  // A line that begins with a longer word is about something else, and `SKIPPED [2]` counts tests that it does not name.
  if (first !== status || name === undefined || (status === 'SKIPPED' && /^\[\d+\]$/.test(name)))
    return undefined;
  if (whole) return [rest.join(' '), status];
  return [shortOptions ? shortOption(name) : name, status];
}

/** Older versions of pytest print the status at the end of the line. */
function trailing(line: string, { whole = false }: Naming): [string, Status] | undefined {
  const parts = line.trim().split(/\s+/);
  const status = words.find((word) => word === parts.at(-1));
  return whole && status && parts.length > 1 ? [parts.slice(0, -1).join(' '), status] : undefined;
}

function withoutReason(line: string, whole: boolean): string {
  return whole ? (line.split(' - ')[0] ?? line) : line.replaceAll(' - ', ' ');
}

function plain(line: string): string {
  return withoutColours(line).replaceAll(/\[\d+m|[\x01-\x1f]/g, '');
}

function replaced(line: string, by: Readonly<Record<string, string>>): string {
  return Object.entries(by).reduce((text, [from, to]) => text.replaceAll(from, to), line);
}

function shortOption(name: string): string {
  const [, test, option] = /^(.*?)\[(.*)\]/.exec(name) ?? [];
  if (test === undefined || option === undefined) return name;
  const isPath = option.startsWith('/') && !option.startsWith('//') && !option.includes('*');
  return isPath ? `${test}[/${option.split('/').at(-1) ?? ''}]` : `${test}[${option}]`;
}
