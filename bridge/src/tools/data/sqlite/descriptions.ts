import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { clip } from '../../../../lib/index.ts';
import { csvRows } from './csv.ts';

/** Maximum bytes of one file of descriptions. */
const MAX_BYTES = 1024 * 1024;
const longest = 5000;

export interface Description {
  readonly description: string | null;
  readonly values: string | null;
}

/** The meanings of one table's columns, by their names in lower case. */
export interface Described {
  readonly path: string;
  readonly columns: ReadonlyMap<string, Description>;
}

/**
 * Reads `database_description/<table>.csv` beside a database, as in BIRD's databases. Undefined if the file is missing.
 * @param database absolute, links resolved
 */
export async function describedBy(database: string, table: string): Promise<Described | undefined> {
  const folder = join(dirname(database), 'database_description');
  if (table.includes('/') || table.includes('\0')) return undefined;
  const real = await realpath(join(folder, `${table}.csv`)).catch(() => undefined);
  // A link may lead anywhere.
  if (real === undefined || !real.startsWith(dirname(database) + sep)) return undefined;
  const stats = await stat(real);
  if (!stats.isFile() || stats.size > MAX_BYTES) return undefined;
  const [head = [], ...rows] = csvRows((await readFile(real, 'utf8')).replace(/^\uFEFF/, ''));
  const at = (name: string) => head.findIndex((one) => one.trim().toLowerCase() === name);
  const places = [at('original_column_name'), at('column_description'), at('value_description')] as const;
  if (places[0] < 0) return undefined;
  const [name, description, values] = places;
  const columns = rows.map(
    (row) =>
      [
        (row[name] ?? '').trim().toLowerCase(),
        { description: field(row[description]), values: field(row[values]) },
      ] as const,
  );
  return { path: real, columns: new Map(columns) };
}

function field(value: string | undefined): string | null {
  const trimmed = value?.trim() ?? '';
  return trimmed === '' ? null : clip(trimmed, longest);
}
