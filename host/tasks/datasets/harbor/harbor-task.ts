import { basename, join } from 'node:path';
import { defaultWorkspace } from '../../../../bridge/protocol/index.ts';
import { quoteShellWord } from '../../../../bridge/text/index.ts';
import { pathExists } from '../../../lib/index.ts';
import {
  type ArchiveEntry,
  loadTask,
  makeRunnable,
  makeTask,
  type RawTaskConfig,
  readTreeEntries,
  type Task,
} from '../../format/index.ts';
import { type DockerEnvironment, readDockerEnvironment, readDockerfile } from '../docker/index.ts';
import { type DatasetAbout, makeRecordConfig, makeTaskId, readDataText } from '../records/index.ts';
import {
  assertSupported,
  findUnsupported,
  type HarborConfig,
  parseMebibytes,
  readHarborConfig,
} from './harbor-config.ts';
import { assertHasTests, packHarborTests, resolveVariables } from './harbor-tests.ts';

/**
 * A task folder of Harbor's. One with a `[pwp]` table is this project's own. Errors: `bad-data`, `bad-task`; `unsupported`
 * with each reason why it can't be run here.
 */
export async function makeHarborTask(about: DatasetAbout, path: string): Promise<Task> {
  const file = join(path, 'task.toml');
  const config = readHarborConfig(file, await readDataText(file));
  if (config.pwp !== undefined) return await loadTask(path);
  const built = await readBuild(path, config.environment);
  await assertSupported(path, config, built);
  const instruction = await readInstruction(path, config);
  const workdir = config.environment.workdir ?? built.workdir;
  const places = arrangePlaces({ files: built.files, workdir });
  const { languages } = built.toolchain;
  const words = [instruction, built.setup, ...built.files.map((entry) => entry.path)].join('\n');
  const tests = await packHarborTests({
    ...{ path, config, workdir: places.workdir, languages },
    brought: places.workspace.map((entry) => entry.path.split('/', 1)[0] ?? ''),
    words: `${words}\n${await readSolutionText(path, config)}`,
  });
  const texts = [instruction, built.setup, ...tests.flatMap(readSuiteText)];
  return makeTask({
    id: makeTaskId(about, basename(path)),
    path,
    instruction,
    config: {
      ...makeRawConfig(about, file, config),
      pwp: {
        ...makeRecordConfig(about).pwp,
        graded_folders: findNamedFolders(texts, places.workdir),
        ...(built.setup !== '' && { setup: makeSetup(built, config) }),
      },
    },
    workspace: places.workspace,
    home: places.home,
    root: places.root,
    tests,
    solutions: await makeSolutions(path, config, places.workdir),
    falseSolutions: [
      {
        name: 'writes-reward',
        why: 'It writes the reward itself and does nothing else.',
        text: 'mkdir -p /logs/verifier && echo 1 > /logs/verifier/reward.txt\n',
      },
    ],
  });
}

/** Why a task can't be run here; undefined if it can. Errors: `bad-data` for files that can't be read. */
export async function explainUnsupported(path: string): Promise<string | undefined> {
  const file = join(path, 'task.toml');
  const config = readHarborConfig(file, await readDataText(file));
  if (config.pwp !== undefined) return undefined;
  await readInstruction(path, config);
  await assertHasTests(path, config);
  const reasons = await findUnsupported(path, config, await readBuild(path, config.environment));
  return reasons.length > 0 ? reasons.join('; ') : undefined;
}

/** Only the name of a ready-made image is known. */
async function readBuild(path: string, { docker_image: image = 'debian' }: HarborConfig['environment']) {
  const dockerfile = join(path, 'environment/Dockerfile');
  const text = (await pathExists(dockerfile)) ? await readDataText(dockerfile) : `FROM ${image}\n`;
  return await readDockerEnvironment(readDockerfile(text), path);
}

/** Variables of the environment are those of its commands; the agent's shells have the sandbox's own. */
function makeSetup({ setup }: DockerEnvironment, { environment }: HarborConfig): string {
  return [...makeExports(resolveVariables(environment.env)), setup].join('\n');
}

function makeExports(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).map(([name, value]) => `export ${name}=${quoteShellWord(value)}`);
}

function readSuiteText(entry: ArchiveEntry): string[] {
  return entry.kind === 'file' && entry.path.startsWith('suites/')
    ? [Buffer.from(entry.content).toString('utf8')]
    : [];
}

function makeRawConfig(about: DatasetAbout, file: string, config: HarborConfig): RawTaskConfig {
  const { agent, verifier, environment: asked, steps, metadata } = config;
  const memory =
    asked.memory_mb ??
    (asked.memory === undefined ? undefined : parseMebibytes(file, 'environment.memory', asked.memory));
  const storage =
    asked.storage_mb ??
    (asked.storage === undefined ? undefined : parseMebibytes(file, 'environment.storage', asked.storage));
  const base = makeRecordConfig(about, {
    agentSeconds: Math.min(
      86_400,
      sumIfAll(steps.map((one) => one.agent?.timeout_sec)) ?? agent.timeout_sec ?? 1800,
    ),
    testSeconds: Math.min(
      86_400,
      sumIfAll(steps.map((one) => one.verifier?.timeout_sec)) ?? verifier.timeout_sec ?? 600,
    ),
    environment: {
      ...(asked.cpus !== undefined && { cpus: asked.cpus }),
      // An IDE needs its own.
      memory_mb: Math.max(4096, Math.ceil(memory ?? 0)),
      ...(storage !== undefined && { storage_mb: Math.max(1024, Math.ceil(storage)) }),
      network_mode: asked.network_mode ?? 'no-network',
      allowed_hosts: asked.network_mode === 'allowlist' ? (asked.allowed_hosts ?? []) : [],
    },
  });
  const { difficulty, category, author_name: name, author_email: email } = metadata;
  return {
    ...base,
    metadata: {
      ...base.metadata,
      ...(typeof name === 'string' && name !== '' && { author_name: name }),
      ...(typeof email === 'string' && email !== '' && { author_email: email }),
      ...(typeof category === 'string' && category !== '' && { category }),
      ...(['easy', 'medium', 'hard'].includes(String(difficulty)) && { difficulty: difficulty as 'easy' }),
    },
  };
}

function sumIfAll(values: readonly (number | undefined)[]): number | undefined {
  const given = values.filter((value) => value !== undefined);
  return given.length > 0 && given.length === values.length
    ? given.reduce((all, one) => all + one, 0)
    : undefined;
}

/** The instruction; that of several steps has all of them at once and in their order. */
async function readInstruction(path: string, { steps }: HarborConfig): Promise<string> {
  if (steps.length === 0) return await readDataText(join(path, 'instruction.md'));
  const texts = await Promise.all(
    steps.map(({ name }) => readDataText(join(path, 'steps', name, 'instruction.md'))),
  );
  const numbered = texts.map((text, index) => `## Step ${index + 1} of ${texts.length}\n\n${text.trim()}`);
  return `Do these steps, one after the other.\n\n${numbered.join('\n\n')}`;
}

/** Below its folder. */
function listSolutionFolders({ steps }: HarborConfig): string[] {
  return steps.length === 0 ? ['solution'] : steps.map(({ name }) => join('steps', name, 'solution'));
}

/** The text of its owners' solution and of the files that it brings. */
async function readSolutionText(path: string, config: HarborConfig): Promise<string> {
  const trees = await Promise.all(listSolutionFolders(config).map((folder) => readTreeEntries(path, folder)));
  const texts = trees.flat().map((entry) => {
    const content = entry.kind === 'file' ? Buffer.from(entry.content).toString('utf8') : '';
    return `${entry.path}\n${content}`;
  });
  return texts.join('\n');
}

async function makeSolutions(path: string, config: HarborConfig, workdir: string) {
  const scripts = await Promise.all(
    listSolutionFolders(config).map((folder) => makeSolutionScript(path, folder, workdir)),
  );
  const variables = makeExports(resolveVariables(config.solution.env));
  return scripts.every((script) => script !== undefined)
    ? [{ name: 'gold', text: [...variables, ...scripts].join('\n') }]
    : [];
}

/** Harbor copies the folder to /solution and runs solve.sh in the task's folder. */
async function makeSolutionScript(
  root: string,
  folder: string,
  workdir: string,
): Promise<string | undefined> {
  if (!(await pathExists(join(root, folder, 'solve.sh')))) return undefined;
  const tree = (await readTreeEntries(root, folder)).map(makeRunnable);
  const files = tree.filter((entry) => entry.kind === 'file');
  const written = files.map(({ path, content }) => {
    const data = Buffer.from(content).toString('base64');
    return `mkdir -p "$(dirname '/solution/${path}')" && base64 -d > '/solution/${path}' <<'END'\n${data}\nEND`;
  });
  return `rm -rf /solution && mkdir -p /solution\n${written.join('\n')}\ncd '${workdir}' 2>/dev/null || cd /\nbash /solution/solve.sh && rm -rf /solution\n`;
}

/** Where the files of an image lie in a sandbox. */
interface HarborPlaces {
  readonly workspace: readonly ArchiveEntry[];
  readonly home: readonly ArchiveEntry[];
  /** By paths below `/`. */
  readonly root: readonly ArchiveEntry[];
  /** The folder that the task calls its own: a link to /workspace, if it is not in /workspace or /root. */
  readonly workdir: string;
}

const defaultFolder = '/app';
/** Folders of the system and of this program: nothing of a task's is brought back from them. */
const systemFolder =
  /^\/(?:bin|boot|desk|desk-profile|dev|etc|ide|lib|lib32|lib64|logs|opt|proc|root|run|sbin|solution|sys|tests|tmp|usr|var|workspace)$/;

/**
 * Puts the files of an image where the IDE's workspace is: the task's working folder becomes a link to /workspace, so that
 * all of its paths hold.
 */
export function arrangePlaces({
  files,
  workdir,
}: Pick<DockerEnvironment, 'files' | 'workdir'>): HarborPlaces {
  const folder = workdir === null || workdir === '/' ? defaultFolder : workdir;
  const own = listEntriesBelow(files, folder);
  const home = listEntriesBelow(files, '/root');
  const isElsewhere = !isInFolder(folder, defaultWorkspace) && !isInFolder(folder, '/root');
  const rest = files.filter(
    ({ path }) => !isInFolder(`/${path}`, folder) && !isInFolder(`/${path}`, '/root'),
  );
  if (isElsewhere) {
    const link: ArchiveEntry = { kind: 'link', path: folder.slice(1), target: defaultWorkspace };
    return { workspace: own, home, root: [...rest, link], workdir: folder };
  }
  const inWorkspace = listEntriesBelow(files, defaultWorkspace);
  const root = files.filter(
    ({ path }) => !isInFolder(`/${path}`, defaultWorkspace) && !isInFolder(`/${path}`, '/root'),
  );
  return { workspace: inWorkspace, home, root, workdir: folder };
}

function isInFolder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function listEntriesBelow(files: readonly ArchiveEntry[], folder: string): ArchiveEntry[] {
  const start = `${folder.slice(1)}/`;
  return files.flatMap((entry) =>
    entry.path.startsWith(start) ? [{ ...entry, path: entry.path.slice(start.length) }] : [],
  );
}

/**
 * Folders outside of /workspace and /root that a task's texts name, e.g. /output: what the agent leaves there is graded,
 * too.
 */
function findNamedFolders(texts: readonly string[], workdir: string): string[] {
  const named = texts.flatMap((text) => text.match(/(?<![\w.~:/-])\/[A-Za-z0-9_][A-Za-z0-9._-]*/g) ?? []);
  const own = `/${workdir.split('/')[1] ?? ''}`;
  const folders = new Set(named.map((path) => path.replace(/[.-]+$/, '')));
  return [...folders]
    .filter((path) => !systemFolder.test(path) && path !== own)
    .sort()
    .slice(0, 20);
}
