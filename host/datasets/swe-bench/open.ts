import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Task } from '../../tasks/index.ts';
import type { Dataset, DatasetAbout, OpenDataset } from '../contract.ts';
import { findData } from '../files.ts';
import { openRecords } from '../open.ts';
import { readRecords } from '../records/index.ts';
import { folderOf, lackingRepositories } from '../repository/index.ts';
import { sweRecord, type SweRecord } from './record.ts';
import { taskOfRecord } from './task.ts';
import { variants, type Variant } from './variants.ts';

/** All sets of the SWE-bench family. */
export const sweBench: readonly Dataset[] = variants.map(datasetOf);

function datasetOf(variant: Variant): Dataset {
  const { about } = variant;
  return {
    about,
    open: (path) =>
      openSweRecords({ ...variant, path, taskOf: (data, record) => taskOfRecord(about, data, record) }),
  };
}

export interface SweRecords {
  readonly about: DatasetAbout;
  /** Names of the file of records, the usual one first. */
  readonly files: readonly string[];
  /** What `--data` names. */
  readonly path: string;
  /** @param data the folder that holds the repositories */
  readonly taskOf: (data: string, record: SweRecord) => Promise<Task> | Task;
  /** Whether a record is one of the dataset. Default: each is. */
  readonly isIn?: (record: SweRecord) => boolean;
  readonly notes?: readonly string[];
}

/**
 * If there are several files of records, e.g. one for each split: a note of which one is read, and which others exist.
 */
async function othersBeside(file: string, path: string, files: readonly string[]): Promise<string[]> {
  const places = files.map((name) => join(resolve(path), name)).filter((place) => place !== file);
  const there = await Promise.all(places.map((place) => stat(place).catch(() => undefined)));
  const others = places.filter((_, index) => there[index]?.isFile()).map((place) => basename(place));
  return others.length === 0
    ? []
    : [`${basename(file)} is read; for ${others.join(' or ')} beside it, name that file with --data`];
}

/** Opens records of this form, for any kind of task. */
export async function openSweRecords({
  about,
  files,
  path,
  taskOf,
  isIn,
  notes = [],
}: SweRecords): Promise<OpenDataset> {
  const file = await findData(about, path, files);
  const { records: all, unreadable } = await readRecords(file, sweRecord);
  const records = isIn ? all.filter(isIn) : all;
  const data = await folderOf(path);
  const needed = records.map(({ instance_id: id, repo: repository, base_commit: commit }) => ({
    id,
    repository,
    commit,
  }));
  return openRecords({
    ...{ about, file, records, unreadable },
    idOf: ({ instance_id: id }) => id,
    taskOf: (record) => taskOf(data, record),
    lacking: await lackingRepositories(data, needed),
    notes: [...notes, ...(await othersBeside(file, path, files))],
  });
}
