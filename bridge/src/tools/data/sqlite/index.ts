import { relative } from 'node:path';
import { clipEnd } from '../../../../lib/index.ts';
import {
  dataTools,
  toolError,
  type Tool,
  type ToolInput,
  type ToolOutput,
} from '../../../../protocol/index.ts';
import type { ToolContext, ToolHandlers } from '../../../../rpc/index.ts';
import { places } from '../../../config.ts';
import { fileInWorkspace } from '../../place.ts';
import { runProgram } from '../../program.ts';
import { describedBy } from './descriptions.ts';
import { sqliteAnswer, sqliteProgram, type SqliteRequest } from './request.ts';

export { sqliteMain } from './program.ts';
export { sqliteProgram } from './request.ts';

type Work = SqliteRequest['work'];
type Schema = ToolOutput<typeof dataTools.sqliteSchema>;
type Table = Schema['tables'][number];

/** Maximum bytes of the program's answer: more than its own bounds allow. */
const MAX_ANSWER = 16 * 1024 * 1024;

/** Adds SQLite. Each call is a process of this bundle: that is the only way to stop an endless statement. */
export function addSqlite(handlers: ToolHandlers): ToolHandlers {
  return handlers
    .add(dataTools.sqliteSchema, schema)
    .add(dataTools.sqliteQuery, async (input, { signal }) => {
      const { path, sql, parameters, limit } = input;
      const work = { kind: 'read', sql, parameters: parameters.map(bound), limit } as const;
      return timed(() => ask<typeof dataTools.sqliteQuery>(path, work, input.timeout_ms, signal));
    })
    .add(dataTools.sqliteExecute, async (input, { signal }) => {
      const { path, sql, parameters, create } = input;
      const work = { kind: 'write', sql, parameters: parameters.map(bound), limit: 1000 } as const;
      return timed(() => ask<typeof dataTools.sqliteExecute>(path, work, input.timeout_ms, signal, create));
    });
}

async function schema(
  { path, tables, timeout_ms: ms }: ToolInput<typeof dataTools.sqliteSchema>,
  { signal }: ToolContext,
): Promise<Schema> {
  const work = { kind: 'schema', tables } as const;
  const found = await ask<typeof dataTools.sqliteSchema>(path, work, ms, signal);
  const real = await fileInWorkspace(path);
  const described = new Set<string>();
  const all: Table[] = [];
  for (const table of found.tables) all.push(await withDescriptions(real, table, described));
  return { ...found, path: shown(real), tables: all, described_by: [...described] };
}

async function withDescriptions(database: string, table: Table, sources: Set<string>): Promise<Table> {
  const known = await describedBy(database, table.name);
  if (known) sources.add(shown(known.path));
  const columns = table.columns.map((column) => ({
    ...column,
    ...(known?.columns.get(column.name.toLowerCase()) ?? { description: null, values: null }),
  }));
  return { ...table, columns };
}

/** The program's answer is checked against the tool's descriptor, like any result of it. */
async function ask<T extends Tool>(
  given: string,
  work: Work,
  timeoutMs: number,
  signal: AbortSignal,
  create = false,
): Promise<ToolOutput<T>> {
  const path = await fileInWorkspace(given, create);
  const [, bundle = ''] = process.argv;
  const { code, stdout, stderr } = await runProgram(
    'the statement',
    [
      process.execPath,
      '--max-old-space-size=512',
      '--disable-sigusr1',
      '--no-warnings',
      bundle,
      sqliteProgram,
    ],
    {
      input: JSON.stringify({ path, work }),
      env: {},
      cwd: places.workspace,
      timeoutMs,
      maxBytes: MAX_ANSWER,
    },
    signal,
  );
  if (code !== 0) throw toolError('failed', `${given}: SQLite's process ended: ${clipEnd(stderr, 2000)}`);
  const answer = sqliteAnswer.parse(JSON.parse(stdout));
  if ('result' in answer) return answer.result as ToolOutput<T>;
  throw toolError(answer.failed, `${given}: ${answer.message}`, helpFor(answer.failed));
}

function helpFor(reason: string): { help?: string } {
  if (reason === 'read-only')
    return { help: 'Changes are made by sqlite_execute; other files are not attached' };
  if (reason === 'bad-arguments') return { help: 'Give one statement, and a value for each ? of it' };
  if (reason === 'not-found') return { help: 'Leave tables out for all of them' };
  if (reason === 'guarded') return { help: 'Each call is a transaction of its own, in its own file' };
  return {};
}

async function timed<T extends object>(work: () => Promise<T>): Promise<T & { duration_ms: number }> {
  const began = performance.now();
  return { ...(await work()), duration_ms: performance.now() - began };
}

function bound(value: null | number | string | boolean): null | number | string {
  return typeof value === 'boolean' ? Number(value) : value;
}

function shown(path: string): string {
  return relative(places.workspace, path);
}
