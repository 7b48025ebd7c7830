import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { execa } from 'execa';
import { temporaryFolder } from './folder.ts';

export const MiB = 1024 * 1024;

/** A file system of this size on a new folder; disposing it removes it. */
export async function smallDisk(bytes: number): Promise<{ readonly path: string } & AsyncDisposable> {
  const folder = await temporaryFolder();
  const [file, path] = [folder.file('disk.ext4'), folder.file('disk')];
  await writeFile(file, '');
  await truncate(file, bytes);
  await mkdir(path);
  await execa('mkfs.ext4', ['-q', '-F', '-m', '0', file]);
  await execa('mount', ['-o', 'loop', file, path]);
  return {
    path,
    async [Symbol.asyncDispose]() {
      await execa('umount', [path]);
      await folder[Symbol.asyncDispose]();
    },
  };
}
