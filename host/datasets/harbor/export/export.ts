import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { once } from 'node:events';
import { stringify } from 'smol-toml';
import { extract, type ReadEntry } from 'tar';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { checksSeed } from '../../../grade/index.ts';
import type { StreamedTaskSeed, Task, TaskSeed } from '../../../tasks/index.ts';
import { dockerfileOf, places, testScript } from './dockerfile.ts';
import { leftOut, reasonsAgainst } from './left-out.ts';
import { textsIn } from './texts.ts';

/** The outcome for one task. */
export interface Exported {
  readonly task: string;
  /** Its folder; null if it can't be exported. */
  readonly folder: string | null;
  /** Parts of the task that Harbor lacks, or why the task can't be exported. */
  readonly leftOut: readonly string[];
}

/**
 * Writes a task as a folder that Harbor runs: an image with the initial state, and tests that bring their check libraries.
 * Nothing is written for a task that means nothing without an IDE. Errors: `usage` if that folder is there already.
 * @param out folder for the task's folder, which is named after the task
 */
export async function exportToHarbor(task: Task, out: string): Promise<Exported> {
  const tests = await task.testSeeds();
  const against = reasonsAgainst(task, await textsIn(tests, '/tests'));
  if (against.length > 0) return { task: task.id, folder: null, leftOut: against };
  const missing = await leftOut(task);
  const folder = join(resolve(out), task.id.replaceAll('/', '-'));
  await assertEmpty(folder);
  const environment = await writeEnvironment(task, join(folder, 'environment'));
  await write(
    join(folder, 'environment/Dockerfile'),
    dockerfileOf(environment, task.config.pwp.setup !== undefined),
  );
  await writeTests(tests, await checksSeed(task), join(folder, 'tests'));
  const solution = (await task.solutions()).find(({ kind }) => kind === 'shell');
  if (solution)
    await write(join(folder, 'solution/solve.sh'), `#!/bin/bash\ncd /workspace\n${solution.text}`);
  await write(join(folder, 'instruction.md'), `${task.instruction}\n\n${note}\n`);
  await write(join(folder, 'task.toml'), tomlOf(task, missing));
  const noSolution = solution ? [] : ['a solution: it has none by a script'];
  return { task: task.id, folder, leftOut: [...missing, ...noSolution] };
}

const note =
  "There is no window. Files are in `/workspace`; VS Code's own are `/ide/data/User/settings.json` and `/ide/data/User/keybindings.json` (of the user) and `/workspace/.vscode/`.";

function tomlOf({ id, instruction, config }: Task, missing: readonly string[]): string {
  const { metadata, agent, verifier, environment } = config;
  return stringify({
    schema_version: '1.1',
    task: {
      name: `pwp/${id.replaceAll('/', '-').toLowerCase()}`,
      description: instruction.split('\n')[0] ?? '',
    },
    metadata: { ...(metadata as Record<string, string>), not_in_harbor: [...missing] },
    verifier: { timeout_sec: verifier.timeout_sec },
    agent: { timeout_sec: agent.timeout_sec },
    environment: {
      build_timeout_sec: environment.build_timeout_sec,
      cpus: Math.ceil(environment.cpus ?? 2),
      memory_mb: environment.memory_mb ?? 4096,
      storage_mb: environment.storage_mb ?? 10_240,
      network_mode: environment.network_mode,
      ...(environment.allowed_hosts.length > 0 && { allowed_hosts: environment.allowed_hosts }),
    },
  });
}

async function writeEnvironment(task: Task, folder: string): Promise<string[]> {
  const written: string[] = [];
  await mkdir(folder, { recursive: true });
  for (const seed of await task.seeds()) {
    const place = places.find(({ path }) => path === seed.path);
    if (!place) throw new PwpError('internal', `there is no folder for ${seed.path} of ${task.id}`);
    await unpack(seed, join(folder, place.folder));
    written.push(place.folder);
  }
  const { setup } = task.config.pwp;
  if (setup !== undefined) await write(join(folder, 'setup.sh'), setup);
  return written;
}

async function writeTests(tests: readonly TaskSeed[], checks: TaskSeed, folder: string): Promise<void> {
  for (const seed of tests.filter(({ path }) => path === '/tests')) await unpack(seed, folder);
  await unpack(checks, join(folder, 'pwp-grade'));
  const own = (await textsIn(tests, '/tests')).find(({ path }) => path === 'tests/test.sh');
  await write(join(folder, 'pwp-test.sh'), own?.text ?? '');
  await write(join(folder, 'test.sh'), testScript);
}

/** Links are made last and by hand: the package refuses those that lead outside, and nothing is written through one. */
async function unpack({ tar }: TaskSeed | StreamedTaskSeed, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const links: { readonly path: string; readonly target: string }[] = [];
  const filter = (_: string, entry: unknown): boolean => {
    const { type, path, linkpath } = entry as ReadEntry;
    if (type === 'SymbolicLink') links.push({ path, target: linkpath ?? '' });
    return type !== 'SymbolicLink';
  };
  const stream = extract({ cwd: folder, strict: true, preserveOwner: false, filter });
  const closed = once(stream, 'close');
  if (tar instanceof Uint8Array) stream.write(Buffer.from(tar));
  else for await (const chunk of tar) stream.write(Buffer.from(chunk));
  stream.end();
  await closed;
  for (const { path, target } of links) {
    const at = join(folder, path);
    await mkdir(dirname(at), { recursive: true });
    await symlink(target, at);
  }
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { mode: path.endsWith('.sh') ? 0o755 : 0o644 });
}

/** Existing files are never overwritten. */
async function assertEmpty(folder: string): Promise<void> {
  const found = await readdir(folder).catch(() => []);
  if (found.length > 0)
    throw new PwpError('usage', `${folder} is there already`, {
      help: 'Give another folder with --out, or remove it.',
    });
}
