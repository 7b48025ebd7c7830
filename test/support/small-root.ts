import { execFile } from 'node:child_process';
import { chmod, chown, copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Enough for an interactive bash, and for what VS Code asks of it. */
const programs = ['bash', 'cat', 'env', 'id', 'ls', 'mkdir', 'rm', 'sed', 'sleep', 'uname'];

/** The user of its project, beside root. */
const dev = 1000;

/**
 * Fills a folder with a root of few programs, of this machine: without Node.js, Python and Git, with a start-up file that
 * activates an environment, a user `dev` who has a home elsewhere, and a project of that user's.
 * @param more further programs
 */
export async function makeSmallRoot(root: string, more: readonly string[] = []): Promise<void> {
  for (const name of [...programs, ...more]) await copyProgram(name, root);
  const files = {
    'etc/passwd': `root:x:0:0:root:/root:/bin/bash\ndev:x:${dev}:${dev}::/srv/dev:/bin/bash\n`,
    'etc/group': `root:x:0:\ndev:x:${dev}:\nmakers:x:44000:dev\n`,
    'srv/dev/.bashrc': 'export ACTIVE=yes\nPATH=/active/bin:$PATH\n',
    'active/bin/greet': '#!/bin/bash\necho "hello from the environment"\n',
    'project/notes.txt': 'of the image\n',
    'workspace/image.txt': 'of the image\n',
  };
  for (const [path, content] of Object.entries(files)) await write(join(root, path), content);
  await chmod(join(root, 'active/bin/greet'), 0o755);
  const folders = ['srv/dev', 'project', 'workspace'];
  const inFolders = Object.keys(files).filter((path) => folders.includes(dirname(path)));
  for (const path of [...folders, ...inFolders]) await chown(join(root, path), dev, dev);
}

async function copyProgram(name: string, root: string): Promise<void> {
  const { stdout: path } = await run('bash', ['-c', `command -v ${name}`]);
  const { stdout: needed } = await run('ldd', [path.trim()]);
  await copy(path.trim(), join(root, 'bin', name));
  for (const [library] of needed.matchAll(/\/\S+/g)) await copy(library, join(root, library));
}

async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to);
  await chmod(to, 0o755);
}

async function write(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}
