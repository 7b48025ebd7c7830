import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { extract } from 'tar';
import type { RunVariant } from '../../host/tasks/format/make-variant.ts';
import type { Task } from '../../host/tasks/index.ts';
import { temporaryFolder } from './folder.ts';

const run = promisify(execFile);

/**
 * Runs the variant.mjs of a test's or the project's own task on this machine, while a user's would run in a sandbox: its
 * folder takes the place of the sandbox's root.
 */
export const runVariantHere: RunVariant = async ({ seeds, argv, answer, timeoutMs }) => {
  await using root = await temporaryFolder();
  for (const { path, tar } of seeds) {
    const cwd = join(root.path, path);
    await mkdir(cwd, { recursive: true });
    const stream = extract({ cwd });
    stream.end(Buffer.from(tar));
    await finished(stream);
  }
  const words = argv.slice(1).map((word) => (word.startsWith('/') ? join(root.path, word) : word));
  try {
    await run(process.execPath, words, { cwd: '/', env: {}, timeout: timeoutMs });
  } catch (error) {
    return { problem: (error as { stderr?: string }).stderr ?? String(error) };
  }
  return { answer: await readFile(join(root.path, answer)) };
};

/** The whole task, with its variant made by {@link runVariantHere}. */
export function wholeHere(task: Task): Promise<Task> {
  return task.make ? task.make(runVariantHere) : Promise.resolve(task);
}
