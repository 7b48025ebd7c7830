import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { PwpError } from '../../bridge/lib/index.ts';
import { packWhole, planFolder } from '../lib/index.ts';
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
const all = { ignored: true, secrets: true };

/**
 * A folder as a task: a copy of it is the workspace. It has no instruction, no solution and no tests, so grading it
 * fails. Errors: `no-such-folder`.
 */
export async function folderTask(path: string): Promise<Task> {
  const absolute = resolve(path);
  if (!(await isFolder(absolute))) throw new PwpError('no-such-folder', `${absolute} is not a folder`);
  return {
    id: `folder/${basename(absolute)}`,
    path: absolute,
    seed: null,
    instruction: '',
    config,
    seeds: async () => [
      { path: '/workspace', tar: await packWhole(await planFolder(absolute, all), mostBytes) },
    ],
    testSeeds: () => Promise.reject(new PwpError('no-tests', 'a folder that is not a task has no tests')),
    leaks: () => Promise.resolve([]),
    agentCodeUses: () => Promise.resolve([]),
    solutions: () => Promise.resolve([]),
    falseSolutions: () => Promise.resolve([]),
  };
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (info) => info.isDirectory(),
    () => false,
  );
}
