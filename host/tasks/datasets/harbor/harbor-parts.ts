import { basename, dirname, join } from 'node:path';
import { IgnoreRules, pathExists } from '../../../lib/index.ts';
import { type ArchiveEntry, readTreeEntries } from '../../format/index.ts';
import { type DockerEnvironment, readDockerEnvironment, readDockerfile } from '../docker/index.ts';
import { readDataText } from '../records/index.ts';
import { readHarborConfig } from './harbor-config.ts';
import type { HarborConfig } from './harbor-schema.ts';

/** The folder of a task of Harbor's, read and not yet judged. */
export interface HarborParts {
  /** Its folder. */
  readonly path: string;
  readonly config: HarborConfig;
  /** Fields of its task.toml that Harbor does not have. */
  readonly unknown: readonly string[];
  readonly instruction: string;
  readonly built: DockerEnvironment;
  readonly places: HarborPlaces;
  /** The files of /tests: of the task, or of each of its steps. */
  readonly suites: readonly (readonly ArchiveEntry[])[];
}

/** Undefined for a task of this project, which has a `[pwp]` table. Errors: `bad-data`, `bad-task`. */
export async function readHarborParts(path: string): Promise<HarborParts | undefined> {
  const file = join(path, 'task.toml');
  const read = readHarborConfig(file, await readDataText(file));
  if (read === undefined) return undefined;
  const { config, unknown } = read;
  const instruction = await readInstruction(path, config);
  const built = await readBuild(path, config);
  const workdir = config.environment.workdir ?? built.workdir;
  const files = [...built.files, ...(await readFirstStepFiles(path, config, workdir))];
  const places = arrangePlaces({ files, workdir });
  const own = await readHarborTree(path, 'tests');
  const steps = await Promise.all(
    config.steps.map(({ name }) => readHarborTree(path, join('steps', name, 'tests'))),
  );
  const suites = config.steps.length === 0 ? [own] : steps.map((step) => [...own, ...step]);
  return { path, config, unknown, instruction, built, places, suites };
}

/** Only the name of a ready-made image is known. */
async function readBuild(
  path: string,
  { environment: { docker_image: image = 'debian' } }: HarborConfig,
): Promise<DockerEnvironment> {
  const dockerfile = join(path, 'environment/Dockerfile');
  const text = (await pathExists(dockerfile)) ? await readDataText(dockerfile) : `FROM ${image}\n`;
  return await readDockerEnvironment(readDockerfile(text), path);
}

/** The instruction; that of several steps has all of them at once and in their order. */
async function readInstruction(path: string, { steps }: HarborConfig): Promise<string> {
  if (steps.length === 0) return withoutCanary(await readDataText(join(path, 'instruction.md')));
  const texts = await Promise.all(
    steps.map(({ name }) => readDataText(join(path, 'steps', name, 'instruction.md'))),
  );
  const numbered = texts.map(
    (text, index) => `## Step ${index + 1} of ${texts.length}\n\n${withoutCanary(text).trim()}`,
  );
  return `Do these steps, one after the other.\n\n${numbered.join('\n\n')}`;
}

const canaryLine = /^(?:<!--.*canary.*-->|#.*canary.*)$/i;

/** Without the first lines that mark a text as one that no model is to be trained on: Harbor's agents don't see them. */
function withoutCanary(text: string): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => !canaryLine.test(line.trim()));
  return lines
    .slice(first < 0 ? lines.length : first)
    .join('\n')
    .replace(/^(?:[^\S\n]*\n)+/, '');
}

const ignoreFile = '.harborignore';

/** The files of tests or of a solution, without those that a `.harborignore` there leaves out. Errors: `bad-task`. */
export async function readHarborTree(path: string, below: string): Promise<ArchiveEntry[]> {
  const entries = await readTreeEntries(path, below);
  const texts = entries.flatMap((entry): [string, string][] =>
    entry.kind === 'file' && basename(entry.path) === ignoreFile
      ? [[entry.path.replace(ignoreFile, '.pwpignore'), Buffer.from(entry.content).toString('utf8')]]
      : [],
  );
  if (texts.length === 0) return entries;
  const rules = IgnoreRules.of(new Map(texts));
  const isLeftOut = (at: string, isFolder: boolean): boolean =>
    at !== '.' && (isLeftOut(dirname(at), true) || rules.ignores(at, isFolder));
  return entries.filter(
    (entry) => basename(entry.path) !== ignoreFile && !isLeftOut(entry.path, entry.kind === 'folder'),
  );
}

/** Files that come with the first step, as if the image had them: no agent has acted yet. */
async function readFirstStepFiles(
  path: string,
  { steps: [first] }: HarborConfig,
  workdir: string | null,
): Promise<ArchiveEntry[]> {
  if (first === undefined) return [];
  const folder = findOwnFolder(workdir);
  const entries = await readTreeEntries(path, join('steps', first.name, 'workdir'));
  return entries.map((entry) => ({ ...entry, path: `${folder.slice(1)}/${entry.path}` }));
}

/** Where the files of an image lie in a sandbox. */
export interface HarborPlaces {
  readonly workspace: readonly ArchiveEntry[];
  readonly home: readonly ArchiveEntry[];
  /** By paths below `/`. */
  readonly root: readonly ArchiveEntry[];
  /** The folder that the task calls its own: a link to /workspace, if it is not in /workspace or /root. */
  readonly workdir: string;
}

const defaultFolder = '/app';

function findOwnFolder(workdir: string | null): string {
  return workdir === null || workdir === '/' ? defaultFolder : workdir;
}

/**
 * Puts the files of an image where the IDE's workspace is: the task's working folder becomes a link to /workspace, so that
 * all of its paths hold.
 */
export function arrangePlaces({
  files,
  workdir,
}: Pick<DockerEnvironment, 'files' | 'workdir'>): HarborPlaces {
  const folder = findOwnFolder(workdir);
  const own = listEntriesBelow(files, folder);
  const home = listEntriesBelow(files, '/root');
  const isElsewhere = !isInFolder(folder, '/workspace') && !isInFolder(folder, '/root');
  const rest = files.filter(
    ({ path }) => !isInFolder(`/${path}`, folder) && !isInFolder(`/${path}`, '/root'),
  );
  if (isElsewhere) {
    const link: ArchiveEntry = { kind: 'link', path: folder.slice(1), target: '/workspace' };
    return { workspace: own, home, root: [...rest, link], workdir: folder };
  }
  const inWorkspace = listEntriesBelow(files, '/workspace');
  const root = files.filter(
    ({ path }) => !isInFolder(`/${path}`, '/workspace') && !isInFolder(`/${path}`, '/root'),
  );
  return { workspace: inWorkspace, home, root, workdir: folder };
}

export function isInFolder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function listEntriesBelow(files: readonly ArchiveEntry[], folder: string): ArchiveEntry[] {
  const start = `${folder.slice(1)}/`;
  return files.flatMap((entry) =>
    entry.path.startsWith(start) ? [{ ...entry, path: entry.path.slice(start.length) }] : [],
  );
}

/** Text files, as text. */
export function readTextEntry(entry: ArchiveEntry): string[] {
  return entry.kind === 'file' ? [Buffer.from(entry.content).toString('utf8')] : [];
}
