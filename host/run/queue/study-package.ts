import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { type Cancellable, PwpError } from '../../../bridge/lib/index.ts';
import { openTemporaryFolder, pathExists } from '../../lib/index.ts';
import { chooseTasks, isDataset, type Task } from '../../tasks/index.ts';
import {
  hashTask,
  makeStudyLock,
  mapStudyPaths,
  runConfig,
  studyConfig,
  type StudyConfig,
  studyLock,
} from '../study/index.ts';
import type { OpenedAgent } from '../agents/index.ts';
import { type ModelRate, modelRate } from '../models/index.ts';
import type { BlobStore } from './blob-store.ts';
import { fetchFiles, hashPaths, type PackedPaths, putFiles } from './packed-files.ts';
import { blobName } from './queued-attempt.ts';

/** All that a worker needs to make a study's attempts, but keys of models: those are in its own environment. */
const studyPackage = z.strictObject({
  format: z.literal(1),
  lock: studyLock,
  /** Paths in it are those of the machine that made it: {@link files} has what is there. */
  config: studyConfig,
  checkpointEvery: runConfig.shape.checkpointEvery,
  rate: modelRate,
  files: z.record(z.string(), blobName),
  /** Folders of tasks by id. Other tasks are records of the dataset that their id begins with. */
  folders: z.record(z.string(), blobName),
});
type StudyPackage = z.output<typeof studyPackage>;

/** What can be read of a study of another version. */
const packedFiles = z.object({ files: studyPackage.shape.files, folders: studyPackage.shape.folders });

/** What a study is made of. */
export interface PackedStudy {
  readonly config: StudyConfig;
  readonly checkpointEvery?: number | undefined;
  /** The most of a minute for each model, over all workers. Default: no limit. */
  readonly rate?: ModelRate | undefined;
  readonly tasks: readonly Task[];
  readonly agents: readonly OpenedAgent[];
}

/**
 * Puts a study into a store. What is there already is not sent again. Errors: `usage` for settings that name a secret; those
 * of {@link BlobStore}.
 * @returns its name in the store, and the hash of its definition
 */
export async function packStudy(
  { config, checkpointEvery, rate = {}, tasks, agents }: PackedStudy,
  store: BlobStore,
  options: Cancellable = {},
): Promise<{ readonly name: string; readonly study: string }> {
  assertNoSecrets(config);
  await store.check(options);
  const lock = await makeStudyLock(config, tasks, agents);
  const files: Record<string, string> = {};
  const folders: Record<string, string> = {};
  const archives = new Map<string, PackedPaths>();
  const pack = async (packed: PackedPaths) => {
    const name = `files/${await hashPaths(packed)}.tar`;
    archives.set(name, packed);
    return name;
  };
  const wanted = new Set<string>();
  mapStudyPaths(config, (path) => {
    wanted.add(path);
    return path;
  });
  for (const path of wanted)
    if (await pathExists(path))
      files[path] = await pack({ folder: dirname(resolve(path)), paths: [basename(path)] });
  for (const { id, path } of tasks) {
    if (isRecord(id)) continue;
    const [folder, task] = [dirname(dirname(path)), join(basename(dirname(path)), basename(path))];
    folders[id] = await pack({ folder, paths: await listTaskPaths(folder, task) });
  }
  const whole: StudyPackage = { format: 1, lock, config, checkpointEvery, rate, files, folders };
  const name = `studies/${lock.hash}.json`;
  // First: cleaning keeps the files that it refers to.
  await putPackage(store, name, whole, options);
  for (const [file, packed] of archives) await putFiles(store, file, packed, options);
  return { name, study: lock.hash };
}

async function putPackage(
  store: BlobStore,
  name: string,
  whole: StudyPackage,
  options: Cancellable,
): Promise<void> {
  await using folder = await openTemporaryFolder('package');
  const file = join(folder.path, 'package.json');
  await writeFile(file, JSON.stringify(whole));
  await store.put(name, file, options);
}

/** A task of a study, its agent's settings, and the study's own, with paths of this machine. */
export interface UnpackedAttempt {
  readonly config: StudyConfig;
  readonly checkpointEvery: number | undefined;
  readonly rate: ModelRate;
  readonly task: Task;
  readonly assertSame: (task: Task) => Promise<void>;
}

/**
 * Fetches what one attempt needs. The task's variant is not made yet; call `assertSame` when it is.
 * Errors: `no-data`, `bad-study`, `study-differs`.
 * @param cache a folder of this machine, where what was fetched is kept
 */
export async function unpackAttempt(
  { name, task: id }: { readonly name: string; readonly task: string },
  store: BlobStore,
  cache: string,
  options: Cancellable = {},
): Promise<UnpackedAttempt> {
  const read = await readPackage(name, studyPackage, store, options);
  const { lock, config: written, checkpointEvery, rate, files, folders } = read;
  const fetching = { store, cache, ...options };
  const places = new Map<string, string>();
  for (const [path, blob] of Object.entries(files)) {
    const file = basename(path);
    places.set(path, join(await fetchFiles(blob, () => [file], fetching), file));
  }
  const config = mapStudyPaths(written, (path) => places.get(path) ?? path);
  const folder = folders[id];
  const names =
    folder === undefined
      ? undefined
      : [join(await fetchFiles(folder, (unpacked) => listTaskPaths(unpacked, id), fetching), id)];
  const [dataset = '', ...record] = id.split('/');
  const { data, seed } = config;
  const chosen = await chooseTasks(
    names ? { names, seed } : { names: [dataset], data, seed, ids: [record.join('/')] },
  );
  const task = chosen.tasks.find((one) => one.id === id);
  if (!task) throw new PwpError('no-such-task', `${id} is not in what the study sent`);
  return {
    ...{ config, checkpointEvery, rate, task },
    async assertSame(made) {
      const planned = lock.tasks.find((one) => one.id === id);
      if (planned && planned.hash === (await hashTask(made, config))) return;
      throw new PwpError('study-differs', `the task ${id} is not the same here as where the study began`, {
        help: 'Images and programs that it names must be the same on all machines.',
      });
    },
  };
}

/** The files in the store that a study refers to. Errors: those of {@link BlobStore.get}, and `bad-study`. */
export async function listPackedFiles(
  name: string,
  store: BlobStore,
  options: Cancellable,
): Promise<string[]> {
  const { files, folders } = await readPackage(name, packedFiles, store, options);
  return [...Object.values(files), ...Object.values(folders)];
}

async function readPackage<T>(
  name: string,
  schema: z.ZodType<T>,
  store: BlobStore,
  options: Cancellable,
): Promise<T> {
  await using folder = await openTemporaryFolder('package');
  const file = join(folder.path, 'package.json');
  await store.get(name, file, options);
  const read = schema.safeParse(JSON.parse(await readFile(file, 'utf8')));
  if (read.success) return read.data;
  throw new PwpError('bad-study', `${name} is not a study: ${z.prettifyError(read.error)}`);
}

function isRecord(id: string): boolean {
  return isDataset(id.split('/', 1)[0] ?? '');
}

function assertNoSecrets({ agents }: StudyConfig): void {
  for (const { baseUrl } of agents)
    if (baseUrl !== undefined && URL.parse(baseUrl)?.password)
      throw new PwpError('usage', "a model's address with a password can't go through a queue", {
        help: "Set the key in the workers' environment.",
      });
}

/** What belongs to a task: its folder, and what all of its family share. */
async function listTaskPaths(above: string, task: string): Promise<string[]> {
  const shared = join(dirname(task), 'lib');
  return (await pathExists(join(above, shared))) ? [task, shared] : [task];
}
