import { isIP } from 'node:net';
import { join } from 'node:path';
import { pathExists } from '../../../lib/index.ts';
import { defaultLimits, type NetworkPolicy } from '../../../node/index.ts';
import type { ArchiveEntry, ImageTests, SeparateTests, ImageTestRun } from '../../format/index.ts';
import { badData } from '../records/index.ts';
import { type HarborPass, listPasses, resolveVariables } from './harbor-config.ts';
import type { HarborParts } from './harbor-parts.ts';
import type { HarborEnvironment, HarborNetwork, HarborStep } from './harbor-schema.ts';
import { findServiceUse, readPrograms } from './harbor-services.ts';
import { findVerifierImage, listArtifacts } from './harbor-verifier.ts';

/** The runs of a task's tests, as Harbor runs them. Errors: `bad-data` without a script. */
export async function describeHarborTests(parts: HarborParts): Promise<ImageTests> {
  const { config, suites } = parts;
  const runs = await Promise.all(
    listPasses(config).map((pass, index) => describeRun(parts, pass, suites[index] ?? [])),
  );
  const beside = runs.filter(({ separate }) => separate === undefined).flatMap(({ files }) => files);
  const collected = runs.flatMap((run) => run.collect.map(({ command }) => command));
  return {
    runs,
    strategy: config.multi_step_reward_strategy,
    service: findServiceUse(readPrograms(beside)) ?? findServiceUse(collected),
  };
}

async function describeRun(
  parts: HarborParts,
  pass: HarborPass,
  files: readonly ArchiveEntry[],
): Promise<ImageTestRun> {
  const { environment } = parts.config;
  const { step, env, collect, testSeconds } = pass;
  const separate = pass.separate && (await describeSeparate(parts, pass, pass.separate));
  if (!separate?.hasTests) await assertHasTests(parts.path, step);
  const { min_reward: least = {} } = step ?? {};
  return {
    name: step?.name ?? 'tests',
    files,
    env: { ...resolveVariables((pass.separate ?? environment).env), ...resolveVariables(env) },
    seconds: testSeconds,
    network: toNetworkPolicy(pass.testNetwork),
    collect: collect.map(({ command, timeout_sec: seconds }) => ({
      command,
      seconds: Math.max(1, Math.trunc(seconds)),
    })),
    least: typeof least === 'number' ? { reward: least } : least,
    separate,
  };
}

async function describeSeparate(
  parts: HarborParts,
  pass: HarborPass,
  { workdir, cpus = 1, memory_mb: memoryMb = 0, storage_mb: diskMb = 0 }: HarborEnvironment,
): Promise<SeparateTests> {
  return {
    ...(await findVerifierImage(parts, pass)),
    workdir,
    artifacts: listArtifacts(pass),
    limits: {
      cpus: Math.max(2, cpus),
      memoryMb: Math.max(2048, memoryMb),
      diskMb: Math.max(defaultLimits.diskMb, diskMb),
    },
  };
}

/** Harbor's own default is the public network. */
export function toNetworkPolicy({
  network_mode: mode = 'public',
  allowed_hosts: hosts = [],
}: HarborNetwork): NetworkPolicy {
  const written = hosts.map((host) => (isIP(host) === 6 ? `[${host}]` : host));
  return mode === 'allowlist' ? { mode, hosts: written } : { mode };
}

/** A step without a script of its own has the task's. Errors: `bad-data` for one that has neither. */
async function assertHasTests(path: string, step: HarborStep | undefined): Promise<void> {
  const shared = join(path, 'tests/test.sh');
  const own = step ? join(path, 'steps', step.name, 'tests/test.sh') : shared;
  for (const file of [shared, own]) if (await pathExists(file)) return;
  throw badData(own, 'expected the test script, found nothing');
}
