import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packFolder, planFolder } from '../host/lib/index.ts';
import { rootUser } from '../host/node/agent-root.ts';
import { unpackSeed } from '../host/node/container/root-contents.ts';

const fileMb = 64;
const block = Buffer.alloc(2 ** 20, 'pixels');

/**
 * Copies a folder as `pwp up` does and reports how much this process grows by it.
 * @param count files of 64 MiB; default: 1 GiB together
 */
export async function copy(signal: AbortSignal, count = 16): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pwp-copy-'));
  try {
    const [from, to] = [join(folder, 'from'), join(folder, 'to')];
    for (const each of [from, to]) await mkdir(each);
    for (let i = 0; i < count; i += 1) await writeLarge(join(from, `${i}`));
    const before = process.memoryUsage.rss();
    const start = performance.now();
    await unpackSeed(to, { path: '/workspace', tar: packFolder(await planFolder(from)) }, rootUser, signal);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const grownMb = Math.round(process.resourceUsage().maxRSS / 2 ** 10 - before / 2 ** 20);
    process.stdout.write(`${count * fileMb} MiB in ${seconds} s; the process grew by ${grownMb} MiB\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeLarge(path: string): Promise<void> {
  await using file = await open(path, 'w');
  for (let i = 0; i < fileMb; i += 1) await file.write(block);
}
