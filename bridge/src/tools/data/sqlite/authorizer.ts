import { constants } from 'node:sqlite';

/** Pragmas that return something whatever their argument is. */
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

/** Pragmas that reach files elsewhere, or leave the database broken. */
const forbidden = new Set(['temp_store_directory', 'data_store_directory', 'writable_schema']);

const reading = new Set<number>([
  constants.SQLITE_SELECT,
  constants.SQLITE_READ,
  constants.SQLITE_FUNCTION,
  constants.SQLITE_RECURSIVE,
]);

type Authorizer = (action: number, first: string | null, second: string | null) => number;

/**
 * Asked by SQLite about each thing that a statement would do, before it does any.
 * @param onDenied gets what is not allowed, as SQL names it
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
  // Without a value a pragma only reads what is set.
  const name = (first ?? '').toLowerCase();
  return telling.has(name) || (second === null && !forbidden.has(name));
}

function mayWrite(action: number, first: string | null): boolean {
  // VACUUM attaches a file without a name for itself.
  if (action === constants.SQLITE_ATTACH) return first === '';
  return action !== constants.SQLITE_PRAGMA || !forbidden.has((first ?? '').toLowerCase());
}
