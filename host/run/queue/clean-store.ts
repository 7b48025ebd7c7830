import { type Cancellable, neverAborted } from '../../../bridge/lib/index.ts';
import { forEachParallel } from '../../lib/index.ts';
import type { AttemptQueue } from './attempt-queue.ts';
import type { BlobStore, StoredBlob } from './blob-store.ts';
import { listJobs } from './queue-state.ts';
import { listPackedFiles } from './study-package.ts';

/** How many of each were removed. */
export interface CleanedStore {
  readonly studies: number;
  readonly records: number;
  /** Archives of tasks and data. */
  readonly files: number;
}

export interface CleanStoreOptions extends Cancellable {
  /** What was put within this time stays, in milliseconds. A study is put each time that it starts. */
  readonly olderMs: number;
}

/** In each folder of a store, the names of ours, and of drafts that were left. Others are never removed. */
const ownNames = {
  studies: /^studies\/[0-9a-f]+\.json/,
  records: /^records\/[\w.~-]+\.tar/,
  files: /^files\/[0-9a-f]+\.tar/,
} as const;

/** Removals at a time. */
const width = 8;

/**
 * Removes what is old and not needed: studies and records of attempts that are not in the queue, and files that no
 * other study in the store refers to. Errors: those of {@link BlobStore}; `bad-study` for a study that can't be read.
 */
export async function cleanStore(
  queue: AttemptQueue,
  store: BlobStore,
  { olderMs, signal = neverAborted }: CleanStoreOptions,
): Promise<CleanedStore> {
  await store.check({ signal });
  const before = Date.now() - olderMs;
  // Studies last: one that is put meanwhile keeps its files, unless it is put during the removal.
  const files = await listOwn(store, 'files', signal);
  const records = await listOwn(store, 'records', signal);
  const studies = await listOwn(store, 'studies', signal);
  const jobs = await queue.ask(() => listJobs(queue), signal);
  const needed = new Set(jobs.map(({ data }) => data.package));
  const ids = new Set(jobs.map(({ id }) => id));
  const isStale = ({ putAt, name }: StoredBlob) => putAt < before && !needed.has(name);
  const stale = {
    studies: studies.filter(isStale),
    records: records.filter((one) => isStale(one) && !ids.has(readJobId(one.name))),
  };
  for (const one of studies)
    if (!isStale(one) && one.name.endsWith('.json'))
      for (const file of await listPackedFiles(one.name, store, { signal })) needed.add(file);
  const removed = { ...stale, files: files.filter(isStale) };
  const all = Object.values(removed).flat();
  await forEachParallel(all, width, signal, ({ name }) => store.remove(name, { signal }));
  return {
    studies: removed.studies.length,
    records: removed.records.length,
    files: removed.files.length,
  };
}

async function listOwn(
  store: BlobStore,
  folder: keyof typeof ownNames,
  signal: AbortSignal,
): Promise<StoredBlob[]> {
  const found: StoredBlob[] = [];
  for await (const one of store.list(`${folder}/`, { signal }))
    if (ownNames[folder].test(one.name)) found.push(one);
  return found;
}

/** The job that `records/<job>.<number of the try>.tar` is of. */
function readJobId(name: string): string {
  return name.slice('records/'.length).replace(/\.\d+\.tar.*$/, '');
}
