import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { describeError, neverAborted, PwpError } from '../../../../bridge/lib/index.ts';
import { forEachParallel } from '../../../lib/index.ts';
import { type Dataset, type DatasetAbout, findRepeatedIds, noData } from '../records/index.ts';
import { examineHarborTask, makeHarborTask } from './harbor-task.ts';

const harborAbout: DatasetAbout = {
  name: 'harbor',
  title: 'Tasks of Harbor',
  family: 'Harbor',
  records: 0,
  source: 'https://harborframework.com',
  licence: 'of each task',
  metric: "the reward of the task's own tests; of several steps their mean, or the last",
  agentCode: 'beside',
  files: ['<task>/{task.toml,instruction.md,environment/Dockerfile,tests/test.sh,solution/solve.sh}'],
  needs: [
    "each task's own image: built from its Dockerfile by buildah, or fetched from its registry (docs/images.md)",
    'a task with several containers, a GPU, MCP servers or skills is refused, with the reasons',
  ],
};

/** Folders in folders, as collections of tasks have them. */
const deepestFolder = 4;
/** Tasks that are looked at at a time. */
const readsAtOnce = 16;

export const harbor: Dataset = {
  about: harborAbout,
  open: async (path) => {
    const all = (await findTaskFolders(resolve(path), deepestFolder)).sort();
    if (all.length === 0) throw noData(harborAbout, join(resolve(path), 'task.toml'));
    const repeated = findRepeatedIds(all.map((folder) => basename(folder)));
    const again = [...repeated.keys()].map((index): [string, string] => {
      const folder = all[index] ?? '';
      return [folder, `another task is named ${basename(folder)}: name this folder with --data`];
    });
    const folders = all.filter((_, index) => !repeated.has(index));
    const ids = folders.map((folder) => basename(folder));
    const findings = await forEachParallel(folders, readsAtOnce, neverAborted, examineFolder);
    const examined = ids.map((id, index) => ({ id, ...(findings[index] ?? unexamined) }));
    const lacking = examined.flatMap(({ id, reason }): [string, string][] =>
      reason === undefined ? [] : [[id, reason]],
    );
    return {
      ids,
      notes: noteUnknownFields(examined),
      lacking: new Map([...lacking, ...again]),
      load: async (id) => {
        const folder = folders[ids.indexOf(id)];
        if (folder !== undefined) return await makeHarborTask(harborAbout, folder);
        throw new PwpError('no-such-record', `there is no task ${id} in ${path}`, {
          help: `pwp datasets list ${harborAbout.name} --data ${path} lists all.`,
        });
      },
    };
  },
};

const unexamined: Awaited<ReturnType<typeof examineHarborTask>> = { reason: undefined, unknown: [] };

/** One unreadable task is no reason to refuse the others, regardless of what is wrong with its files. */
async function examineFolder(folder: string): ReturnType<typeof examineHarborTask> {
  try {
    return await examineHarborTask(folder);
  } catch (error) {
    return { ...unexamined, reason: describeError(error) };
  }
}

/** Fields that a note names. */
const mostFields = 10;

/** They may be typing errors, so they are named; Harbor ignores them, and its `lint` names them as well. */
function noteUnknownFields(
  examined: readonly { readonly id: string; readonly unknown: readonly string[] }[],
): string[] {
  const tasksByField = new Map<string, string[]>();
  for (const { id, unknown } of examined)
    for (const field of unknown) tasksByField.set(field, [...(tasksByField.get(field) ?? []), id]);
  const named = [...tasksByField].map(([field, [first = '', ...others]]) =>
    others.length === 0 ? `${field} (${first})` : `${field} (${first} and ${others.length} more)`,
  );
  if (named.length === 0) return [];
  const more = named.length > mostFields ? `, and ${named.length - mostFields} more fields` : '';
  return [
    `fields of task.toml that Harbor does not have, and ignores, have no effect: ${named.slice(0, mostFields).join(', ')}${more}`,
  ];
}

async function findTaskFolders(path: string, depth: number): Promise<string[]> {
  const children = await readdir(path, { withFileTypes: true }).catch(() => []);
  if (children.some(({ name }) => name === 'task.toml')) return [path];
  if (depth === 0) return [];
  const folders = children.filter((child) => child.isDirectory() && !child.name.startsWith('.'));
  return (await Promise.all(folders.map(({ name }) => findTaskFolders(join(path, name), depth - 1)))).flat();
}
