import { createHash } from 'node:crypto';
import { PwpError } from '../../bridge/lib/index.ts';
import type { DatasetAbout } from './contract.ts';

/** Which records of a dataset; all if nothing is said. */
export interface Selection {
  /** These alone. */
  readonly ids?: readonly string[] | undefined;
  /** So many of them, or all if there are fewer. */
  readonly sample?: number | undefined;
  /** Another seed draws others. Default 0. */
  readonly sampleSeed?: number | undefined;
}

/**
 * The chosen ids, in their order in the data. A sample of a seed is the same on every machine, regardless of the files'
 * order: the records with the smallest SHA-256 of `<seed> <dataset> <id>`. A larger one contains every smaller one.
 * Errors: `no-such-record`.
 */
export function selected(
  { name }: Pick<DatasetAbout, 'name'>,
  all: readonly string[],
  selection: Selection,
): string[] {
  const { ids, sample, sampleSeed = 0 } = selection;
  const unknown = ids?.find((id) => !all.includes(id));
  if (unknown !== undefined)
    throw new PwpError('no-such-record', `${name} has no record ${unknown}`, {
      help: `pwp datasets list ${name} --data <path> lists all.`,
    });
  const wanted = ids ? all.filter((id) => ids.includes(id)) : [...all];
  if (sample === undefined || sample >= wanted.length) return wanted;
  const rank = (id: string) => createHash('sha256').update(`${sampleSeed} ${name} ${id}`).digest('hex');
  const ranked = wanted.map((id) => ({ id, rank: rank(id) })).sort((a, b) => (a.rank < b.rank ? -1 : 1));
  const drawn = new Set(ranked.slice(0, sample).map(({ id }) => id));
  return wanted.filter((id) => drawn.has(id));
}
