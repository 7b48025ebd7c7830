import { join } from 'node:path';
import { badTask } from './bad-task.ts';
import { findLeaks, type Leak, type Secret } from './leaks/index.ts';
import type { TaskConfig } from './schema.ts';
import { initialPlaces } from './seeds.ts';
import type { TaskFolder } from './task-folder.ts';

const folders = ['tests', 'solution', 'false-solutions'] as const;

/** What of a task's tests and solutions the agent could read, but for what the task means it to. Errors: `bad-task`. */
export async function leaksOf(folder: TaskFolder, config: TaskConfig): Promise<Leak[]> {
  const secrets = await secretsOf(folder);
  const known = config.pwp.known_inside;
  const missing = known.find((path) => !secrets.some((secret) => secret.path === path));
  if (missing !== undefined)
    throw badTask(
      join(folder.path, 'task.toml'),
      `pwp.known_inside: expected files of the task, found "${missing}"`,
    );
  const unknown = secrets.filter(({ path }) => !known.includes(path));
  return findLeaks(await initialPlaces(folder, config), unknown);
}

async function secretsOf(folder: TaskFolder): Promise<Secret[]> {
  const trees = await Promise.all(folders.map((name) => folder.tree(name)));
  return trees.flatMap((entries, index) =>
    entries.flatMap((entry) =>
      entry.kind === 'file'
        ? [{ path: `${folders[index] ?? ''}/${entry.path}`, content: entry.content }]
        : [],
    ),
  );
}
