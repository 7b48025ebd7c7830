import { basename, dirname, join } from 'node:path';
import { IgnoreRules, pathExists } from '../../../lib/index.ts';
import { type ArchiveEntry, makeTextEntry, readTreeEntries } from '../../format/index.ts';
import { badData, readDataText, resolveDataPath, writeBuildContext } from '../records/index.ts';
import { readHarborConfig, resolveVariables } from './harbor-config.ts';
import type { HarborConfig, HarborEnvironment } from './harbor-schema.ts';

/** The folder of a task of Harbor's, read and not yet judged. */
export interface HarborParts {
  /** Its folder. */
  readonly path: string;
  readonly config: HarborConfig;
  /** Fields of its task.toml that Harbor does not have. */
  readonly unknown: readonly string[];
  readonly instruction: string;
  /** The image of its agent: a name, or the folder of a Dockerfile. */
  readonly image: string;
  /** Files of the working folder that come with the first step, as if the image had them: no agent has acted yet. */
  readonly begun: readonly ArchiveEntry[];
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
  const image = await findAgentImage(path, config);
  const [first] = config.steps;
  const begun = first ? await readTreeEntries(path, join('steps', first.name, 'workdir')) : [];
  const own = await readHarborTree(path, 'tests');
  const steps = await Promise.all(
    config.steps.map(({ name }) => readHarborTree(path, join('steps', name, 'tests'))),
  );
  const suites = config.steps.length === 0 ? [own] : steps.map((step) => [...own, ...step]);
  return { path, config, unknown, instruction, image, begun, suites };
}

/** Errors: `bad-data` if it has none. */
async function findAgentImage(path: string, { environment }: HarborConfig): Promise<string> {
  const image = readReadyImage(path, environment) ?? (await findBuiltImage(join(path, 'environment')));
  if (image !== undefined) return image;
  throw badData(
    join(path, 'environment/Dockerfile'),
    'expected it, or environment.docker_image in task.toml, found neither',
  );
}

/** The same, with the variables that each container of the environment has. Errors: `bad-task`. */
export async function addVariables({ path, config, image }: HarborParts): Promise<string> {
  const lines = Object.entries(resolveVariables(config.environment.env)).map(
    ([name, value]) => `ENV ${name}="${value.replaceAll(/[\\"$]/g, '\\$&')}"\n`,
  );
  if (lines.length === 0) return image;
  const isBuilt = readReadyImage(path, config.environment) === undefined;
  const text = isBuilt ? await readDataText(join(image, 'Dockerfile')) : `FROM ${image}`;
  const context = isBuilt ? await readTreeEntries(path, 'environment') : [];
  const dockerfile = makeTextEntry('Dockerfile', `${text}\n${lines.join('')}`);
  return await writeBuildContext(basename(path), [...context, dockerfile]);
}

/**
 * The name of a ready-made image; undefined without one. Errors: `bad-data` for what would be read from this machine's
 * files.
 */
export function readReadyImage(
  path: string,
  { docker_image: name = '' }: HarborEnvironment,
): string | undefined {
  if (name === '') return undefined;
  if (
    /^\w[\w./:@-]*$/.test(name) &&
    !/^(?:docker-archive|oci-archive|oci|engine):|\.(?:tar|tgz|tar\.gz)$/.test(name)
  )
    return name;
  throw badData(
    join(path, 'task.toml'),
    `docker_image: expected the name of an image in a registry, found ${JSON.stringify(name)}`,
  );
}

/** A folder whose Dockerfile makes an image; undefined without one. Errors: `bad-data` for one that leads out of the data. */
export async function findBuiltImage(folder: string): Promise<string | undefined> {
  const file = join(folder, 'Dockerfile');
  if (!(await pathExists(file))) return undefined;
  await resolveDataPath(file);
  return folder;
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

export function isInFolder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Text files, as text. */
export function readTextEntry(entry: ArchiveEntry): string[] {
  return entry.kind === 'file' ? [Buffer.from(entry.content).toString('utf8')] : [];
}
