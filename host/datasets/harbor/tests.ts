import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../../lib/index.ts';
import { readTree, textEntry, type Entry } from '../../tasks/index.ts';
import type { Language } from '../../node/index.ts';
import { badData } from '../errors.ts';
import type { HarborConfig } from './config.ts';
import { isThere, templateOf } from './support.ts';

/** Programs that show that a layer is there, or a path where it has none. */
const programs: Readonly<Record<Language, string>> = {
  cpp: 'g++',
  go: 'go',
  rust: 'cargo',
  java: 'javac',
  charts: '/usr/lib/python3/dist-packages/scipy',
};
/** Programs of tests that fetch; each is our script of that name. */
const substituted = ['apt', 'apt-get', 'curl', 'wget', 'uv', 'uvx', 'pip', 'pip3', 'sudo'];

export interface TestsOptions {
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
export async function testsOf({
  path,
  config,
  workdir,
  languages,
  words,
  brought,
}: TestsOptions): Promise<Entry[]> {
  const own = await readTree(path, 'tests');
  const steps = await Promise.all(
    config.steps.map(({ name }) => readTree(path, join('steps', name, 'tests'))),
  );
  const suites = config.steps.length === 0 ? [own] : steps.map((step) => [...own, ...step]);
  await assertTested(path, config);
  const described = {
    workdir,
    words: wordsIn(words),
    own_modules: modulesIn(words, brought),
    programs: languages.map((one) => programs[one]),
    strategy: config.multi_step_reward_strategy,
    env: resolved(config.verifier.env),
    suites: suites.map((_, index) => {
      const step = config.steps[index];
      return {
        name: step?.name ?? 'tests',
        min_reward: step?.min_reward ?? null,
        env: resolved(step?.verifier?.env),
      };
    }),
  };
  return [
    textEntry('test.sh', '#!/bin/bash\nexec /usr/bin/python3 -I -S /tests/harbor.py\n'),
    textEntry('harbor.json', JSON.stringify(described)),
    textEntry('harbor.py', await ourFile('grader/harbor.py')),
    textEntry('module_search.py', await ourFile('grader/module_search.py')),
    textEntry('runner_settings.py', await ourFile('grader/runner_settings.py')),
    ...(await substitutes()),
    ...suites.flatMap((suite, index) =>
      suite.map((entry) => ({ ...entry, path: `suites/${index}/${entry.path}` })),
    ),
  ];
}

/** The words of a task's texts, literally: settings that they name are the agent's to change. */
function wordsIn(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/[a-z0-9_]+/g))].toSorted();
}

/** Names of folders of tests, which one of Python's own has as well; no runner looks for that. */
const usual = ['test', 'tests'];

/** Names of modules that a task names or brings. */
function modulesIn(text: string, brought: readonly string[]): string[] {
  const named = [...text.matchAll(/([A-Za-z_]\w*)\.py\b/g)].map(([, name = '']) => name);
  return [...new Set([...named, ...brought, ...usual])].toSorted();
}

/** A step without a script of its own has the task's. Errors: `bad-data` for one that has neither. */
export async function assertTested(path: string, { steps }: HarborConfig): Promise<void> {
  const shared = join(path, 'tests/test.sh');
  if (await isThere(shared)) return;
  const own = steps.map(({ name }) => join(path, 'steps', name, 'tests/test.sh'));
  for (const file of steps.length > 0 ? own : [shared])
    if (!(await isThere(file))) throw badData(file, 'expected the test script, found nothing');
}

/** As Harbor resolves them where its own environment has none of these. */
export function resolved(env: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, templateOf(value)?.fallback ?? value]),
  );
}

async function substitutes(): Promise<Entry[]> {
  const content = Buffer.from(await ourFile('grader/substitute.py'));
  return substituted.map((name) => ({
    kind: 'file',
    path: `substitutes/${name}`,
    content,
    executable: true,
  }));
}

function ourFile(path: string): Promise<string> {
  return readFile(join(packageFolder(import.meta.url), 'host/datasets/harbor', path), 'utf8');
}
