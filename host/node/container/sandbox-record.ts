import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { PwpError } from '../../../bridge/lib/index.ts';
import {
  defaultWorkspace,
  displaySize,
  networkPolicy,
  sandboxBounds,
  workspaceFolder,
} from '../../../bridge/protocol/index.ts';
import { isProcessAlive, runFolder } from '../../lib/index.ts';
import { agentRootSchema } from '../agent-root.ts';

/** Everything that a sandbox owns on this machine outside its processes; absolute paths. */
export interface SandboxPaths {
  /** Run folder, private to its owner; holds all of the following but `disk`. */
  readonly run: string;
  readonly record: string;
  /** Seen inside as /run/pwp, of the agent's user: sockets of the bridge's side there and of extension hosts, logs. */
  readonly shared: string;
  /** Memory that the X server shares with this machine's processes. Not seen inside. */
  readonly screen: string;
  /** Seen inside as /desk, of the desktop's user alone: the sockets of bridge and X server, logs, temporary files. */
  readonly desk: string;
  /** A file that the sandbox's network namespace is mounted on. */
  readonly netns: string;
  readonly runcLog: string;
  /** Logs of the last dump and restore. */
  readonly criuWork: string;
  /** The lock of the process that takes a checkpoint or restores one: others wait, and interrupted work is found. */
  readonly turn: string;
  /** Who may act, when that one last did, and questions to people; made when a person first acts or is asked. */
  readonly lease: string;
  readonly leaseUsed: string;
  readonly questions: string;
  /** Which session plays a batch at the moment. */
  readonly batch: string;
  /** Activity that keeps the IDE busy and that no input caused. */
  readonly lasting: string;
  /** Folder of the file system: the overlay's parts and the runc bundle. */
  readonly disk: string;
  /** A sparse file with the file system of all that the sandbox writes, and the folder that it is mounted on. */
  readonly volumeFile: string;
  readonly volume: string;
  readonly upper: string;
  readonly work: string;
  readonly merged: string;
  /** Our image alone, read-only: seen inside at /.pwp, and what the desktop's programs have as their root. */
  readonly imageRoot: string;
  /** In `merged`, where something else is mounted on it inside: the browser's profile. */
  readonly profile: string;
  readonly bundle: string;
  /** Options for CRIU beside runc's own. */
  readonly criuConfig: string;
}

/** Where runc keeps its own state of our containers. */
export const runcRoot = join(runFolder, 'runc');

export function buildSandboxPaths(id: string, home: string): SandboxPaths {
  const runPath = join(runFolder, id);
  const disk = join(sandboxesFolder(home), id);
  return {
    run: runPath,
    record: join(runPath, 'sandbox.json'),
    shared: join(runPath, 'run'),
    screen: join(runPath, 'screen'),
    desk: join(runPath, 'desk'),
    netns: join(runPath, 'netns'),
    runcLog: join(runPath, 'runc.log'),
    criuWork: join(runPath, 'criu'),
    turn: join(runPath, 'turn.lock'),
    lease: join(runPath, 'lease.json'),
    leaseUsed: join(runPath, 'lease-used.json'),
    questions: join(runPath, 'questions.json'),
    batch: join(runPath, 'batch.json'),
    lasting: join(runPath, 'lasting.json'),
    disk,
    volumeFile: join(disk, 'volume.ext4'),
    volume: join(disk, 'volume'),
    upper: join(disk, 'volume/upper'),
    work: join(disk, 'volume/work'),
    merged: join(disk, 'merged'),
    imageRoot: join(disk, 'image'),
    profile: join(disk, 'merged/desk-profile'),
    bundle: join(disk, 'bundle'),
    criuConfig: join(disk, 'bundle/criu.conf'),
  };
}

export function sandboxesFolder(home: string): string {
  return join(home, 'sandboxes');
}

const sandboxIdPattern = /^[A-Za-z0-9][A-Za-z0-9-]{0,31}-[0-9a-f]{8}$/;

/** Whether `id` can be a sandbox's: nothing else may become part of a path. */
export function isSandboxId(id: string): boolean {
  return sandboxIdPattern.test(id);
}

/** A new id that begins with the sandbox's name. Errors: `bad-name`. */
export function newSandboxId(name: string): string {
  const id = `${name}-${randomBytes(4).toString('hex')}`;
  if (isSandboxId(id)) return id;
  throw new PwpError('bad-name', `bad sandbox name ${JSON.stringify(name)}`, {
    help: 'Use up to 32 letters, digits and dashes, the first one not a dash.',
  });
}

const sandboxRecordSchema = z.object({
  id: z.string().refine(isSandboxId),
  name: z.string(),
  role: z.enum(['ide', 'bare']),
  owner: z.object({ pid: z.int().positive(), startTime: z.string() }).describe('the process that started it'),
  bootId: z.string().describe('of the kernel it was started under: no process outlives a boot'),
  phase: z.enum(['making', 'running']),
  keep: z.boolean().describe('outlives its owner'),
  display: displaySize,
  image: z.string().describe('key of the image it was made from'),
  layers: z
    .array(z.string().startsWith('/'))
    .readonly()
    .describe('folders of that image, the uppermost first'),
  root: agentRootSchema.nullable().default(null).describe("of the agent's side; null for that image"),
  limits: sandboxBounds,
  network: networkPolicy,
  workspace: workspaceFolder.default(defaultWorkspace).describe('absent in records of an earlier version'),
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
export type SandboxRecord = z.output<typeof sandboxRecordSchema>;

export function resolveSandboxPaths(record: Pick<SandboxRecord, 'id' | 'home'>): SandboxPaths {
  return buildSandboxPaths(record.id, record.home);
}

/** Prefix of a run folder that does not count yet. */
export const unfinishedRunPrefix = '.new-';

/** Makes the run folder with its record in it as one step: no one ever sees the one without the other. */
export async function createSandboxRecord(record: SandboxRecord): Promise<void> {
  const { run } = resolveSandboxPaths(record);
  const temporary = join(runFolder, `${unfinishedRunPrefix}${record.id}`);
  await mkdir(temporary, { mode: 0o700 });
  await writeFile(join(temporary, 'sandbox.json'), JSON.stringify(record, null, 2), { mode: 0o600 });
  await rename(temporary, run);
}

/** Replaces the record as one step: a reader sees the old or the new one. */
export async function writeSandboxRecord(record: SandboxRecord): Promise<void> {
  const { record: path } = resolveSandboxPaths(record);
  await writeFile(`${path}.new`, JSON.stringify(record, null, 2), { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** The record of one sandbox. Null if it does not exist or can't be read. */
export async function readSandboxRecord(id: string): Promise<SandboxRecord | null> {
  if (!isSandboxId(id)) return null;
  try {
    return sandboxRecordSchema.parse(JSON.parse(await readFile(join(runFolder, id, 'sandbox.json'), 'utf8')));
  } catch {
    return null;
  }
}

export async function findSandboxRecord(id: string): Promise<SandboxRecord> {
  const record = await readSandboxRecord(id);
  if (record) return record;
  throw new PwpError('no-such-sandbox', `there is no sandbox ${JSON.stringify(id)}`, {
    help: 'List the sandboxes: pwp sandboxes list',
  });
}

/** Names in a folder that can be sandboxes' ids; none where there is no such folder. */
export async function listSandboxIds(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter(isSandboxId);
}

/** Whether no process will ever come back for this sandbox. */
export async function isAbandoned(record: SandboxRecord, bootId: string): Promise<boolean> {
  if (record.bootId !== bootId) return true;
  if (await isProcessAlive(record.owner)) return false;
  return !record.keep || record.phase === 'making';
}
