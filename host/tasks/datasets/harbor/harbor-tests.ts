import { imagePrograms } from '../../../../bridge/lib/index.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder, pathExists } from '../../../lib/index.ts';
import type { Language } from '../../../node/index.ts';
import { type ArchiveEntry, makeTextEntry, readTreeEntries } from '../../format/index.ts';
import { badData } from '../records/index.ts';
import { type HarborConfig, parseVariable } from './harbor-config.ts';

/** Programs that show that a layer is there, or a path where it has none. */
const layerPrograms: Readonly<Record<Language, string>> = {
  cpp: 'g++',
  go: 'go',
  rust: 'cargo',
  java: 'javac',
  charts: '/usr/lib/python3/dist-packages/scipy',
};
/** Programs of tests that fetch; each is our script of that name. */
const substitutedPrograms = ['apt', 'apt-get', 'curl', 'wget', 'uv', 'uvx', 'pip', 'pip3', 'sudo'];

interface HarborTestsOptions {
  readonly path: string;
  readonly config: HarborConfig;
  readonly workdir: string;
  readonly languages: readonly Language[];
  /** The task's own words: instruction, set-up, solutions, paths of its files. */
  readonly words: string;
  /** Names at the top of its folder. */
  readonly brought: readonly string[];
}

/** The task's tests as they are, and a script that runs them as Harbor would: in its folder, step after step. */
export async function packHarborTests({
  path,
  config,
  workdir,
  languages,
  words,
  brought,
}: HarborTestsOptions): Promise<ArchiveEntry[]> {
  const own = await readTreeEntries(path, 'tests');
  const steps = await Promise.all(
    config.steps.map(({ name }) => readTreeEntries(path, join('steps', name, 'tests'))),
  );
  const suites = config.steps.length === 0 ? [own] : steps.map((step) => [...own, ...step]);
  await assertHasTests(path, config);
  const described = {
    workdir,
    words: listWords(words),
    own_modules: listModules(words, brought),
    programs: languages.map((one) => layerPrograms[one]),
    strategy: config.multi_step_reward_strategy,
    env: resolveVariables(config.verifier.env),
    suites: suites.map((_, index) => {
      const step = config.steps[index];
      return {
        name: step?.name ?? 'tests',
        min_reward: step?.min_reward ?? null,
        env: resolveVariables(step?.verifier?.env),
      };
    }),
  };
  return [
    makeTextEntry('test.sh', `#!/bin/bash\nexec ${imagePrograms.python} -I -S /tests/harbor.py\n`),
    makeTextEntry('harbor.json', JSON.stringify(described)),
    makeTextEntry('harbor.py', await readHarborFile('grader/harbor.py')),
    makeTextEntry('module_search.py', await readHarborFile('grader/module_search.py')),
    makeTextEntry('runner_settings.py', await readHarborFile('grader/runner_settings.py')),
    ...(await packSubstitutes()),
    ...suites.flatMap((suite, index) =>
      suite.map((entry) => ({ ...entry, path: `suites/${index}/${entry.path}` })),
    ),
  ];
}

/** The words of a task's texts, literally: settings that they name are the agent's to change. */
function listWords(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/[a-z0-9_]+/g))].toSorted();
}

/** Names of folders of tests, which one of Python's own has as well; no runner looks for that. */
const usualTestFolders = ['test', 'tests'];

/** Names of modules that a task names or brings. */
function listModules(text: string, brought: readonly string[]): string[] {
  const named = [...text.matchAll(/([A-Za-z_]\w*)\.py\b/g)].map(([, name = '']) => name);
  return [...new Set([...named, ...brought, ...usualTestFolders])].toSorted();
}

/** A step without a script of its own has the task's. Errors: `bad-data` for one that has neither. */
export async function assertHasTests(path: string, { steps }: HarborConfig): Promise<void> {
  const shared = join(path, 'tests/test.sh');
  if (await pathExists(shared)) return;
  const own = steps.map(({ name }) => join(path, 'steps', name, 'tests/test.sh'));
  for (const file of steps.length > 0 ? own : [shared])
    if (!(await pathExists(file))) throw badData(file, 'expected the test script, found nothing');
}

/** As Harbor resolves them where its own environment has none of these. */
export function resolveVariables(env: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, parseVariable(value)?.fallback ?? value]),
  );
}

async function packSubstitutes(): Promise<ArchiveEntry[]> {
  const content = Buffer.from(await readHarborFile('grader/substitute.py'));
  return substitutedPrograms.map((name) => ({
    kind: 'file',
    path: `substitutes/${name}`,
    content,
    executable: true,
  }));
}

function readHarborFile(path: string): Promise<string> {
  return readFile(join(packageFolder(import.meta.url), 'host/tasks/datasets/harbor', path), 'utf8');
}
