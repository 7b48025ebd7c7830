import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { TemporaryFolder } from './folder.ts';
import { type LayerEntry, writeOciLayout } from './oci-layout.ts';
import { makeSmallRoot } from './small-root.ts';

/** Every capability, permitted and effective, as the kernel reads it from a file. */
const everyCapability = Buffer.from(
  '010000020000000000000000ffffffffffffffff000000000000000000',
  'hex',
).subarray(0, 20);
const manyFolders = 200;
const filesInEach = 1000;

/**
 * Writes an image whose parts are all made to do harm: links that lead out, pipes in the place of files, libraries to
 * preload, an entry point that never returns, capabilities, names that are no text, and 200,000 files.
 * @returns the path of its layout
 */
export async function writeHostileImage(folder: TemporaryFolder): Promise<string> {
  const small = folder.file('small');
  await makeSmallRoot(small);
  const path = folder.file('hostile');
  const many = Array.from({ length: manyFolders }, (_, at) => [
    { name: `many/${at}`, type: 'folder' } as const,
    ...Array.from({ length: filesInEach }, (__, file) => ({ name: `many/${at}/${file}` })),
  ]);
  await writeOciLayout(path, {
    layers: [await readEntries(small), [...harm, { name: 'many', type: 'folder' }], many.flat()],
    config: {
      Entrypoint: ['/entry.sh'],
      Env: ['PATH=/usr/bin:/bin', 'LD_PRELOAD=/lib/none.so', 'NODE_OPTIONS=--no-such-option'],
      WorkingDir: '/project',
    },
  });
  return path;
}

const harm: readonly LayerEntry[] = [
  { name: 'pipe', type: 'fifo', mode: 0o777 },
  { name: 'bin/sh', type: 'fifo', mode: 0o777 },
  { name: 'bin/git', type: 'fifo', mode: 0o777 },
  { name: 'bin/python3', type: 'symlink', target: 'python3' },
  { name: 'etc/os-release', type: 'fifo' },
  { name: 'etc/ld.so.preload', content: '/lib/none.so\n/pipe\n' },
  { name: 'etc/gitconfig', type: 'fifo' },
  { name: 'entry.sh', content: '#!/bin/bash\nwhile :; do sleep 1; done\n', mode: 0o755 },
  { name: 'opt', type: 'symlink', target: '/' },
  { name: 'home', type: 'symlink', target: '../../../..' },
  { name: 'ide', type: 'symlink', target: '/' },
  { name: '.pwp', type: 'symlink', target: '/etc' },
  { name: 'bin/able', content: 'able', mode: 0o4755, attributes: { 'security.capability': everyCapability } },
  { name: Buffer.from('project/\xff\xfe', 'latin1'), content: 'no text' },
  { name: Buffer.from('\xff', 'latin1'), type: 'folder' },
  { name: 'project/out', type: 'symlink', target: '/proc/1/root' },
];

async function readEntries(root: string, below = ''): Promise<LayerEntry[]> {
  const names = (await readdir(join(root, below))).sort();
  const found = await Promise.all(names.map((name) => readEntry(root, join(below, name))));
  return found.flat();
}

async function readEntry(root: string, name: string): Promise<LayerEntry[]> {
  const path = join(root, name);
  const info = await lstat(path);
  const mode = info.mode & 0o7777;
  if (info.isDirectory()) return [{ name, type: 'folder', mode }, ...(await readEntries(root, name))];
  if (info.isSymbolicLink()) return [{ name, type: 'symlink', target: await readlink(path) }];
  return [{ name, mode, content: await readFile(path) }];
}
