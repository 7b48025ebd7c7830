import type { DatabaseSync } from 'node:sqlite';
import { clip } from '../../../../lib/index.ts';

const most = { tables: 500, columns: 2000, keys: 1000, sql: 20_000, counted: 1_000_000 };

type Row = Record<string, unknown>;

/** No requested table exists. */
export class NoSuchTable extends Error {}

/** Tables and views, as SQLite describes them. */
export function readSchema(
  database: DatabaseSync,
  wanted: readonly string[] | undefined,
): Record<string, unknown> {
  const all = rowsOf(
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
  const tables = chosen.slice(0, most.tables).map((table) => describe(database, table, notes));
  return { tables, truncated: chosen.length > most.tables, notes: notes.slice(0, 50) };
}

function describe(database: DatabaseSync, { name: given, kind, sql }: Row, notes: string[]): Row {
  const name = String(given);
  const ask = (question: string) => attempt(name, notes, () => rowsOf(database, question, name)) ?? [];
  const columns = ask('SELECT * FROM pragma_table_info(?)').slice(0, most.columns);
  const indexes = ask('SELECT * FROM pragma_index_list(?)').slice(0, most.keys);
  return {
    name,
    kind: kind === 'view' || kind === 'virtual' ? kind : 'table',
    rows: attempt(name, notes, () => count(database, name)) ?? null,
    sql: typeof sql === 'string' ? clip(sql, most.sql) : '',
    columns: columns.map((column) => ({
      name: column['name'],
      type: column['type'],
      not_null: column['notnull'] === 1,
      default: column['dflt_value'] ?? null,
      primary_key: column['pk'],
    })),
    foreign_keys: foreignKeys(ask('SELECT * FROM pragma_foreign_key_list(?) ORDER BY id, seq')),
    indexes: indexes.map((index) => ({
      name: index['name'],
      unique: index['unique'] === 1,
      columns: rowsOf(database, 'SELECT name FROM pragma_index_info(?)', String(index['name']))
        .map((column) => (column['name'] === null ? '(expression)' : nameOf(column['name'])))
        .slice(0, 100),
    })),
  };
}

/** SQLite returns names as text. */
function nameOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Null for more rows than are counted. */
function count(database: DatabaseSync, table: string): number | null {
  const quoted = `"${table.replaceAll('"', '""')}"`;
  const [row] = rowsOf(
    database,
    `SELECT count(*) AS n FROM (SELECT 1 FROM ${quoted} LIMIT ${most.counted + 1})`,
  );
  const rows = Number(row?.['n'] ?? 0);
  return rows > most.counted ? null : rows;
}

/** A key of several columns is several rows. */
function foreignKeys(rows: readonly Row[]): Row[] {
  const keys = new Map<unknown, { columns: string[]; table: string; to: string[] }>();
  for (const row of rows) {
    const key = keys.get(row['id']) ?? { columns: [], table: String(row['table']), to: [] };
    key.columns.push(String(row['from']));
    // Without a column the key refers to the other table's primary key.
    if (row['to'] !== null) key.to.push(nameOf(row['to']));
    keys.set(row['id'], key);
  }
  return [...keys.values()].slice(0, most.keys);
}

/** A view of a table that is gone, or a virtual table without its module, must not hide the others. */
function attempt<T>(name: string, notes: string[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    notes.push(`${name}: ${clip(String(error), 500)}`);
    return undefined;
  }
}

function rowsOf(database: DatabaseSync, sql: string, ...parameters: string[]): Row[] {
  return database.prepare(sql).all(...parameters);
}
