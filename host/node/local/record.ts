import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { PwpError } from '../../../bridge/lib/index.ts';
import { bounds, networkPolicy } from '../../../bridge/protocol/index.ts';
import { identify, isAlive, runFolder, type ProcessIdentity } from '../../lib/index.ts';
import { isSandboxId, sandboxPaths, type SandboxPaths } from './paths.ts';

const schema = z.object({
  id: z.string().refine(isSandboxId),
  name: z.string(),
  role: z.enum(['ide', 'bare']),
  owner: z.object({ pid: z.int().positive(), startTime: z.string() }).describe('the process that started it'),
  bootId: z.string().describe('of the kernel it was started under: no process outlives a boot'),
  phase: z.enum(['making', 'running']),
  keep: z.boolean().describe('outlives its owner'),
  display: z.object({
    width: z.int().positive().describe('pixels'),
    height: z.int().positive().describe('pixels'),
    audio: z.boolean().optional().describe('whether what the IDE plays can be heard; default false'),
  }),
  image: z.string().describe('key of the image it was made from'),
  layers: z
    .array(z.string().startsWith('/'))
    .readonly()
    .describe('folders of that image, the uppermost first'),
  limits: bounds,
  network: networkPolicy,
  checkpoint: z.string().nullable().describe('the one it was last restored from, or was last taken of it'),
  origin: z
    .string()
    .nullable()
    .default(null)
    .describe('id of the sandbox that it or its checkpoint began as; null if it is of an earlier version'),
  startedAt: z.iso.datetime(),
  home: z.string().startsWith('/').describe('cache folder that holds its file system'),
});

/**
 * The facts about a sandbox that are kept outside its processes. Written before anything else is made, so that a
 * sandbox that dies half made leaves a trace by which the rest is found.
 */
export type SandboxRecord = z.output<typeof schema>;

export function pathsOf(record: Pick<SandboxRecord, 'id' | 'home'>): SandboxPaths {
  return sandboxPaths(record.id, record.home);
}

/** Prefix of a run folder that does not count yet. */
export const unfinishedPrefix = '.new-';

/** Makes the run folder with its record in it as one step: no one ever sees the one without the other. */
export async function createRecord(record: SandboxRecord): Promise<void> {
  const { run } = pathsOf(record);
  const temporary = join(runFolder, `${unfinishedPrefix}${record.id}`);
  await mkdir(temporary, { mode: 0o700 });
  await writeFile(join(temporary, 'sandbox.json'), JSON.stringify(record, null, 2), { mode: 0o600 });
  await rename(temporary, run);
}

/** Replaces the record as one step: a reader sees the old or the new one. */
export async function writeRecord(record: SandboxRecord): Promise<void> {
  const { record: path } = pathsOf(record);
  await writeFile(`${path}.new`, JSON.stringify(record, null, 2), { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** The record of one sandbox. Null if it does not exist or can't be read. */
export async function readRecord(id: string): Promise<SandboxRecord | null> {
  if (!isSandboxId(id)) return null;
  try {
    return schema.parse(JSON.parse(await readFile(join(runFolder, id, 'sandbox.json'), 'utf8')));
  } catch {
    return null;
  }
}

export async function findRecord(id: string): Promise<SandboxRecord> {
  const record = await readRecord(id);
  if (record) return record;
  throw new PwpError('no-such-sandbox', `there is no sandbox ${JSON.stringify(id)}`, {
    help: 'List the sandboxes: pwp sandboxes list',
  });
}

/** Names in a folder that can be sandboxes' ids; none where there is no such folder. */
export async function idsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter(isSandboxId);
}

export async function thisProcess(): Promise<ProcessIdentity> {
  const self = await identify(process.pid);
  if (self) return self;
  throw new PwpError('no-proc', "can't read this process's entry in /proc");
}

/** Whether no process will ever come back for this sandbox. */
export async function isAbandoned(record: SandboxRecord, bootId: string): Promise<boolean> {
  if (record.bootId !== bootId) return true;
  if (await isAlive(record.owner)) return false;
  return !record.keep || record.phase === 'making';
}
