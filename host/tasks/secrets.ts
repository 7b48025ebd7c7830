import { join } from 'node:path';
import { badTask } from './bad-task.ts';
import { findLeaks, type Leak, type Secret } from './leaks/index.ts';
import type { TaskConfig } from './schema.ts';
import { initialPlaces } from './seeds.ts';
import type { TaskFiles } from './task-files.ts';

const folders = ['tests', 'solution', 'false-solutions'] as const;

/** The parts of a task's tests and solutions that the agent could read against the task's intent. Errors: `bad-task`. */
export async function leaksOf(folder: TaskFiles, config: TaskConfig): Promise<Leak[]> {
  const secrets = await secretsOf(folder);
  const { known_inside: named } = config.pwp;
  const missing = named.find((name) => !secrets.some(({ path }) => isIn(path, name)));
  if (missing !== undefined)
    throw badTask(
      join(folder.path, 'task.toml'),
      `pwp.known_inside: expected files or folders of the task, found "${missing}"`,
    );
  const isKnown = ({ path }: Secret) => named.some((name) => isIn(path, name));
  const known = secrets.filter(isKnown).map(({ content }) => content);
  const unknown = secrets.filter((secret) => !isKnown(secret));
  const inside = { places: await initialPlaces(folder, config), large: folder.large };
  return findLeaks(inside, unknown, known);
}

function isIn(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}/`);
}

async function secretsOf(folder: TaskFiles): Promise<Secret[]> {
  const trees = await Promise.all(folders.map((name) => folder.tree(name)));
  return trees.flatMap((entries, index) =>
    entries.flatMap((entry) =>
      entry.kind === 'file'
        ? [{ path: `${folders[index] ?? ''}/${entry.path}`, content: entry.content }]
        : [],
    ),
  );
}
