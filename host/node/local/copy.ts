import { chmod, chown, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PwpError, messageOf } from '../../../bridge/lib/index.ts';
import type { CopySpec } from '../spec.ts';
import { makeFolderInside, namesOf, openInside } from './inside.ts';
import { run } from './run.ts';

/** Programs that walk a tree by recursion, as Python's do, get no further than some hundreds. */
const deepest = 100;

/**
 * Copies folders from the root of a frozen sandbox to the same places in the root of one that does not run yet. The
 * image's files there are removed first, so a file that is gone in the source is gone in the copy. Links are copied,
 * never followed; devices, pipes and sockets are left out. A folder that isn't in the source isn't in the copy either.
 * Errors: `unsafe-path`, `too-deep`, unless the spec names a file that lists what is left out.
 */
export async function copyFolders(
  source: string,
  target: string,
  { paths, only, leftOut }: Omit<CopySpec, 'from'>,
  signal: AbortSignal,
): Promise<void> {
  const problems: string[] = [];
  for (const path of paths) {
    try {
      await (only ? copyParts(source, target, path, only, signal) : copyFolder(source, target, path, signal));
    } catch (error) {
      if (leftOut === undefined || !isOfContent(error)) throw error;
      problems.push(messageOf(error));
    }
  }
  if (leftOut === undefined) return;
  const folder = await makeFolderInside(target, dirname(leftOut));
  await writeFile(join(folder, basename(leftOut)), problems.map((problem) => `${problem}\n`).join(''), {
    flag: 'wx',
  });
}

/** Errors that programs in the source can cause, unlike a full disk. */
function isOfContent(error: unknown): boolean {
  return error instanceof PwpError && ['unsafe-path', 'too-deep'].includes(error.code);
}

/** The folder itself, empty except for some folders in it. Each folder on the way has owner and mode of the source's. */
async function copyParts(
  source: string,
  target: string,
  path: string,
  only: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  await rm(join(await makeFolderInside(target, dirname(path)), basename(path)), {
    recursive: true,
    force: true,
  });
  const wanted: string[] = [];
  for (const part of only) {
    await using opened = await openInside(source, `${path}/${part}`);
    if (opened) wanted.push(part);
  }
  for (const folder of new Set([path, ...wanted.flatMap((part) => foldersTo(path, part))]))
    await makeAlike(source, target, folder);
  for (const part of wanted) await copyFolder(source, target, `${path}/${part}`, signal);
}

/** The folders below a path that another one is in. */
function foldersTo(path: string, part: string): string[] {
  const names = namesOf(`/${part}`).slice(0, -1);
  return names.map((_, index) => [path, ...names.slice(0, index + 1)].join('/'));
}

async function makeAlike(source: string, target: string, path: string): Promise<void> {
  await using opened = await openInside(source, path);
  if (!opened) return;
  const made = await makeFolderInside(target, path);
  const { uid, gid, mode } = await opened.stat();
  await chown(made, uid, gid);
  await chmod(made, mode & 0o777);
}

async function copyFolder(source: string, target: string, path: string, signal: AbortSignal): Promise<void> {
  const names = namesOf(path);
  if (names.length === 0)
    throw new PwpError('unsafe-path', "the whole root can't be copied, only folders in it");
  const parent = await makeFolderInside(target, dirname(`/${names.join('/')}`));
  const to = join(parent, basename(path));
  await rm(to, { recursive: true, force: true });
  // Looked up name by name for the links on the way. Nothing can change afterwards: all processes are frozen.
  await using opened = await openInside(source, path);
  if (!opened) return;
  if (!(await opened.stat()).isDirectory()) throw new PwpError('unsafe-path', `${path} is not a folder`);
  const from = join(source, ...names);
  const isDeep = await hasBelow(from, signal);
  const isLong = await copyTree(from, to, isDeep, signal);
  await run('find', [to, '!', '(', '-type', 'f', '-o', '-type', 'd', '-o', '-type', 'l', ')', '-delete'], {
    signal,
  });
  const what = isDeep ? `folders nested more than ${deepest} deep` : 'paths longer than the system takes';
  if (isDeep || isLong) throw new PwpError('too-deep', `${path} has ${what}: what is below is missing`);
}

/** Whether anything lies deeper than what is copied. */
async function hasBelow(folder: string, signal: AbortSignal): Promise<boolean> {
  const below = String(deepest + 1);
  const found = await run('find', [folder, '-mindepth', below, '-maxdepth', below, '-printf', 'x', '-quit'], {
    signal,
  });
  return found !== '';
}

/** Whether there are paths that no program can copy. All others are copied then. */
async function copyTree(from: string, to: string, isDeep: boolean, signal: AbortSignal): Promise<boolean> {
  let isLong = false;
  try {
    await run('cp', ['-a', '--reflink=auto', '--no-target-directory', '--', from, to], { signal });
  } catch (error) {
    isLong = messageOf(error).includes('File name too long');
    if (!isLong) throw error;
  }
  if (isDeep) await run('find', [to, '-mindepth', String(deepest + 1), '-delete'], { signal });
  return isLong;
}
