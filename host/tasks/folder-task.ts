import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { PwpError } from '../../bridge/lib/index.ts';
import { packWhole, planFolder, type LeftOut } from '../lib/index.ts';
import { taskConfig } from './schema.ts';
import type { Task } from './task.ts';

const config = taskConfig.parse({
  version: '1.0',
  metadata: {
    author_name: 'none',
    author_email: 'none',
    difficulty: 'easy',
    category: 'none',
  },
  agent: { timeout_sec: 86_400 },
  verifier: { timeout_sec: 60 },
  pwp: { features: ['none'] },
});

/** Bytes of a folder's files: they are kept for further resets. */
const mostBytes = 1024 * 1024 * 1024;

export interface FolderTaskOptions {
  /** Copy what `.gitignore` and `.pwpignore` files name, too. Default false. */
  readonly includeIgnored?: boolean | undefined;
  /** Copy what looks like a password or a key, too. Default false. */
  readonly includeSecrets?: boolean | undefined;
  /** Called for each copy that leaves out anything, with the list of what it leaves out. */
  readonly onLeftOut?: ((leftOut: readonly LeftOut[]) => void) | undefined;
}

/**
 * A folder as a task: a copy of it is the workspace. It has no instruction, no solution and no tests, so grading it
 * fails. Errors: `no-such-folder`.
 */
export async function folderTask(path: string, options: FolderTaskOptions = {}): Promise<Task> {
  const absolute = resolve(path);
  if (!(await isFolder(absolute))) throw new PwpError('no-such-folder', `${absolute} is not a folder`);
  return {
    ...openTask(`folder/${basename(absolute)}`, ''),
    path: absolute,
    seeds: async () => [{ path: '/workspace', tar: await copyOf(absolute, options) }],
  };
}

/**
 * A session in which people and an agent work together in an IDE, as they like. It has no initial state, no solution
 * and no tests, so grading it fails.
 * @param id for its record
 */
export function openTask(id: string, instruction: string): Task {
  return {
    id,
    path: '',
    seed: null,
    instruction,
    config,
    seeds: () => Promise.resolve([]),
    workspace: noTests,
    testSeeds: noTests,
    leaks: () => Promise.resolve([]),
    agentCodeUses: () => Promise.resolve([]),
    solutions: () => Promise.resolve([]),
    falseSolutions: () => Promise.resolve([]),
  };
}

function noTests(): Promise<never> {
  return Promise.reject(new PwpError('no-tests', 'what is not a task has no tests'));
}

async function copyOf(
  folder: string,
  { includeIgnored: ignored, includeSecrets: secrets, onLeftOut }: FolderTaskOptions,
): Promise<Uint8Array> {
  const plan = await planFolder(folder, { ignored, secrets });
  if (plan.leftOut.length > 0) onLeftOut?.(plan.leftOut);
  return packWhole(plan, mostBytes);
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (info) => info.isDirectory(),
    () => false,
  );
}
