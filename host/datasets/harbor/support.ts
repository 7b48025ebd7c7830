import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import type { Environment } from '../docker/index.ts';
import type { HarborConfig } from './config.ts';

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
  const { environment, verifier, steps } = config;
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
      `its Dockerfile asks for what neither the image nor a layer has: ${missing.join(', ')}`,
    built.ignored.length > 0 &&
      `its Dockerfile has instructions without a meaning here: ${built.ignored.join('; ')}`,
  ].filter((reason) => reason !== false);
}

export function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
