import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeSmallRoot } from './small-root.ts';

const run = promisify(execFile);

/** What the scripts of made tasks call, beside the programs of a small root. */
const programs = [
  ...[
    'base64',
    'chmod',
    'cp',
    'cut',
    'dirname',
    'grep',
    'head',
    'ln',
    'mv',
    'seq',
    'sh',
    'sort',
    'tail',
    'tee',
  ],
  ...['timeout', 'touch', 'wc'],
];

/**
 * Copies tasks of Harbor to a folder, with images that no registry is needed for: each begins with a small root of this
 * machine's programs in the place of what its `FROM` names.
 * @param data folder of tasks
 */
export async function layHarborTasks(data: string, folder: string): Promise<void> {
  await cp(data, folder, { recursive: true });
  const root = join(folder, 'root');
  await makeSmallRoot(root, programs);
  for (const task of await readdir(data))
    for (const place of ['environment', 'tests']) await replaceBase(join(folder, task, place), root);
}

async function replaceBase(context: string, root: string): Promise<void> {
  const file = join(context, 'Dockerfile');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  // Hard links: the same files in each context.
  await mkdir(join(context, '.root'), { recursive: true });
  await run('cp', ['-al', `${root}/.`, join(context, '.root')]);
  await writeFile(
    file,
    text.replaceAll(
      /^FROM (?:debian|ubuntu|python|node|alpine)\S*( AS \S+)?$/gm,
      'FROM scratch$1\nCOPY .root /',
    ),
  );
}
