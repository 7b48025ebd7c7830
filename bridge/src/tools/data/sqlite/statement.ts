import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { clip } from '../../../../lib/index.ts';
import type { SqliteRequest } from './request.ts';
import { Rows } from './rows.ts';

type Statement = Extract<SqliteRequest['work'], { kind: 'read' | 'write' }>;

/** More than one statement was given: it is not clear whose rows to return. */
export class SeveralStatements extends Error {}

/** There are more or fewer values than parameters. */
export class OtherParameters extends Error {}

/** Each call is its own process: a transaction that it leaves open is rolled back. */
export class OpenTransaction extends Error {}

/** Runs one statement and returns as many of its rows as an answer holds. */
export function runStatement(database: DatabaseSync, work: Statement): Record<string, unknown> {
  const { sql, parameters, limit, kind } = work;
  const [, word] = /^\s*(begin|savepoint|commit|end|rollback|release)\b/i.exec(withoutComments(sql)) ?? [];
  if (word !== undefined) throw new OpenTransaction(`${word}: no transaction lasts longer than a call`);
  const statement = database.prepare(sql);
  const rest = sql.slice(statement.sourceSQL.length);
  if (!isBlank(rest))
    throw new SeveralStatements(`after the first statement comes ${clip(rest.trim(), 100)}`);
  refuseMissing(database, sql, parameters.length);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  const columns = statement.columns().map(({ name }) => name);
  const rows = new Rows(limit);
  const before = stateOf(database);
  if (columns.length === 0) statement.run(...parameters);
  else
    for (const row of statement.iterate(...parameters))
      // A statement that writes runs to its end, even if the answer is full.
      if (!rows.add(row as unknown as SQLOutputValue[]) && kind === 'read') break;
  const changes = kind === 'write' ? changesSince(database, before, sql) : {};
  return { columns, rows: rows.rows, truncated: rows.truncated, clipped: rows.clipped, ...changes };
}

/** SQLite treats a missing value as NULL, and answers with that. */
function refuseMissing(database: DatabaseSync, sql: string, given: number): void {
  const steps = database.prepare(`EXPLAIN ${sql}`).all() as { opcode?: unknown; p1?: unknown }[];
  const used = steps.filter(({ opcode }) => opcode === 'Variable').map(({ p1 }) => Number(p1));
  const needed = Math.max(0, ...used);
  if (needed > given)
    throw new OtherParameters(
      `the statement has at least ${needed} parameters, and ${given} values are given`,
    );
}

interface State {
  readonly rows: number;
  /** Rises with each change of tables and indexes. */
  readonly schema: number;
}

function stateOf(database: DatabaseSync): State {
  const rows = database.prepare('SELECT total_changes() AS n').get();
  const schema = database.prepare('PRAGMA schema_version').get();
  return { rows: Number(rows?.['n'] ?? 0), schema: Number(schema?.['schema_version'] ?? 0) };
}

/** It is unknown what other statements, such as a pragma, change. */
function changesSince(database: DatabaseSync, before: State, sql: string) {
  const after = stateOf(database);
  const changes = after.rows - before.rows;
  const isKnown = /^(?:insert|update|delete|replace|with|create|drop|alter)\b/i.test(
    withoutComments(sql).trim(),
  );
  return { changes, changed: changes > 0 || after.schema !== before.schema || !isKnown };
}

/** Only space, comments and semicolons. */
function isBlank(sql: string): boolean {
  return withoutComments(sql).replace(/[\s;]/g, '') === '';
}

function withoutComments(sql: string): string {
  return sql.replace(/--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, '');
}
