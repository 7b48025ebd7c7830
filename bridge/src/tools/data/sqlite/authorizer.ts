import { constants } from 'node:sqlite';

/** Pragmas that only return something, with any argument. */
const telling = new Set([
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
const forbidden = new Set(['temp_store_directory', 'data_store_directory', 'writable_schema']);

const reading = new Set<number>([
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
export function authorizer(kind: 'read' | 'write', onDenied: (what: string) => void): Authorizer {
  return (action, first, second) => {
    const allowed = kind === 'read' ? mayRead(action, first, second) : mayWrite(action, first);
    if (!allowed) onDenied(nameOf(action, first));
    return allowed ? constants.SQLITE_OK : constants.SQLITE_DENY;
  };
}

function nameOf(action: number, first: string | null): string {
  if (action === constants.SQLITE_ATTACH) return `to open the file ${first ?? ''}`;
  if (action === constants.SQLITE_PRAGMA) return `PRAGMA ${first ?? ''}`;
  return 'to change the database';
}

function mayRead(action: number, first: string | null, second: string | null): boolean {
  if (action !== constants.SQLITE_PRAGMA) return reading.has(action);
  // Without a value, a pragma only reads the current one.
  const name = (first ?? '').toLowerCase();
  return telling.has(name) || (second === null && !forbidden.has(name));
}

function mayWrite(action: number, first: string | null): boolean {
  // VACUUM itself attaches a file without a name.
  if (action === constants.SQLITE_ATTACH) return first === '';
  return action !== constants.SQLITE_PRAGMA || !forbidden.has((first ?? '').toLowerCase());
}
