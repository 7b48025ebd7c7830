import { execa } from 'execa';
import { deadline, poll, type Probe, clipEnd } from '../../../../bridge/lib/index.ts';
import { readMounts } from './mounts.ts';

/**
 * Removes a folder and everything below it. Mounts in it are unmounted first, innermost first, and no file system but
 * the folder's own is ever emptied: /dev of this machine may be bound into the tree.
 */
export async function removeTree(folder: string): Promise<void> {
  const below = (await readMounts()).filter(
    ({ target }) => target === folder || target.startsWith(`${folder}/`),
  );
  for (const { target } of below.reverse()) await execa('umount', ['--lazy', target], { reject: false });
  // Processes of a build that was just killed may still add a file while they die.
  using limit = deadline(`removal of ${folder}`, 10_000);
  await poll(`removal of ${folder}`, () => removeFiles(folder), { intervalMs: 100, signal: limit.signal });
}

async function removeFiles(folder: string): Promise<Probe<void>> {
  const { exitCode, stderr } = await execa('rm', ['-rf', '--one-file-system', folder], { reject: false });
  return exitCode === 0 ? { done: true, value: undefined } : { done: false, saw: clipEnd(stderr, 500) };
}
