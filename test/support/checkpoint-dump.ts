import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CheckpointMeta, newCheckpointId } from '../../host/node/checkpoint-store/checkpoint-files.ts';
import type { CheckpointStore } from '../../host/node/checkpoint-store/checkpoint-store.ts';
import type { CheckpointInfo } from '../../host/node/index.ts';

/** The content of a checkpoint's folder: memory in pages, and a file system. */
export interface Dump {
  readonly pages: Buffer;
  readonly text: string;
}

export const page = 4096;

export function newDump(pages = 600): Dump {
  return { pages: randomBytes(pages * page), text: randomBytes(20_000).toString('hex') };
}

/** The same memory except for some pages, and a word in the middle of a file. */
export function changed(dump: Dump, pages = 3): Dump {
  const copy = Buffer.from(dump.pages);
  for (let index = 0; index < pages; index++) randomBytes(page).copy(copy, index * 50 * page);
  return { pages: copy, text: `${dump.text.slice(0, 9000)} inserted ${dump.text.slice(9000)}` };
}

export function metaOf(more: Partial<CheckpointMeta> = {}): CheckpointMeta {
  return {
    name: null,
    parent: null,
    kind: 'live',
    role: 'bare',
    image: 'image',
    root: null,
    key: null,
    display: { width: 100, height: 100 },
    limits: { cpus: 1, memoryMb: 512, pids: 100, diskMb: 64 },
    network: { mode: 'no-network' },
    workspace: '/workspace',
    origin: null,
    kept: false,
    takenAt: new Date().toISOString(),
    frozenMs: 1,
    ...more,
  };
}

export async function fill(folder: string, dump: Dump): Promise<void> {
  await mkdir(join(folder, 'images'));
  await writeFile(join(folder, 'images/pages-1.img'), dump.pages);
  await writeFile(join(folder, 'images/inventory.img'), 'a small one');
  await mkdir(join(folder, 'files/folder'), { recursive: true });
  await writeFile(join(folder, 'files/folder/text'), dump.text);
}

export async function take(
  store: CheckpointStore,
  dump: Dump,
  more: Partial<CheckpointMeta> = {},
): Promise<CheckpointInfo> {
  await using draft = await store.begin(newCheckpointId());
  await fill(draft.folder, dump);
  return await draft.commit(metaOf(more));
}

/** The content of a held checkpoint's folder. */
export async function readDump(folder: string): Promise<Dump> {
  return {
    pages: await readFile(join(folder, 'images/pages-1.img')),
    text: await readFile(join(folder, 'files/folder/text'), 'utf8'),
  };
}

/** Kind, mode, owner, time, target, size, space and number of names of everything in a folder. */
export function describeTree(folder: string): string[] {
  const format = '%P %y %m %U %G %T@ %l %s %n\\n';
  // A folder's size and a socket's time depend on its history.
  const script =
    'cd "$1" && find . ! -type d ! -type s -printf "$2" && find . -type d -printf "%P %y %m %U %G %T@\\n" && find . -type s -printf "%P %y %m %U %G\\n"';
  const out = execFileSync('bash', ['-c', script, 'tree', folder, format], { encoding: 'latin1' });
  return out.trim().split('\n').sort();
}
