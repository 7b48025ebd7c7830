import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeError, neverAborted, PwpError } from '../../../bridge/lib/index.ts';
import { acquireLock, pathExists, readAgeMs, readBootId, runFolder } from '../../lib/index.ts';
import { awaitOrphans, findInterruptedWork } from '../checkpoint/index.ts';
import {
  buildSandboxPaths,
  destroySandbox,
  isAbandoned,
  listSandboxIds,
  readSandboxRecord,
  resolveSandboxPaths,
  resumeContainer,
  runcRoot,
  sandboxesFolder,
  type SandboxRecord,
  unfinishedRunPrefix,
} from '../container/index.ts';
import type { SweepReport } from '../node.ts';

/** Making a run folder takes microseconds; one that is unfinished for this long, in milliseconds, has no maker. */
const unfinishedMs = 60_000;

/**
 * Removes every sandbox whose owner is gone, unless it was to be kept, and everything that half-made or half-removed
 * ones left. Never touches one whose owner runs. Two sweeps at once don't disturb each other.
 * One that can't be removed does not keep the rest: `sweep-failed` is thrown at the end.
 * @param home the cache folder, searched for file systems whose record was lost, as /run is at a reboot
 */
export async function sweepSandboxes(home: string): Promise<SweepReport> {
  await mkdir(runFolder, { recursive: true, mode: 0o700 });
  await removeUnfinished();
  // A record is made before and removed after everything else. So these lists are read before the records are: what
  // is in them and has no record has lost it.
  const traces = [
    ...(await listSandboxIds(sandboxesFolder(home))),
    ...(await listSandboxIds(runcRoot)),
    ...(await listSandboxIds(runFolder)),
  ];
  const boot = await readBootId();
  const removed: string[] = [];
  const failures: unknown[] = [];
  for (const id of new Set(traces)) {
    try {
      if (await sweepOne(id, home, boot)) removed.push(id);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length === 0) return { removed };
  const text = `can't remove all that was left behind: ${failures.map(describeError).join('; ')}`;
  throw new PwpError('sweep-failed', text, { cause: failures[0] });
}

async function sweepOne(id: string, home: string, bootId: string): Promise<boolean> {
  const record = await readSandboxRecord(id);
  if (record && (await findInterruptedWork(resolveSandboxPaths(record))))
    await awaitOrphans(id, resolveSandboxPaths(record));
  // A record that can't be read is another version's: its sandbox is not ours to judge.
  if (!record && (await pathExists(buildSandboxPaths(id, home).record))) return false;
  if (record && !(await isAbandoned(record, bootId)) && (await isWhole(record))) return false;
  await destroySandbox(id, record ? resolveSandboxPaths(record) : buildSandboxPaths(id, home));
  return true;
}

/** Resumes a sandbox that is frozen because the process that took its checkpoint is gone. One half restored is not whole. */
async function isWhole(record: SandboxRecord): Promise<boolean> {
  const paths = resolveSandboxPaths(record);
  const left = await findInterruptedWork(paths);
  if (left === null) return true;
  if (left === 'restore') return false;
  // Another process may have begun to work on it.
  await using lock = await acquireLock(paths.turn, { signal: neverAborted, purpose: left });
  void lock;
  await resumeContainer(record.id);
  return true;
}

async function removeUnfinished(): Promise<void> {
  for (const name of await readdir(runFolder)) {
    const path = join(runFolder, name);
    if (name.startsWith(unfinishedRunPrefix) && (await readAgeMs(path)) > unfinishedMs)
      await rm(path, { recursive: true, force: true });
  }
}
