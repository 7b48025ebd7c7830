import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { imagePrograms } from '../../../../bridge/lib/index.ts';
import { isFolder, pathExists } from '../../../lib/index.ts';
import { type ArchiveEntry, readTreeEntries } from '../../format/index.ts';
import { badData, type DatasetAbout, noData, readDataBytes, readDataText } from '../records/index.ts';

/** How the results of a task's tests are read. */
export type IdeBenchRunner = 'pytest' | 'jest' | 'maven';

export interface IdeBenchRecord {
  readonly base: CodeBase;
  /** Name of the task's folder. */
  readonly task: string;
  readonly description: TaskDescription;
  readonly diff: Uint8Array;
  /** Files that the diff touches, relative to the code base. */
  readonly touched: readonly string[];
  /** The file of the task's tests, relative to the code base. */
  readonly testFile: string;
  readonly runner: IdeBenchRunner;
}

const runnersByEnding: Readonly<Record<string, IdeBenchRunner>> = { py: 'pytest', js: 'jest', java: 'maven' };
/** Files of a task's own folder that are not for the agent; the rest is code. */
const secretFiles =
  /^(?:task_description\.txt|task_diff\.txt|task_tests\.[^/]+|run-tests\.sh|(?:docker-)?compose\.ya?ml)$/;
/** Files of a code base that are left out: its history may hold the answers. */
const skippedFiles = /(?:^|\/)(?:\.git|__pycache__|\.pytest_cache)(?:\/|$)/;

/** Errors: `bad-data` with the file. */
export async function readIdeBenchRecord(base: CodeBase, task: string): Promise<IdeBenchRecord> {
  const folder = join(base.path, 'tasks', task);
  const description = readTaskDescription(
    join(folder, 'task_description.txt'),
    await readDataText(join(folder, 'task_description.txt')),
  );
  const diff = await readDataBytes(join(folder, 'task_diff.txt'));
  const touched = listTouchedPaths(join(folder, 'task_diff.txt'), diff.toString('utf8'));
  const tests = (await readdir(folder)).filter((name) => /^task_tests\.[a-z]+$/.test(name)).sort();
  const [name] = tests;
  if (name === undefined || tests.length > 1)
    throw badData(folder, `expected one task_tests.py, .js or .java, found ${tests.join(', ') || 'none'}`);
  const runner = findRunner(name, description, folder);
  return { base, task, description, diff, touched, testFile: `tasks/${task}/${name}`, runner };
}

function findRunner(name: string, { parser }: TaskDescription, folder: string): IdeBenchRunner {
  const byFile = runnersByEnding[name.split('.').at(-1) ?? ''];
  if (byFile) return byFile;
  const byName = Object.values(runnersByEnding).find((one) => one === parser);
  if (byName) return byName;
  throw badData(folder, `expected parser_name pytest, jest or maven for ${name}, found ${parser ?? 'none'}`);
}

/** A code base, taken apart. */
interface CodeBaseParts {
  /** What its image is built from: all that tasks do not add. */
  readonly context: readonly ArchiveEntry[];
  /** Code that the task adds to it, by its path in the code base. */
  readonly added: readonly ArchiveEntry[];
  /** By the same paths: the tests, what starts them, and what configures them. */
  readonly restored: readonly ArchiveEntry[];
}

export async function splitCodeBase({ base, task, touched }: IdeBenchRecord): Promise<CodeBaseParts> {
  const all = (await readTreeEntries(base.path, '.')).filter(({ path }) => !skippedFiles.test(path));
  const own = `tasks/${task}/`;
  // No task is in the image; a Dockerfile may copy their folder.
  const context = all.filter((entry) => !isOfTask(entry));
  const added = all.filter(
    (one) => one.path.startsWith(own) && !secretFiles.test(one.path.slice(own.length)),
  );
  const restored = all.filter(
    (entry) => entry.kind === 'file' && isTest(entry.path, own) && !touched.includes(entry.path),
  );
  return { context, added, restored };
}

/** In the folder of a task, or that folder itself. */
function isOfTask({ path, kind }: ArchiveEntry): boolean {
  return path.startsWith('tasks/') && (kind !== 'file' || path.split('/').length > 2);
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

/** A code base with its tasks: one of the benchmark's datasets. */
export interface CodeBase {
  /** Name of its folder. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** Names of the task folders, sorted. */
  readonly tasks: readonly string[];
}

/**
 * The code bases at a path: itself, the folders in it, or those in its `datasets`. Errors: `no-data` for none, and for one
 * without `run_tests.sh` or `Dockerfile`.
 */
export async function findCodeBases(about: DatasetAbout, path: string): Promise<CodeBase[]> {
  const absolute = resolve(path);
  if (!(await isFolder(absolute))) throw noData(about, absolute);
  const places = [[absolute], await listFolders(absolute), await listFolders(join(absolute, 'datasets'))];
  for (const folders of places) {
    const found = (await Promise.all(folders.map(readCodeBase))).filter((one) => one !== undefined);
    if (found.length === 0) continue;
    await Promise.all(found.map((one) => assertComplete(about, one)));
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }
  throw noData(about, join(absolute, 'tasks/<task>/task_description.txt'));
}

async function readCodeBase(path: string): Promise<CodeBase | undefined> {
  const folders = await listFolders(join(path, 'tasks'));
  const described = await Promise.all(
    folders.map((folder) => pathExists(join(folder, 'task_description.txt'))),
  );
  const tasks = folders.filter((_, index) => described[index]).map((folder) => basename(folder));
  return tasks.length > 0 ? { name: basename(path), path, tasks: tasks.sort() } : undefined;
}

async function assertComplete(about: DatasetAbout, { path }: CodeBase): Promise<void> {
  for (const name of ['run_tests.sh', 'Dockerfile'])
    if (!(await pathExists(join(path, name)))) throw noData(about, join(path, name));
}

async function listFolders(path: string): Promise<string[]> {
  const children = await readdir(path, { withFileTypes: true }).catch(() => []);
  return children.filter((child) => child.isDirectory()).map(({ name }) => join(path, name));
}

/** The contents of a task_description.txt. */
interface TaskDescription {
  /** All that is for the agent, word for word: title, free text, instructions. */
  readonly statement: string;
  readonly difficulty: 'easy' | 'medium' | 'hard';
  readonly category: string;
  readonly tags: readonly string[];
  /** Lower case, e.g. `pytest`; undefined if it is not said. */
  readonly parser: string | undefined;
  readonly author: string | undefined;
  readonly email: string | undefined;
}

const descriptionKeys = [
  'author_name',
  'author_email',
  'difficulty',
  'category',
  'tags',
  'parser_name',
] as const;
const keyLine = new RegExp(`^(${descriptionKeys.join('|')}):(.*)$`);
const firstLine = /^task_description:[ \t]*[|>]?[+-]?[ \t]*(.*)$/;

/**
 * Reads a task_description.txt. It looks like YAML but is not: below `task_description:` all indented lines are the
 * statement, free text included; in the plain form all lines are, except those of known keys. Errors: `bad-data`.
 */
export function readTaskDescription(where: string, text: string): TaskDescription {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .split('\n');
  const first = firstLine.exec(lines[0] ?? '');
  const body = first
    ? [first[1] ?? '', ...takeIndented(lines.slice(1))]
    : lines.filter((line) => !keyLine.test(line));
  const statement = dedentLines(body).trim();
  if (statement === '') throw badData(where, 'expected what is to be done, found no text');
  const values = new Map(lines.flatMap(parseKey));
  const difficulty = values.get('difficulty')?.toLowerCase();
  return {
    statement,
    difficulty: difficulty === 'easy' || difficulty === 'hard' ? difficulty : 'medium',
    category: values.get('category') || 'ide-bench',
    tags: parseTags(values.get('tags') ?? ''),
    parser: values.get('parser_name')?.replaceAll(/[<>]/g, '').trim().toLowerCase() || undefined,
    author: values.get('author_name') || undefined,
    email: values.get('author_email') || undefined,
  };
}

/** The block ends with the first line that is neither empty nor indented. */
function takeIndented(lines: readonly string[]): string[] {
  const end = lines.findIndex((line) => line.trim() !== '' && !/^(?: {2}|\t)/.test(line));
  return lines.slice(0, end < 0 ? undefined : end);
}

/** Keys begin a line of their own; in a statement they are indented. */
function parseKey(line: string): [string, string][] {
  const [, key, value] = keyLine.exec(line) ?? [];
  return key === undefined ? [] : [[key, (value ?? '').trim()]];
}

function parseTags(text: string): string[] {
  const parts = text.startsWith('[') ? text.replaceAll(/[[\]]/g, '').split(',') : text.split(/[\s,<>]+/);
  return parts.map((part) => part.trim().replaceAll(/^["']|["']$/g, '')).filter((part) => part !== '');
}

function dedentLines(lines: readonly string[]): string {
  const widths = lines.filter((line) => /^\s+\S/.test(line)).map((line) => line.search(/\S/));
  const width = Math.min(...widths, 80);
  const cut = new RegExp(`^\\s{0,${Number.isFinite(width) ? width : 0}}`);
  return lines.map((line) => line.replace(cut, '').trimEnd()).join('\n');
}

/**
 * Paths that a multi-file unified diff touches, relative to the code base, sorted. Errors: `bad-data` for a text that
 * is not a diff, and for a path that leads out.
 */
export function listTouchedPaths(where: string, diff: string): string[] {
  const paths = new Set(diff.replaceAll('\r\n', '\n').split('\n').flatMap(readTouchedPath));
  if (paths.size === 0) throw badData(where, 'expected a unified diff with file names, found none');
  const bad = [...paths].find((path) => path.startsWith('/') || path.split('/').includes('..'));
  if (bad !== undefined) throw badData(where, `expected paths in the code base, found ${bad}`);
  return [...paths].sort();
}

function readTouchedPath(line: string): string[] {
  const renamed = /^(?:rename|copy) (?:from|to) (.+)$/.exec(line)?.[1];
  if (renamed !== undefined) return [renamed];
  const found = /^(?:---|\+\+\+) (?:[ab]\/)?([^\t]+)/.exec(line)?.[1]?.trim();
  return found === undefined || found === '/dev/null' || found === 'dev/null' ? [] : [found];
}

/** A script for bash that applies the diff as the benchmark's own oracle does. */
export function makeDiffScript(diff: Uint8Array): string {
  const lines = Buffer.from(diff)
    .toString('base64')
    .replaceAll(/(.{100})/g, '$1\n');
  const git = `"$(command -v git || echo ${imagePrograms.git})"`;
  return `base64 -d <<'END' | ${git} apply --ignore-whitespace --whitespace=nowarn -\n${lines}\nEND\n`;
}
