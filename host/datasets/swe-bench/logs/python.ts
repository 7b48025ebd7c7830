import type { ReadLog, Status, Statuses } from './status.ts';

const endings: readonly (readonly [RegExp, Status])[] = [
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
export const djangoRunner: ReadLog = (log) => {
  const found: Statuses = new Map();
  let last: string | undefined;
  for (const raw of log.split('\n')) {
    const line = raw.trim();
    if (line.includes('--version is equivalent to version'))
      found.set('--version is equivalent to version', 'PASSED');
    if (line.includes(' ... ')) last = line.split(' ... ')[0];
    for (const [pattern, status] of endings) {
      const name = pattern.exec(line)?.[1];
      if (name !== undefined) found.set(afterMigration(name), status);
    }
    if (line.startsWith('ok') && last !== undefined) found.set(last, 'PASSED');
  }
  return found;
};

/** One test of the records runs a migration, whose message precedes its name. */
function afterMigration(name: string): string {
  return name.startsWith('Applying sites.0002_alter_domain_unique...')
    ? name.slice(name.indexOf('...') + 3).trim()
    : name;
}

/** SymPy's own runner: `test_name ok`, and a heading `____ path.py:test_name ____` for each that failed. */
export const sympyRunner: ReadLog = (log) => {
  const headings = [...log.matchAll(/_* (.*)\.py:(.*) _*/g)];
  const found: Statuses = new Map(
    headings.map(([, file, test]) => [`${file ?? ''}.py:${test ?? ''}`, 'FAILED']),
  );
  const marks: Readonly<Record<string, Status>> = { E: 'ERROR', F: 'FAILED', ok: 'PASSED' };
  for (const line of log.split('\n')) {
    const [name, ...rest] = line.trim().split(/\s+/);
    const status = marks[rest.at(-1) ?? ''];
    if (name?.startsWith('test_') && status) found.set(name, status);
  }
  return found;
};
