import { PwpError } from '../../bridge/lib/index.ts';
import type { Task } from '../tasks/index.ts';
import type { DatasetAbout, OpenDataset } from './contract.ts';
import { repeatedIds, type Records } from './records/index.ts';

export interface OpenRecords<T> {
  readonly about: DatasetAbout;
  /** The file or folder that has them, for errors. */
  readonly file: string;
  readonly records: readonly T[];
  readonly idOf: (record: T) => string;
  readonly taskOf: (record: T) => Task | Promise<Task>;
  /** Records that can't be read. */
  readonly unreadable?: Records<T>['unreadable'] | undefined;
  /** Records that can't be played: why, by their id. */
  readonly lacking?: ReadonlyMap<string, string> | undefined;
  readonly notes?: readonly string[] | undefined;
}

/** A dataset of records that are all in memory, by their id. Of several of one id the first counts. */
export function openRecords<T>(given: OpenRecords<T>): OpenDataset {
  const { about, file, idOf, taskOf, unreadable = [], lacking = [], notes = [] } = given;
  const all = given.records.map(idOf);
  const repeated = repeatedIds(all);
  const byId = new Map(
    given.records.flatMap((record, index): [string, T][] =>
      repeated.has(index) ? [] : [[all[index] ?? '', record]],
    ),
  );
  const again = [...repeated].map(([index, why]): [string, string] => [`${all[index]} (${index + 1})`, why]);
  return {
    ids: [...byId.keys()],
    lacking: new Map([...lacking, ...unreadable, ...again]),
    notes,
    load: async (id) => {
      const record = byId.get(id);
      if (record !== undefined) return await taskOf(record);
      throw new PwpError('no-such-record', `${about.title} has no record ${id} in ${file}`, {
        help: `pwp datasets list ${about.name} --data ${file} lists all.`,
      });
    },
  };
}
