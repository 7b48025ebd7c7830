import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { quoteShellWord } from '../../../../bridge/text/index.ts';
import { type ArchiveEntry, makeTextEntry, type Task } from '../../format/index.ts';
import {
  type Dataset,
  type DatasetAbout,
  findData,
  type OpenDataset,
  openRecords,
  readData,
  readRecords,
} from '../records/index.ts';
import {
  findLackingRepositories,
  findRepositoriesFolder,
  makePatchScript,
  makeRepositoryTask,
} from '../repository/index.ts';
import { explainUngradable } from './eval-commands.ts';
import { type SweBenchSet, sweBenchSets, type SweRecord, sweRecordSchema } from './swe-bench-sets.ts';
import { makeSweImageTask, type SweImageParts } from './swe-image-task.ts';

/** All sets of the SWE-bench family. */
export const sweBench: readonly Dataset[] = sweBenchSets.map(makeDataset);

function makeDataset(variant: SweBenchSet): Dataset {
  const { about } = variant;
  return {
    about,
    open: (path) =>
      openSweRecords({
        ...{ ...variant, path, needsClone: (record) => !namesImage(record) },
        taskOf: (data, record) => makeSweTask(about, data, record),
      }),
  };
}

interface SweRecordsToOpen {
  readonly about: DatasetAbout;
  /** Names of the file of records, the usual one first. */
  readonly files: readonly string[];
  /** What `--data` names. */
  readonly path: string;
  /** @param data the folder that holds the repositories */
  readonly taskOf: (data: string, record: SweRecord) => Promise<Task> | Task;
  /** Whether a record is played in a clone of its repository. Default: each is. */
  readonly needsClone?: (record: SweRecord) => boolean;
  /** Whether a record is one of the dataset. Default: each is. */
  readonly isIn?: (record: SweRecord) => boolean;
  readonly notes?: readonly string[];
}

/** Whether a record can be played and graded without a clone of its repository. */
function namesImage(record: SweRecord): boolean {
  return Boolean(record.image) && explainUngradable(record) === undefined;
}

/**
 * If there are several files of records, e.g. one for each split: a note of which one is read, and which others exist.
 */
async function noteOtherFiles(file: string, path: string, files: readonly string[]): Promise<string[]> {
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
  needsClone = () => true,
  isIn,
  notes = [],
}: SweRecordsToOpen): Promise<OpenDataset> {
  const file = await findData(about, path, files);
  const { records: all, unreadable } = await readRecords(file, sweRecordSchema);
  const records = isIn ? all.filter(isIn) : all;
  const data = await findRepositoriesFolder(path);
  const needed = records
    .filter(needsClone)
    .map(({ instance_id: id, repo: repository, base_commit: commit }) => ({
      id,
      repository,
      commit,
    }));
  return openRecords({
    ...{ about, file, records, unreadable },
    idOf: ({ instance_id: id }) => id,
    taskOf: (record) => taskOf(data, record),
    lacking: await findLackingRepositories(data, needed),
    notes: [...notes, ...(await noteOtherFiles(file, path, files))],
  });
}

/** Played in the image that the record names, unless another one is asked for. */
async function makeSweTask(about: DatasetAbout, data: string, record: SweRecord): Promise<Task> {
  const home = await readPictures(data, record.instance_id);
  const pictures = home.map(({ path }) => basename(path));
  const instruction = writeInstruction(record, pictures);
  const inImage = makeSweImageTask({ about, data, record, instruction, home });
  return { ...makeCloneTask({ about, data, record, instruction, home }), inImage };
}

/** A record outside of its image, in a clone of its repository. */
function makeCloneTask({ about, data, record, instruction, home }: SweImageParts): Task {
  return makeRepositoryTask({
    at: { about, data, name: record.repo, commit: record.base_commit },
    id: record.instance_id,
    instruction,
    testSeconds: 60,
    home,
    image: namesImage(record) ? record.image : undefined,
    tests: [
      makeTextEntry('test.sh', `#!/bin/bash\necho ${quoteShellWord(explainUnscored(record))}\nexit 69\n`),
    ],
    solutions: [{ name: 'gold', text: makePatchScript(record.patch) }],
    falseSolutions: [],
  });
}

/** Why a record is played without a score in a clone. */
function explainUnscored(record: SweRecord): string {
  const why = explainUngradable(record);
  const how =
    why === undefined ? 'name it with --image, or leave out --image none' : `and this one can not be: ${why}`;
  return `unavailable: records of SWE-bench are scored in their own images alone: ${how}. The owners' harness grades what pwp export swe-bench writes.`;
}

/** @param pictures names of those that the agent finds in its home */
function writeInstruction(record: SweRecord, pictures: readonly string[]): string {
  return [
    `The repository ${record.repo} is open in this IDE. Change its code so that the problem below is solved.`,
    'Tests that you do not see decide. They replace the files of tests that they change, and what configures the test runner is as it was at the start.',
    '',
    'The problem, as it was reported:',
    '',
    record.problem_statement.trim(),
    ...describePictures(record.image_assets?.pictures ?? [], pictures),
  ].join('\n');
}

function describePictures(addresses: readonly string[], here: readonly string[]): string[] {
  if (addresses.length === 0) return [];
  const where =
    here.length === 0
      ? 'They are not available here.'
      : `They are in /root/${picturesFolder}: ${here.join(', ')}.`;
  return ['', `The report shows pictures from these addresses: ${addresses.join(', ')}. ${where}`];
}

/** Where the agent finds the pictures of a problem, relative to its home. */
const picturesFolder = 'pictures';

/**
 * The pictures of a problem's text that the user keeps at `pictures/<instance_id>/` below `--data`: the records have only
 * their addresses, which lead out of the sandbox.
 */
async function readPictures(data: string, id: string): Promise<ArchiveEntry[]> {
  const folder = join(data, 'pictures', id);
  const names = await readdir(folder).catch(() => []);
  return Promise.all(
    names.sort().map(async (name): Promise<ArchiveEntry> => ({
      kind: 'file',
      path: `${picturesFolder}/${name}`,
      content: await readData(join(folder, name)),
      executable: false,
    })),
  );
}
