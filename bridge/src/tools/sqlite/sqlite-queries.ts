import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { clip } from '../../../text/index.ts';
import type { SqliteRequest } from './sqlite-request.ts';

type StatementWork = Extract<SqliteRequest['work'], { kind: 'read' | 'write' }>;

/** More than one statement was given: it is not clear whose rows to return. */
export class MultipleStatements extends Error {}

/** There are more or fewer values than parameters. */
export class ParameterMismatch extends Error {}

/** Each call is its own process: a transaction that it leaves open is rolled back. */
export class OpenTransaction extends Error {}

/** Runs one statement and returns as many of its rows as an answer holds. */
export function runStatement(database: DatabaseSync, work: StatementWork): Record<string, unknown> {
  const { sql, parameters, limit, kind } = work;
  const [, word] = /^\s*(begin|savepoint|commit|end|rollback|release)\b/i.exec(removeComments(sql)) ?? [];
  if (word !== undefined) throw new OpenTransaction(`${word}: no transaction lasts longer than a call`);
  const statement = database.prepare(sql);
  const rest = sql.slice(statement.sourceSQL.length);
  if (!isBlankSql(rest))
    throw new MultipleStatements(`after the first statement comes ${clip(rest.trim(), 100)}`);
  refuseMissingParameters(database, sql, parameters.length);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  const columns = statement.columns().map(({ name }) => name);
  const rows = new AnswerRows(limit);
  const before = readDatabaseState(database);
  if (columns.length === 0) statement.run(...parameters);
  else
    for (const row of statement.iterate(...parameters))
      // A statement that writes runs to its end, even if the answer is full.
      if (!rows.add(row as unknown as SQLOutputValue[]) && kind === 'read') break;
  const changes = kind === 'write' ? countChangesSince(database, before, sql) : {};
  return { columns, rows: rows.rows, truncated: rows.truncated, clipped: rows.clipped, ...changes };
}

/** SQLite treats a missing value as NULL, and answers with that. */
function refuseMissingParameters(database: DatabaseSync, sql: string, given: number): void {
  const steps = database.prepare(`EXPLAIN ${sql}`).all() as { opcode?: unknown; p1?: unknown }[];
  const used = steps.filter(({ opcode }) => opcode === 'Variable').map(({ p1 }) => Number(p1));
  const needed = Math.max(0, ...used);
  if (needed > given)
    throw new ParameterMismatch(
      `the statement has at least ${needed} parameters, and ${given} values are given`,
    );
}

interface DatabaseState {
  readonly rows: number;
  /** Rises with each change of tables and indexes. */
  readonly schema: number;
}

function readDatabaseState(database: DatabaseSync): DatabaseState {
  const rows = database.prepare('SELECT total_changes() AS n').get();
  const schema = database.prepare('PRAGMA schema_version').get();
  return { rows: Number(rows?.['n'] ?? 0), schema: Number(schema?.['schema_version'] ?? 0) };
}

/** It is unknown what other statements, such as a pragma, change. */
function countChangesSince(database: DatabaseSync, before: DatabaseState, sql: string) {
  const after = readDatabaseState(database);
  const changes = after.rows - before.rows;
  const isKnown = /^(?:insert|update|delete|replace|with|create|drop|alter)\b/i.test(
    removeComments(sql).trim(),
  );
  return { changes, changed: changes > 0 || after.schema !== before.schema || !isKnown };
}

/** Only space, comments and semicolons. */
function isBlankSql(sql: string): boolean {
  return removeComments(sql).replace(/[\s;]/g, '') === '';
}

function removeComments(sql: string): string {
  return sql.replace(/--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, '');
}

const maxSchema = { tables: 500, columns: 2000, keys: 1000, sql: 20_000, counted: 1_000_000 };

type SchemaRow = Record<string, unknown>;

/** No requested table exists. */
export class NoSuchTable extends Error {}

/** Tables and views, as SQLite describes them. */
export function readSchema(
  database: DatabaseSync,
  wanted: readonly string[] | undefined,
): Record<string, unknown> {
  const all = queryRows(
    database,
    `SELECT l.name AS name, l.type AS kind, m.sql AS sql FROM pragma_table_list l
     LEFT JOIN sqlite_schema m ON m.name = l.name AND m.type IN ('table', 'view')
     WHERE l.schema = 'main' AND l.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY l.name`,
  );
  const names = wanted && new Set(wanted.map((name) => name.toLowerCase()));
  const chosen = all.filter(({ name }) => names === undefined || names.has(String(name).toLowerCase()));
  const missing = (wanted ?? []).filter(
    (name) => !all.some((table) => String(table['name']).toLowerCase() === name.toLowerCase()),
  );
  if (wanted !== undefined && wanted.length > 0 && chosen.length === 0)
    throw new NoSuchTable(
      clip(
        `there is no table ${missing.join(', ')}; there are ${all.map(({ name }) => String(name)).join(', ')}`,
        2000,
      ),
    );
  const notes = missing.map((name) => `there is no table ${name}`);
  const tables = chosen.slice(0, maxSchema.tables).map((table) => describeTable(database, table, notes));
  return { tables, truncated: chosen.length > maxSchema.tables, notes: notes.slice(0, 50) };
}

function describeTable(
  database: DatabaseSync,
  { name: given, kind, sql }: SchemaRow,
  notes: string[],
): SchemaRow {
  const name = String(given);
  const ask = (question: string) => tryReading(name, notes, () => queryRows(database, question, name)) ?? [];
  const columns = ask('SELECT * FROM pragma_table_info(?)').slice(0, maxSchema.columns);
  const indexes = ask('SELECT * FROM pragma_index_list(?)').slice(0, maxSchema.keys);
  return {
    name,
    kind: kind === 'view' || kind === 'virtual' ? kind : 'table',
    rows: tryReading(name, notes, () => countRows(database, name)) ?? null,
    sql: typeof sql === 'string' ? clip(sql, maxSchema.sql) : '',
    columns: columns.map((column) => ({
      name: column['name'],
      type: column['type'],
      not_null: column['notnull'] === 1,
      default: column['dflt_value'] ?? null,
      primary_key: column['pk'],
    })),
    foreign_keys: readForeignKeys(ask('SELECT * FROM pragma_foreign_key_list(?) ORDER BY id, seq')),
    indexes: indexes.map((index) => ({
      name: index['name'],
      unique: index['unique'] === 1,
      columns: queryRows(database, 'SELECT name FROM pragma_index_info(?)', String(index['name']))
        .map((column) => (column['name'] === null ? '(expression)' : readName(column['name'])))
        .slice(0, 100),
    })),
  };
}

/** SQLite returns names as text. */
function readName(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Null for more rows than are counted. */
function countRows(database: DatabaseSync, table: string): number | null {
  const quoted = `"${table.replaceAll('"', '""')}"`;
  const [row] = queryRows(
    database,
    `SELECT count(*) AS n FROM (SELECT 1 FROM ${quoted} LIMIT ${maxSchema.counted + 1})`,
  );
  const rows = Number(row?.['n'] ?? 0);
  return rows > maxSchema.counted ? null : rows;
}

/** A key of several columns is several rows. */
function readForeignKeys(rows: readonly SchemaRow[]): SchemaRow[] {
  const keys = new Map<unknown, { columns: string[]; table: string; to: string[] }>();
  for (const row of rows) {
    const key = keys.get(row['id']) ?? { columns: [], table: String(row['table']), to: [] };
    key.columns.push(String(row['from']));
    // Without a column the key refers to the other table's primary key.
    if (row['to'] !== null) key.to.push(readName(row['to']));
    keys.set(row['id'], key);
  }
  return [...keys.values()].slice(0, maxSchema.keys);
}

/** A view of a table that is gone, or a virtual table without its module, must not hide the others. */
function tryReading<T>(name: string, notes: string[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    notes.push(`${name}: ${clip(String(error), 500)}`);
    return undefined;
  }
}

function queryRows(database: DatabaseSync, sql: string, ...parameters: string[]): SchemaRow[] {
  return database.prepare(sql).all(...parameters);
}

/** Bounds of an answer: characters of one cell's text, of all cells together, and bytes of a blob that are shown. */
const maxRows = { cell: 5000, all: 1_000_000, blob: 64 };

type Cell = null | number | string | { readonly bytes: number; readonly hex: string };

/** Rows of one answer, as many as fit. */
class AnswerRows {
  readonly rows: Cell[][] = [];
  truncated = false;
  clipped = 0;
  readonly #limit: number;
  #room = maxRows.all;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** False: it is full, and this row is left out. */
  add(values: readonly SQLOutputValue[]): boolean {
    if (this.rows.length >= this.#limit || this.#room <= 0) {
      this.truncated = true;
      return false;
    }
    this.rows.push(values.map((value) => this.#cell(value)));
    return true;
  }

  #cell(value: SQLOutputValue): Cell {
    this.#room -= 5;
    if (value === null) return null;
    if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
    if (typeof value === 'bigint') {
      const number = Number(value);
      return Number.isSafeInteger(number) ? number : String(value);
    }
    if (typeof value === 'string') return this.#text(value);
    return { bytes: value.byteLength, hex: Buffer.from(value.subarray(0, maxRows.blob)).toString('hex') };
  }

  #text(value: string): string {
    const kept = clip(value, maxRows.cell);
    this.#room -= kept.length;
    if (kept.length < value.length) this.clipped++;
    return kept;
  }
}
