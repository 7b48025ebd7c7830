import { PwpError } from '../../bridge/lib/index.ts';
import type { Task } from '../tasks/index.ts';
import type { DatasetAbout, OpenDataset } from './contract.ts';
import { assertUnique } from './records/index.ts';

/**
 * A dataset of records that are all in memory, by their id.
 * @param file for the error if two have one id: `bad-data`
 */
export function openRecords<T>(
  about: DatasetAbout,
  file: string,
  records: readonly T[],
  idOf: (record: T) => string,
  taskOf: (record: T) => Task | Promise<Task>,
): OpenDataset {
  const ids = records.map(idOf);
  assertUnique(file, ids);
  const byId = new Map(records.map((record) => [idOf(record), record]));
  return {
    ids,
    load: async (id) => {
      const record = byId.get(id);
      if (record !== undefined) return await taskOf(record);
      throw new PwpError('no-such-record', `${about.title} has no record ${id} in ${file}`, {
        help: `pwp datasets list ${about.name} --data ${file} lists all.`,
      });
    },
  };
}
