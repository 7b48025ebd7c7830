import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { SqliteRequest } from './request.ts';
import { Rows } from './rows.ts';

type Statement = Extract<SqliteRequest['work'], { kind: 'read' | 'write' }>;

/** More than one statement was given: which of them was meant to answer is not guessed. */
export class SeveralStatements extends Error {}

/** Runs one statement and gives its rows, as many as an answer holds. */
export function runStatement(database: DatabaseSync, work: Statement): Record<string, unknown> {
  const { sql, parameters, limit, kind } = work;
  const statement = database.prepare(sql);
  const rest = sql.slice(statement.sourceSQL.length);
  if (!isBlank(rest))
    throw new SeveralStatements(`after the first statement comes ${rest.trim().slice(0, 100)}`);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  const columns = statement.columns().map(({ name }) => name);
  const rows = new Rows(limit);
  const before = totalChanges(database);
  if (columns.length === 0) statement.run(...parameters);
  else
    for (const row of statement.iterate(...parameters))
      // A statement that writes is run to its end, whatever it gives.
      if (!rows.add(row as unknown as SQLOutputValue[]) && kind === 'read') break;
  const changes = kind === 'write' ? { changes: totalChanges(database) - before } : {};
  return { columns, rows: rows.rows, truncated: rows.truncated, clipped: rows.clipped, ...changes };
}

function totalChanges(database: DatabaseSync): number {
  const row = database.prepare('SELECT total_changes() AS n').get();
  return Number(row?.['n'] ?? 0);
}

/** Only space, comments and semicolons. */
function isBlank(sql: string): boolean {
  return sql.replace(/--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, '').replace(/[\s;]/g, '') === '';
}
