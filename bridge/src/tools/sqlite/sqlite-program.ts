import { existsSync, rmSync } from 'node:fs';
import { constants, DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { describeError } from '../../../lib/index.ts';
import {
  MultipleStatements,
  NoSuchTable,
  OpenTransaction,
  ParameterMismatch,
  readSchema,
  runStatement,
} from './sqlite-queries.ts';
import { type SqliteAnswer, sqliteRequest, type SqliteRequest } from './sqlite-request.ts';

/** Maximum bytes of one value or row, and maximum number of attached files: VACUUM itself attaches one. */
const sqliteLimits = { length: 64 * 1024 * 1024, attach: 1 };
/** Milliseconds to wait for another program that writes. */
const BUSY_MS = 2000;

/** https://sqlite.org/rescode.html */
const sqliteCodes = {
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
  const answer = answerRequest(sqliteRequest.parse(JSON.parse(await text(process.stdin))));
  process.stdout.write(JSON.stringify(answer));
}

function answerRequest(request: SqliteRequest): SqliteAnswer {
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
      limits: sqliteLimits,
    });
    // Read before the statement runs, so that a file that is not a database is reported as such.
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    database.setAuthorizer(createAuthorizer(kind, (what) => (denied ??= what)));
    const result = work.kind === 'schema' ? readSchema(database, work.tables) : runStatement(database, work);
    isDone = true;
    return { result };
  } catch (error) {
    const message = denied === undefined ? explainSqliteError(error) : `not allowed here: ${denied}`;
    return { failed: classifySqliteError(error, kind), message };
  } finally {
    database?.close();
    // A file that was created for a statement that failed would stay empty.
    if (isNew && !isDone) rmSync(path, { force: true });
  }
}

function explainSqliteError(error: unknown): string {
  const { errcode } = error as { readonly errcode?: number };
  return errcode === sqliteCodes.range ? 'there are more values than parameters' : describeError(error);
}

function classifySqliteError(
  error: unknown,
  kind: 'read' | 'write',
): Extract<SqliteAnswer, { failed: string }>['failed'] {
  if (error instanceof MultipleStatements || error instanceof ParameterMismatch) return 'bad-arguments';
  if (error instanceof NoSuchTable) return 'not-found';
  if (error instanceof OpenTransaction) return kind === 'read' ? 'read-only' : 'guarded';
  const { errcode, code } = error as { readonly errcode?: number; readonly code?: string };
  // An error of Node itself, e.g. for a wrong number of parameters.
  if (errcode === undefined) return code?.startsWith('ERR_') === true ? 'bad-query' : 'failed';
  // The low byte is the kind, the others have details.
  switch (errcode & 0xff) {
    case sqliteCodes.notADatabase:
    case sqliteCodes.corrupt:
      return 'not-a-database';
    case sqliteCodes.range:
      return 'bad-arguments';
    case sqliteCodes.auth:
      return kind === 'read' ? 'read-only' : 'guarded';
    case sqliteCodes.readOnly:
      return 'read-only';
    case sqliteCodes.busy:
    case sqliteCodes.locked:
    case sqliteCodes.cantOpen:
      return 'failed';
    default:
      return 'bad-query';
  }
}

/** Pragmas that only return something, with any argument. */
const readOnlyPragmas = new Set([
  'table_info',
  'table_xinfo',
  'table_list',
  'index_list',
  'index_info',
  'index_xinfo',
  'foreign_key_list',
  'foreign_key_check',
  'database_list',
  'collation_list',
  'function_list',
  'compile_options',
  'integrity_check',
  'quick_check',
  'encoding',
  'page_count',
  'page_size',
  'freelist_count',
]);

/** Pragmas that access other files, or may break the database. */
const forbiddenPragmas = new Set(['temp_store_directory', 'data_store_directory', 'writable_schema']);

const readActions = new Set<number>([
  constants.SQLITE_SELECT,
  constants.SQLITE_READ,
  constants.SQLITE_FUNCTION,
  constants.SQLITE_RECURSIVE,
]);

type Authorizer = (action: number, first: string | null, second: string | null) => number;

/**
 * SQLite calls it for each operation of a statement, before it runs the statement.
 * @param onDenied receives the operation that is not allowed, by its SQL name
 */
function createAuthorizer(kind: 'read' | 'write', onDenied: (what: string) => void): Authorizer {
  return (action, first, second) => {
    const allowed = kind === 'read' ? mayRead(action, first, second) : mayWrite(action, first);
    if (!allowed) onDenied(nameAction(action, first));
    return allowed ? constants.SQLITE_OK : constants.SQLITE_DENY;
  };
}

function nameAction(action: number, first: string | null): string {
  if (action === constants.SQLITE_ATTACH) return `to open the file ${first ?? ''}`;
  if (action === constants.SQLITE_PRAGMA) return `PRAGMA ${first ?? ''}`;
  return 'to change the database';
}

function mayRead(action: number, first: string | null, second: string | null): boolean {
  if (action !== constants.SQLITE_PRAGMA) return readActions.has(action);
  // Without a value, a pragma only reads the current one.
  const name = (first ?? '').toLowerCase();
  return readOnlyPragmas.has(name) || (second === null && !forbiddenPragmas.has(name));
}

function mayWrite(action: number, first: string | null): boolean {
  // VACUUM itself attaches a file without a name.
  if (action === constants.SQLITE_ATTACH) return first === '';
  return action !== constants.SQLITE_PRAGMA || !forbiddenPragmas.has((first ?? '').toLowerCase());
}
