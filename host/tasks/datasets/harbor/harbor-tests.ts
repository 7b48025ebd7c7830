import { imagePrograms } from '../../../../bridge/lib/index.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder, pathExists } from '../../../lib/index.ts';
import type { Language } from '../../../node/index.ts';
import { type ArchiveEntry, makeTextEntry } from '../../format/index.ts';
import { badData } from '../records/index.ts';
import { type HarborPass, listPasses, resolveVariables } from './harbor-config.ts';
import type { HarborParts } from './harbor-parts.ts';
import type { HarborConfig } from './harbor-schema.ts';
import { hasFreshHome } from './harbor-verifier.ts';

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

/**
 * The task's tests as they are, and a script that runs them as Harbor would: in its folder, step after step.
 * @param words the task's own: instruction, set-up, solutions, paths of its files
 */
export async function packHarborTests(parts: HarborParts, words: string): Promise<ArchiveEntry[]> {
  const { path, config, places, built, suites } = parts;
  const isHomeFresh = hasFreshHome(parts);
  await assertHasTests(path, config);
  const brought = places.workspace.map((entry) => entry.path.split('/', 1)[0] ?? '');
  const described = {
    workdir: places.workdir,
    words: listWords(words),
    own_modules: listModules(words, brought),
    programs: built.toolchain.languages.map((one) => layerPrograms[one]),
    strategy: config.multi_step_reward_strategy,
    fresh_home: isHomeFresh,
    suites: listPasses(config).map((pass) => describeSuite(config, pass)),
  };
  return [
    makeTextEntry('test.sh', `#!/bin/bash\nexec ${imagePrograms.python} -I -S /tests/harbor.py\n`),
    makeTextEntry('harbor.json', JSON.stringify(described)),
    makeTextEntry('harbor.py', await readHarborFile('grader/harbor.py')),
    makeTextEntry('module_search.py', await readHarborFile('grader/module_search.py')),
    makeTextEntry('runner_settings.py', await readHarborFile('grader/runner_settings.py')),
    ...(await packSubstitutes()),
    ...(isHomeFresh ? places.home.map((entry) => ({ ...entry, path: `home/${entry.path}` })) : []),
    ...suites.flatMap((suite, index) =>
      suite.map((entry) => ({ ...entry, path: `suites/${index}/${entry.path}` })),
    ),
  ];
}

/** What `grader/harbor.py` is to know of one run of tests. */
function describeSuite({ environment }: HarborConfig, { step, separate, env, collect }: HarborPass) {
  return {
    name: step?.name ?? 'tests',
    min_reward: step?.min_reward ?? null,
    env: { ...resolveVariables((separate ?? environment).env), ...resolveVariables(env) },
    collect_env: resolveVariables(environment.env),
    collect: collect.map(({ command, timeout_sec: seconds }) => ({
      command,
      timeout_sec: Math.max(1, Math.trunc(seconds)),
    })),
  };
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
