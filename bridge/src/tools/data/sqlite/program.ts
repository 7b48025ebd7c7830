import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { messageOf } from '../../../../lib/index.ts';
import { authorizer } from './authorizer.ts';
import { sqliteRequest, type SqliteAnswer, type SqliteRequest } from './request.ts';
import { readSchema } from './schema.ts';
import { SeveralStatements, runStatement } from './statement.ts';

/** Bytes of one value or row, and other files at a time: VACUUM needs one without a name for itself. */
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
  try {
    database = new DatabaseSync(path, {
      readOnly: kind === 'read',
      timeout: BUSY_MS,
      allowExtension: false,
      limits: bounds,
    });
    // Read through before a statement comes, so that a file that is not a database is reported as such.
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    database.setAuthorizer(authorizer(kind));
    return {
      result: work.kind === 'schema' ? readSchema(database, work.tables) : runStatement(database, work),
    };
  } catch (error) {
    return { failed: reasonOf(error, kind), message: messageOf(error) };
  } finally {
    database?.close();
  }
}

function reasonOf(
  error: unknown,
  kind: 'read' | 'write',
): Extract<SqliteAnswer, { failed: string }>['failed'] {
  if (error instanceof SeveralStatements) return 'bad-arguments';
  const { errcode, code } = error as { readonly errcode?: number; readonly code?: string };
  // Of Node's own, such as a number of parameters that does not fit.
  if (errcode === undefined) return code?.startsWith('ERR_') === true ? 'bad-query' : 'failed';
  // The low byte is the kind, the others say more.
  switch (errcode & 0xff) {
    case codes.notADatabase:
    case codes.corrupt:
      return 'not-a-database';
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
