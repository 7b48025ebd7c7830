import { Readable } from 'node:stream';
import { deadline, messageOf } from '../../bridge/lib/index.ts';
import { readChanges, type FileEntry, type ReadChanges } from '../changes/index.ts';
import type { Sandbox } from '../node/index.ts';
import { archive, type Task } from '../tasks/index.ts';

/** The changes that an agent made to its task's workspace; or why they are not known. */
export type LeftChanges = ReadChanges | { readonly problem: string };

/** More than this is not compared. */
const bounds = { entries: 50_000, bytes: 2 * 1024 ** 3 };
const compareMs = 60_000;

/**
 * Compares the workspace of a frozen sandbox with the task's. Never fails: no score depends on it. Rejects only with the
 * signal's reason.
 */
export async function readLeft(task: Task, sandbox: Sandbox, signal: AbortSignal): Promise<LeftChanges> {
  if (task.config.pwp.setup !== undefined)
    return { problem: "the task's set-up script made a part of the workspace" };
  using limit = deadline('the comparison of the workspace', compareMs, signal);
  try {
    const { entries, large } = await task.workspace();
    const known = large.map(({ path, bytes, sha256: hash }): [string, FileEntry] => [
      path,
      { kind: 'file', executable: false, bytes, hash },
    ]);
    const start = archive(entries);
    return await readChanges(
      (read) => read(Readable.from([start])),
      (read) => sandbox.archive('/workspace', read, { signal: limit.signal }),
      { bounds, known: new Map(known) },
    );
  } catch (error) {
    signal.throwIfAborted();
    return { problem: messageOf(error) };
  }
}
