import { basename, join } from 'node:path';
import {
  loadTask,
  madeTask,
  readTree,
  runnableEntry,
  type Entry,
  type RawTaskConfig,
  type Task,
} from '../../tasks/index.ts';
import type { DatasetAbout } from '../contract.ts';
import { environmentOf, readDockerfile, type Environment } from '../docker/index.ts';
import { configOf, taskId } from '../parts.ts';
import { readText } from '../records/index.ts';
import { mebibytes, readHarborConfig, type HarborConfig } from './config.ts';
import { foldersNamed, placesOf } from './places.ts';
import { assertSupported, isThere, reasonsAgainst } from './support.ts';
import { assertTested, resolved, testsOf } from './tests.ts';

/**
 * A task folder of Harbor's. One with a `[pwp]` table is this project's own. Errors: `bad-data`, `bad-task`; `unsupported`
 * with each reason why it can't be run here.
 */
export async function harborTask(about: DatasetAbout, path: string): Promise<Task> {
  const file = join(path, 'task.toml');
  const config = readHarborConfig(file, await readText(file));
  if (config.pwp !== undefined) return await loadTask(path);
  const built = await buildOf(path, config.environment);
  await assertSupported(path, config, built);
  const instruction = await instructionOf(path, config);
  const workdir = config.environment.workdir ?? built.workdir;
  const places = placesOf({ files: built.files, workdir });
  const { languages } = built.toolchain;
  const words = [instruction, built.setup, ...built.files.map((entry) => entry.path)].join('\n');
  const tests = await testsOf({
    ...{ path, config, workdir: places.workdir, languages },
    brought: places.workspace.map((entry) => entry.path.split('/', 1)[0] ?? ''),
    words: `${words}\n${await solutionText(path, config)}`,
  });
  const texts = [instruction, built.setup, ...tests.flatMap(textOf)];
  return madeTask({
    id: taskId(about, basename(path)),
    path,
    instruction,
    config: {
      ...rawConfigOf(about, file, config),
      pwp: {
        ...configOf(about).pwp,
        graded_folders: foldersNamed(texts, places.workdir),
        ...(built.setup !== '' && { setup: setupOf(built, config) }),
      },
    },
    workspace: places.workspace,
    home: places.home,
    root: places.root,
    tests,
    solutions: await solutionsOf(path, config, places.workdir),
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
export async function whyNot(path: string): Promise<string | undefined> {
  const file = join(path, 'task.toml');
  const config = readHarborConfig(file, await readText(file));
  if (config.pwp !== undefined) return undefined;
  await instructionOf(path, config);
  await assertTested(path, config);
  const reasons = await reasonsAgainst(path, config, await buildOf(path, config.environment));
  return reasons.length > 0 ? reasons.join('; ') : undefined;
}

/** Only the name of a ready-made image is known. */
async function buildOf(path: string, { docker_image: image = 'debian' }: HarborConfig['environment']) {
  const dockerfile = join(path, 'environment/Dockerfile');
  const text = (await isThere(dockerfile)) ? await readText(dockerfile) : `FROM ${image}\n`;
  return await environmentOf(readDockerfile(text), path);
}

/** Variables of the environment are those of its commands; the agent's shells have the sandbox's own. */
function setupOf({ setup }: Environment, { environment }: HarborConfig): string {
  return [...exportsOf(resolved(environment.env)), setup].join('\n');
}

function exportsOf(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).map(([name, value]) => `export ${name}='${value.replaceAll("'", `'\\''`)}'`);
}

function textOf(entry: Entry): string[] {
  return entry.kind === 'file' && entry.path.startsWith('suites/')
    ? [Buffer.from(entry.content).toString('utf8')]
    : [];
}

function rawConfigOf(about: DatasetAbout, file: string, config: HarborConfig): RawTaskConfig {
  const { agent, verifier, environment: asked, steps, metadata } = config;
  const memory =
    asked.memory_mb ??
    (asked.memory === undefined ? undefined : mebibytes(file, 'environment.memory', asked.memory));
  const storage =
    asked.storage_mb ??
    (asked.storage === undefined ? undefined : mebibytes(file, 'environment.storage', asked.storage));
  const base = configOf(about, {
    agentSeconds: Math.min(
      86_400,
      sum(steps.map((one) => one.agent?.timeout_sec)) ?? agent.timeout_sec ?? 1800,
    ),
    testSeconds: Math.min(
      86_400,
      sum(steps.map((one) => one.verifier?.timeout_sec)) ?? verifier.timeout_sec ?? 600,
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

function sum(values: readonly (number | undefined)[]): number | undefined {
  const given = values.filter((value) => value !== undefined);
  return given.length > 0 && given.length === values.length
    ? given.reduce((all, one) => all + one, 0)
    : undefined;
}

/** The instruction; that of several steps has all of them at once and in their order. */
async function instructionOf(path: string, { steps }: HarborConfig): Promise<string> {
  if (steps.length === 0) return await readText(join(path, 'instruction.md'));
  const texts = await Promise.all(
    steps.map(({ name }) => readText(join(path, 'steps', name, 'instruction.md'))),
  );
  const numbered = texts.map((text, index) => `## Step ${index + 1} of ${texts.length}\n\n${text.trim()}`);
  return `Do these steps, one after the other.\n\n${numbered.join('\n\n')}`;
}

/** Below its folder. */
function solutionFolders({ steps }: HarborConfig): string[] {
  return steps.length === 0 ? ['solution'] : steps.map(({ name }) => join('steps', name, 'solution'));
}

/** The text of its owners' solution and of the files that it brings. */
async function solutionText(path: string, config: HarborConfig): Promise<string> {
  const trees = await Promise.all(solutionFolders(config).map((folder) => readTree(path, folder)));
  const texts = trees.flat().map((entry) => {
    const content = entry.kind === 'file' ? Buffer.from(entry.content).toString('utf8') : '';
    return `${entry.path}\n${content}`;
  });
  return texts.join('\n');
}

async function solutionsOf(path: string, config: HarborConfig, workdir: string) {
  const scripts = await Promise.all(solutionFolders(config).map((folder) => scriptOf(path, folder, workdir)));
  const variables = exportsOf(resolved(config.solution.env));
  return scripts.every((script) => script !== undefined)
    ? [{ name: 'gold', text: [...variables, ...scripts].join('\n') }]
    : [];
}

/** Harbor copies the folder to /solution and runs solve.sh in the task's folder. */
async function scriptOf(root: string, folder: string, workdir: string): Promise<string | undefined> {
  if (!(await isThere(join(root, folder, 'solve.sh')))) return undefined;
  const tree = (await readTree(root, folder)).map(runnableEntry);
  const files = tree.filter((entry) => entry.kind === 'file');
  const written = files.map(({ path, content }) => {
    const data = Buffer.from(content).toString('base64');
    return `mkdir -p "$(dirname '/solution/${path}')" && base64 -d > '/solution/${path}' <<'END'\n${data}\nEND`;
  });
  return `rm -rf /solution && mkdir -p /solution\n${written.join('\n')}\ncd '${workdir}' 2>/dev/null || cd /\nbash /solution/solve.sh && rm -rf /solution\n`;
}
