import { existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { messageOf } from '../../../../lib/index.ts';
import { authorizer } from './authorizer.ts';
import { sqliteRequest, type SqliteAnswer, type SqliteRequest } from './request.ts';
import { NoSuchTable, readSchema } from './schema.ts';
import { OpenTransaction, OtherParameters, SeveralStatements, runStatement } from './statement.ts';

/** Maximum bytes of one value or row, and maximum number of attached files: VACUUM itself attaches one. */
const bounds = { length: 64 * 1024 * 1024, attach: 1 };
/** Milliseconds to wait for another program that writes. */
const BUSY_MS = 2000;

/** https://sqlite.org/rescode.html */
const codes = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  corrupt: 11,
  cantOpen: 14,
  auth: 23,
  notADatabase: 26,
  range: 25,
} as const;

/** The whole program: one request on standard input, one answer on standard output. */
export async function sqliteMain(): Promise<void> {
  const answer = answerTo(sqliteRequest.parse(JSON.parse(await text(process.stdin))));
  process.stdout.write(JSON.stringify(answer));
}

function answerTo(request: SqliteRequest): SqliteAnswer {
  const { path, work } = request;
  const kind = work.kind === 'write' ? 'write' : 'read';
  let database: DatabaseSync | undefined;
  let denied: string | undefined;
  const isNew = !existsSync(path);
  let isDone = false;
  try {
    database = new DatabaseSync(path, {
      readOnly: kind === 'read',
      timeout: BUSY_MS,
      allowExtension: false,
      limits: bounds,
    });
    // Read before the statement runs, so that a file that is not a database is reported as such.
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    database.setAuthorizer(authorizer(kind, (what) => (denied ??= what)));
    const result = work.kind === 'schema' ? readSchema(database, work.tables) : runStatement(database, work);
    isDone = true;
    return { result };
  } catch (error) {
    const message = denied === undefined ? wordsOf(error) : `not allowed here: ${denied}`;
    return { failed: reasonOf(error, kind), message };
  } finally {
    database?.close();
    // A file that was created for a statement that failed would stay empty.
    if (isNew && !isDone) rmSync(path, { force: true });
  }
}

function wordsOf(error: unknown): string {
  const { errcode } = error as { readonly errcode?: number };
  return errcode === codes.range ? 'there are more values than parameters' : messageOf(error);
}

function reasonOf(
  error: unknown,
  kind: 'read' | 'write',
): Extract<SqliteAnswer, { failed: string }>['failed'] {
  if (error instanceof SeveralStatements || error instanceof OtherParameters) return 'bad-arguments';
  if (error instanceof NoSuchTable) return 'not-found';
  if (error instanceof OpenTransaction) return kind === 'read' ? 'read-only' : 'guarded';
  const { errcode, code } = error as { readonly errcode?: number; readonly code?: string };
  // An error of Node itself, e.g. for a wrong number of parameters.
  if (errcode === undefined) return code?.startsWith('ERR_') === true ? 'bad-query' : 'failed';
  // The low byte is the kind, the others have details.
  switch (errcode & 0xff) {
    case codes.notADatabase:
    case codes.corrupt:
      return 'not-a-database';
    case codes.range:
      return 'bad-arguments';
    case codes.auth:
      return kind === 'read' ? 'read-only' : 'guarded';
    case codes.readOnly:
      return 'read-only';
    case codes.busy:
    case codes.locked:
    case codes.cantOpen:
      return 'failed';
    default:
      return 'bad-query';
  }
}
