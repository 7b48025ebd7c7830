import { Readable } from 'node:stream';
import { deadline, describeError } from '../../../bridge/lib/index.ts';
import { type FileEntry, type FolderChanges, readChanges, type Sandbox } from '../../node/index.ts';
import { packArchive } from '../format/index.ts';
import type { AskIdeOptions } from './ask-ide.ts';
import { startUntouched } from './fresh-sandbox.ts';

/** The changes that an agent made to its task's workspace; or why they are not known. */
export type LeftChanges = FolderChanges | { readonly problem: string };

/** More than this is not compared. */
const compareBounds = { entries: 50_000, bytes: 2 * 1024 ** 3 };
/** The same where it came with an image, which may have the packages and builds of a whole project. */
const imageBounds = { entries: 200_000, bytes: 8 * 1024 ** 3 };
const compareMs = 60_000;
const imageCompareMs = 600_000;

/**
 * Compares the workspace of a frozen sandbox with the task's. Never fails: a score that depends on it is the caller's.
 * Rejects only with the signal's reason.
 */
export async function readLeftChanges(options: AskIdeOptions): Promise<LeftChanges> {
  const { sandbox, task, signal } = options;
  if (task.config.pwp.setup !== undefined)
    return { problem: "the task's set-up script made a part of the workspace" };
  const ms = sandbox.root === null ? compareMs : imageCompareMs;
  using limit = deadline('the comparison of the workspace', ms, signal);
  const limited = { ...options, signal: limit.signal };
  try {
    return await (sandbox.root === null ? compareWithTask(limited) : compareWithImage(limited));
  } catch (error) {
    signal.throwIfAborted();
    return { problem: describeError(error) };
  }
}

async function compareWithTask({ sandbox, task, signal }: AskIdeOptions): Promise<FolderChanges> {
  const { workspace } = sandbox;
  const { entries, large } = await task.workspace(workspace);
  const known = large.map(({ path, bytes, sha256: hash }): [string, FileEntry] => [
    path,
    { kind: 'file', executable: false, bytes, hash },
  ]);
  const start = packArchive(entries);
  return await readChanges(
    (read) => read(Readable.from([start])),
    (read) => sandbox.archive(workspace, read, { signal }),
    { bounds: compareBounds, known: new Map(known) },
  );
}

async function compareWithImage(options: AskIdeOptions): Promise<FolderChanges> {
  await using untouched = await startUntouched(options);
  return await compareFolders(untouched, options.sandbox, options.signal);
}

/** Compares the workspaces of two sandboxes of the same image. Errors: those of `readChanges`. */
export function compareFolders(before: Sandbox, after: Sandbox, signal: AbortSignal): Promise<FolderChanges> {
  return readChanges(
    (read) => before.archive(before.workspace, read, { signal }),
    (read) => after.archive(after.workspace, read, { signal }),
    { bounds: imageBounds, known: new Map() },
  );
}
