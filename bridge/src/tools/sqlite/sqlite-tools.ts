import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { dataTools, type Tool, toolError, type ToolInput, type ToolOutput } from '../../../protocol/index.ts';
import type { ToolContext, ToolHandlers } from '../../../rpc/index.ts';
import { clip, clipEnd } from '../../../text/index.ts';
import { runProgramOnce } from '../../shell.ts';
import { sqliteAnswer, sqliteProgram, type SqliteRequest } from './sqlite-request.ts';

type SqliteWork = SqliteRequest['work'];
type SqliteSchema = ToolOutput<typeof dataTools.sqliteSchema>;
type SqliteTable = SqliteSchema['tables'][number];

/** Maximum bytes of the program's answer: more than its own bounds allow. */
const MAX_ANSWER = 16 * 1024 * 1024;

/**
 * Adds SQLite, for files of a workspace. Each call is a process of this bundle: that is the only way to stop an endless
 * statement.
 */
export function addSqliteTools(handlers: ToolHandlers, workspace: string): ToolHandlers {
  return handlers
    .add(dataTools.sqliteSchema, (input, context) => readDescribedSchema(workspace, input, context))
    .add(dataTools.sqliteQuery, async (input, { signal }) => {
      const { path, sql, parameters, limit } = input;
      const work = { kind: 'read', sql, parameters: parameters.map(bindParameters), limit } as const;
      return withTimeout(() =>
        askProgram<typeof dataTools.sqliteQuery>({ workspace, path }, work, input.timeout_ms, signal),
      );
    })
    .add(dataTools.sqliteExecute, async (input, { signal }) => {
      const { path, sql, parameters, create } = input;
      const work = { kind: 'write', sql, parameters: parameters.map(bindParameters), limit: 1000 } as const;
      return withTimeout(() =>
        askProgram<typeof dataTools.sqliteExecute>(
          { workspace, path, create },
          work,
          input.timeout_ms,
          signal,
        ),
      );
    });
}

async function readDescribedSchema(
  workspace: string,
  { path, tables, timeout_ms: ms }: ToolInput<typeof dataTools.sqliteSchema>,
  { signal }: ToolContext,
): Promise<SqliteSchema> {
  const work = { kind: 'schema', tables } as const;
  const found = await askProgram<typeof dataTools.sqliteSchema>({ workspace, path }, work, ms, signal);
  const real = await fileInWorkspace({ workspace, path });
  const described = new Set<string>();
  const all: SqliteTable[] = [];
  for (const table of found.tables) all.push(await withDescriptions(real, table, described));
  const [shown = '', ...sources] = [real, ...described].map((one) => relative(workspace, one));
  return { ...found, path: shown, tables: all, described_by: sources };
}

async function withDescriptions(
  database: string,
  table: SqliteTable,
  sources: Set<string>,
): Promise<SqliteTable> {
  const known = await readTableDescriptions(database, table.name);
  if (known) sources.add(known.path);
  const columns = table.columns.map((column) => ({
    ...column,
    ...(known?.columns.get(column.name.toLowerCase()) ?? { description: null, values: null }),
  }));
  return { ...table, columns };
}

/** A file as a caller names it. */
interface DatabaseFile {
  readonly workspace: string;
  readonly path: string;
  /** The file may be missing if its folder exists. Default false. */
  readonly create?: boolean;
}

/** The program's answer is checked against the tool's descriptor, like any result of it. */
async function askProgram<T extends Tool>(
  file: DatabaseFile,
  work: SqliteWork,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ToolOutput<T>> {
  const { workspace, path: given } = file;
  const path = await fileInWorkspace(file);
  const [, bundle = ''] = process.argv;
  const { code, stdout, stderr } = await runProgramOnce(
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
      cwd: workspace,
      timeoutMs,
      maxBytes: MAX_ANSWER,
    },
    signal,
  );
  if (code !== 0) throw toolError('failed', `${given}: SQLite's process ended: ${clipEnd(stderr, 2000)}`);
  const answer = sqliteAnswer.parse(JSON.parse(stdout));
  if ('result' in answer) return answer.result as ToolOutput<T>;
  throw toolError(answer.failed, `${given}: ${answer.message}`, suggestHelp(answer.failed));
}

function suggestHelp(reason: string): { help?: string } {
  if (reason === 'read-only')
    return { help: 'Changes are made by sqlite_execute; other files are not attached' };
  if (reason === 'bad-arguments') return { help: 'Give one statement, and a value for each ? of it' };
  if (reason === 'not-found') return { help: 'Leave tables out for all of them' };
  if (reason === 'guarded') return { help: 'Each call is a transaction of its own, in its own file' };
  return {};
}

async function withTimeout<T extends object>(work: () => Promise<T>): Promise<T & { duration_ms: number }> {
  const began = performance.now();
  return { ...(await work()), duration_ms: performance.now() - began };
}

function bindParameters(value: null | number | string | boolean): null | number | string {
  return typeof value === 'boolean' ? Number(value) : value;
}

/** Maximum bytes of one file of descriptions. */
const MAX_BYTES = 1024 * 1024;
const maxDescription = 5000;

interface ColumnDescription {
  readonly description: string | null;
  readonly values: string | null;
}

/** The meanings of one table's columns, by their names in lower case. */
interface TableDescriptions {
  readonly path: string;
  readonly columns: ReadonlyMap<string, ColumnDescription>;
}

/**
 * Reads `database_description/<table>.csv` beside a database, as in BIRD's databases. Undefined if the file is missing.
 * @param database absolute, links resolved
 */
async function readTableDescriptions(
  database: string,
  table: string,
): Promise<TableDescriptions | undefined> {
  const folder = join(dirname(database), 'database_description');
  if (table.includes('/') || table.includes('\0')) return undefined;
  const real = await realpath(join(folder, `${table}.csv`)).catch(() => undefined);
  // A link may lead anywhere.
  if (real === undefined || !real.startsWith(dirname(database) + sep)) return undefined;
  const stats = await stat(real);
  if (!stats.isFile() || stats.size > MAX_BYTES) return undefined;
  const [head = [], ...rows] = parseCsv((await readFile(real, 'utf8')).replace(/^\uFEFF/, ''));
  const at = (name: string) => head.findIndex((one) => one.trim().toLowerCase() === name);
  const places = [at('original_column_name'), at('column_description'), at('value_description')] as const;
  if (places[0] < 0) return undefined;
  const [name, description, values] = places;
  const columns = rows.map(
    (row) =>
      [
        (row[name] ?? '').trim().toLowerCase(),
        { description: readField(row[description]), values: readField(row[values]) },
      ] as const,
  );
  return { path: real, columns: new Map(columns) };
}

function readField(value: string | undefined): string | null {
  const trimmed = value?.trim() ?? '';
  return trimmed === '' ? null : clip(trimmed, maxDescription);
}

/** Rows of a text with comma-separated values (RFC 4180): quoted fields may hold commas, line ends and doubled quotes. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = '', end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"?|([^,\r\n]*))(,|\r?\n|\r|$)/g,
  )) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return rows;
}

/**
 * The file of a caller's path, with links resolved. Errors: `outside-workspace`, also if a link leads out, `not-found`,
 * `not-a-file`.
 */
async function fileInWorkspace({ workspace, path: given, create = false }: DatabaseFile): Promise<string> {
  const root = await realpath(workspace);
  const real = await resolveLinks(resolve(workspace, given), given, create);
  if (real !== root && !real.startsWith(root + sep))
    throw toolError('outside-workspace', `${given} is outside of the workspace ${workspace}`, {
      help: 'Give a path inside it; links that lead out are not followed',
    });
  const stats = await stat(real).catch(() => undefined);
  if (stats && !stats.isFile()) throw toolError('not-a-file', `${given} is not a file`);
  return real;
}

async function resolveLinks(path: string, given: string, mayBeNew: boolean): Promise<string> {
  try {
    return await realpath(path);
  } catch (cause) {
    if (mayBeNew) {
      const folder = await realpath(dirname(path)).catch(() => undefined);
      if (folder !== undefined) return join(folder, basename(path));
    }
    throw toolError('not-found', `${given} is not there`, { cause });
  }
}
