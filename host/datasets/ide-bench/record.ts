import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readTree, type Entry } from '../../tasks/index.ts';
import { badData } from '../errors.ts';
import { readBytes, readText } from '../records/index.ts';
import { readDescription, type Description } from './description.ts';
import { pathsOf } from './diff.ts';
import type { CodeBase } from './folders.ts';

/** How the results of a task's tests are read. */
export type Runner = 'pytest' | 'jest' | 'maven';

export interface IdeBenchRecord {
  readonly base: CodeBase;
  /** Name of the task's folder. */
  readonly task: string;
  readonly description: Description;
  readonly diff: Uint8Array;
  /** Files that the diff touches, relative to the code base. */
  readonly touched: readonly string[];
  /** The file of the task's tests, relative to the code base. */
  readonly testFile: string;
  readonly runner: Runner;
}

const runners: Readonly<Record<string, Runner>> = { py: 'pytest', js: 'jest', java: 'maven' };
/** Files of a task's own folder that are not for the agent; the rest is code. */
const secret =
  /^(?:task_description\.txt|task_diff\.txt|task_tests\.[^/]+|run-tests\.sh|(?:docker-)?compose\.ya?ml)$/;
/** Files of a code base that are left out: its history may hold the answers. */
const skipped = /(?:^|\/)(?:\.git|__pycache__|\.pytest_cache)(?:\/|$)/;

/** Errors: `bad-data` with the file. */
export async function readRecord(base: CodeBase, task: string): Promise<IdeBenchRecord> {
  const folder = join(base.path, 'tasks', task);
  const description = readDescription(
    join(folder, 'task_description.txt'),
    await readText(join(folder, 'task_description.txt')),
  );
  const diff = await readBytes(join(folder, 'task_diff.txt'));
  const touched = pathsOf(join(folder, 'task_diff.txt'), diff.toString('utf8'));
  const tests = (await readdir(folder)).filter((name) => /^task_tests\.[a-z]+$/.test(name)).sort();
  const [name] = tests;
  if (name === undefined || tests.length > 1)
    throw badData(folder, `expected one task_tests.py, .js or .java, found ${tests.join(', ') || 'none'}`);
  const runner = runnerOf(name, description, folder);
  return { base, task, description, diff, touched, testFile: `tasks/${task}/${name}`, runner };
}

function runnerOf(name: string, { parser }: Description, folder: string): Runner {
  const byFile = runners[name.split('.').at(-1) ?? ''];
  if (byFile) return byFile;
  const byName = Object.values(runners).find((one) => one === parser);
  if (byName) return byName;
  throw badData(folder, `expected parser_name pytest, jest or maven for ${name}, found ${parser ?? 'none'}`);
}

/** A code base apart: what the agent gets, and what the tests put in its place. */
export interface Parts {
  readonly workspace: readonly Entry[];
  /** By their path in the code base: the tests, what starts them, and what configures them. */
  readonly restored: readonly Entry[];
}

/** Everything of the code base but other tasks, and this one's description, diff and tests. */
export async function partsOf({ base, task, touched }: IdeBenchRecord): Promise<Parts> {
  const all = (await readTree(base.path, '.')).filter(({ path }) => !skipped.test(path));
  const own = `tasks/${task}/`;
  const code = all.filter(
    ({ path }) => path !== 'tasks' && !isOfOtherTask(path, own) && !isSecret(path, own),
  );
  const tests = all.filter(
    (entry) => entry.kind === 'file' && isTest(entry.path, own) && !touched.includes(entry.path),
  );
  return { workspace: code, restored: tests };
}

function isOfOtherTask(path: string, own: string): boolean {
  return path.startsWith('tasks/') && !`${path}/`.startsWith(own);
}

function isSecret(path: string, own: string): boolean {
  return path.startsWith(own) && secret.test(path.slice(own.length));
}

/** Files that decide what is tested and how. */
function isTest(path: string, own: string): boolean {
  if (path === 'run_tests.sh' || path.startsWith('tests/')) return true;
  if (path.startsWith(own)) return /^(?:task_tests\.[^/]+|run-tests\.sh)$/.test(path.slice(own.length));
  return !path.startsWith('tasks/') && isConfiguration(path);
}

function isConfiguration(path: string): boolean {
  return /(?:^|\/)(?:conftest\.py|pytest\.ini|tox\.ini|jest\.config\.[cm]?[jt]s)$/.test(path);
}
