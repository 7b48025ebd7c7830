import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import type { Environment } from '../docker/index.ts';
import { readTree } from '../../tasks/index.ts';
import type { HarborConfig } from './config.ts';
import { runningService } from './services.ts';

/**
 * Refuses a task that would not mean here what it means in Harbor. Errors: `unsupported`, with each reason.
 * @param path its folder
 */
export async function assertSupported(path: string, config: HarborConfig, built: Environment): Promise<void> {
  const reasons = await reasonsAgainst(path, config, built);
  if (reasons.length > 0)
    throw new PwpError('unsupported', `${path} can't be run here: ${reasons.join('; ')}`, {
      help: 'docs/datasets.md says which tasks of Harbor can be run.',
    });
}

/** Why a task would not mean here what it means in Harbor; none if it does. */
export async function reasonsAgainst(
  path: string,
  config: HarborConfig,
  built: Environment,
): Promise<string[]> {
  const { environment, verifier, steps, agent } = config;
  const { missing } = built.toolchain;
  const staged = await Promise.all(steps.map(({ name }) => isThere(join(path, 'steps', name, 'workdir'))));
  return [
    (await isThere(join(path, 'environment/docker-compose.yaml'))) &&
      'it has several containers (docker-compose.yaml)',
    environment.os !== undefined && environment.os !== 'linux' && `it is for ${environment.os}`,
    (environment.gpus ?? 0) > 0 && 'it needs a GPU',
    (environment.mcp_servers ?? []).length > 0 && 'it needs MCP servers of its own',
    verifier.environment_mode === 'separate' && 'its tests run in an image of their own',
    staged.includes(true) && 'its steps bring files of their own (steps/*/workdir)',
    missing.length > 0 &&
      `its Dockerfile needs packages that neither the image nor a layer has: ${missing.join(', ')}`,
    built.ignored.length > 0 &&
      `environment/Dockerfile has instructions that can't be carried out here: ${built.ignored.join('; ')}`,
    environment.healthcheck !== undefined && 'it waits for a service of its own (environment.healthcheck)',
    !isRoot(agent.user) && 'its agent is another user than root (agent.user)',
    !isRoot(verifier.user) && 'its tests are run by another user than root (verifier.user)',
    ...unresolved(config).map((name) => `its tests need the variable ${name} of the machine that runs them`),
    runningService(await testTexts(path, config)) ?? false,
  ].filter((reason): reason is string => typeof reason === 'string');
}

export function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function isRoot(user: string | number | undefined): boolean {
  return user === undefined || ['root', '0'].includes(String(user));
}

/** Variables that Harbor takes from its own environment: none is given to tests here. */
function unresolved({ verifier, steps }: HarborConfig): string[] {
  const all = [verifier.env, ...steps.map((step) => step.verifier?.env)].flatMap((env) =>
    Object.values(env ?? {}),
  );
  return all.flatMap((value) => {
    const { name, fallback } = templateOf(value) ?? {};
    return name !== undefined && fallback === undefined ? [name] : [];
  });
}

/** `${NAME}` or `${NAME:-default}`, as Harbor reads the whole value of a variable. */
export function templateOf(
  value: string,
): { readonly name: string; readonly fallback: string | undefined } | undefined {
  const [, name, fallback] = /^\$\{([A-Za-z_]\w*)(?::-([\s\S]*))?\}$/.exec(value) ?? [];
  return name === undefined ? undefined : { name, fallback };
}

/** Scripts and programs of all tests, as far as they are text. */
async function testTexts(path: string, { steps }: HarborConfig): Promise<string[]> {
  const folders = ['tests', ...steps.map(({ name }) => join('steps', name, 'tests'))];
  const trees = await Promise.all(folders.map((folder) => readTree(path, folder).catch(() => [])));
  return trees.flat().flatMap((entry) => {
    const isProgram = entry.kind === 'file' && /\.(?:sh|bash|py|js|mjs|cjs|ts|rb)$/.test(entry.path);
    return isProgram && entry.content.byteLength < 1024 * 1024
      ? [Buffer.from(entry.content).toString('utf8')]
      : [];
  });
}
