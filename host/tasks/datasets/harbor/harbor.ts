import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { describeError, neverAborted, PwpError } from '../../../../bridge/lib/index.ts';
import { forEachParallel } from '../../../lib/index.ts';
import { type Dataset, type DatasetAbout, findRepeatedIds, noData } from '../records/index.ts';
import { explainUnsupported, makeHarborTask } from './harbor-task.ts';

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
    'C and C++, Go, Rust, Java, or what charts and tables in Python need, where a Dockerfile asks for it: --with cpp,go,rust,java,charts (docs/languages.md)',
    'a task with further packages, several containers, a GPU or files that come with a step is refused, with the reasons',
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
    const reasons = await forEachParallel(folders, readsAtOnce, neverAborted, explainFolder);
    const lacking = ids.flatMap((id, index): [string, string][] => {
      const reason = reasons[index];
      return reason === undefined ? [] : [[id, reason]];
    });
    return {
      ids,
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

/** One unreadable task is no reason to refuse the others, regardless of what is wrong with its files. */
async function explainFolder(folder: string): Promise<string | undefined> {
  try {
    return await explainUnsupported(folder);
  } catch (error) {
    return describeError(error);
  }
}

async function findTaskFolders(path: string, depth: number): Promise<string[]> {
  const children = await readdir(path, { withFileTypes: true }).catch(() => []);
  if (children.some(({ name }) => name === 'task.toml')) return [path];
  if (depth === 0) return [];
  const folders = children.filter((child) => child.isDirectory() && !child.name.startsWith('.'));
  return (await Promise.all(folders.map(({ name }) => findTaskFolders(join(path, name), depth - 1)))).flat();
}
