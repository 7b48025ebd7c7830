import { join } from 'node:path';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { pathExists } from '../../../lib/index.ts';
import { type HarborPass, listPasses, listUnresolved } from './harbor-config.ts';
import { findEntryPoint } from './harbor-entry-point.ts';
import type { HarborParts } from './harbor-parts.ts';
import {
  HARBOR_SCHEMA,
  type HarborConfig,
  type HarborEnvironment,
  type HarborNetwork,
  isAddressRange,
  mainService,
} from './harbor-schema.ts';
import { explainVerifiers } from './harbor-verifier.ts';

/** Refuses a task that would not mean here what it means in Harbor. Errors: `unsupported`, with each reason. */
export async function assertSupported(parts: HarborParts): Promise<void> {
  const reasons = await findUnsupported(parts);
  if (reasons.length > 0)
    throw new PwpError('unsupported', `${parts.path} can't be run here: ${reasons.join('; ')}`, {
      help: 'docs/datasets.md says which tasks of Harbor can be run.',
    });
}

/** Why a task would not mean here what it means in Harbor; none if it does. */
export async function findUnsupported(parts: HarborParts): Promise<string[]> {
  const { path, config } = parts;
  const passes = listPasses(config);
  const entryPoint = await findEntryPoint(parts.image);
  const reasons: (string | false)[] = [
    ...explainSchema(config),
    (await pathExists(join(path, 'environment/docker-compose.yaml'))) &&
      'it has several containers (docker-compose.yaml)',
    ...explainEnvironment(config.environment, 'environment'),
    entryPoint !== undefined &&
      `its image starts a program with each container, which does not run here (ENTRYPOINT ${entryPoint})`,
    ...(await explainSteps(path, passes)),
    ...passes.flatMap(({ separate }) =>
      separate === undefined || separate === config.environment
        ? []
        : explainEnvironment(separate, 'verifier.environment'),
    ),
    ...(await Promise.all(passes.map((pass) => explainVerifiers(parts, pass)))).flat(),
    ...explainUsers(passes),
    ...explainNetworks(passes),
    ...passes
      .flatMap(({ env }) => listUnresolved(env))
      .map((name) => `its tests need the variable ${name} of the machine that runs them`),
    ...explainCollection(passes),
  ];
  return [...new Set(reasons.filter((reason) => reason !== false))];
}

function explainSchema({ schema_version: schema, version }: HarborConfig): string[] {
  const said = schema ?? version ?? HARBOR_SCHEMA;
  return isNewer(said)
    ? [`it is of schema ${said}, and ${HARBOR_SCHEMA} is the newest that is known here`]
    : [];
}

function isNewer(schema: string): boolean {
  const [own = 0, ownMinor = 0] = HARBOR_SCHEMA.split('.').map(Number);
  const [, major = '0', minor = '0'] = /^(\d{1,6})(?:\.(\d{1,6}))?$/.exec(schema) ?? [];
  return Number(major) > own || (Number(major) === own && Number(minor) > ownMinor);
}

/** What an environment needs of the machine and of the sandbox, the agent's parts included. */
function explainEnvironment(environment: HarborEnvironment, table: string): (string | false)[] {
  const { os, gpus = 0, tpu, mcp_servers: servers, skills_dir: skills, healthcheck, env } = environment;
  return [
    os !== 'linux' && `it is for ${os}`,
    gpus > 0 && 'it needs a GPU',
    tpu !== undefined && 'it needs a TPU',
    servers.length > 0 &&
      `it needs MCP servers of its own (${table}.mcp_servers: ${servers.map(({ name }) => name).join(', ')})`,
    skills !== undefined && `it brings skills for its agent (${table}.skills_dir)`,
    healthcheck !== undefined &&
      table !== 'environment' &&
      `its tests wait for a service of their own (${table}.healthcheck)`,
    ...listUnresolved(env).map(
      (name) => `its environment needs the variable ${name} of the machine that runs it`,
    ),
    ...(table === 'environment' ? listMultiline(env) : []).map(
      (name) => `its variable ${name} has several lines (${table}.env)`,
    ),
  ];
}

/** They become part of the image, by a line of a Dockerfile each. */
function listMultiline(env: HarborEnvironment['env']): string[] {
  return Object.entries(env).flatMap(([name, value]) => (/[\n\r]/.test(value) ? [name] : []));
}

async function explainSteps(path: string, passes: readonly HarborPass[]): Promise<(string | false)[]> {
  const [first, ...later] = passes.map(({ step }) => (step ? join('steps', step.name) : ''));
  const staged = await Promise.all(
    later.map(async (folder) => (await pathExists(join(path, folder, 'workdir'))) && join(folder, 'workdir')),
  );
  const checked = passes.slice(1).find(({ step }) => step?.healthcheck !== undefined)?.step;
  return [
    (await pathExists(join(path, first ?? '', 'trajectory.json'))) &&
      `its agent continues the conversation of ${join(first ?? '', 'trajectory.json')}`,
    ...staged.map((folder) => folder !== false && `its later steps bring files of their own (${folder})`),
    checked !== undefined &&
      `its step ${checked.name} waits for a service after the agent has begun (steps.healthcheck)`,
  ];
}

function explainUsers(passes: readonly HarborPass[]): string[] {
  return [
    ...(passes.every(({ agentUser }) => isRoot(agentUser))
      ? []
      : ['its agent is another user than root (agent.user)']),
    ...(passes.every(({ testUser }) => isRoot(testUser))
      ? []
      : ['its tests are run by another user than root (verifier.user)']),
  ];
}

function isRoot(user: string | number | undefined): boolean {
  return user === undefined || ['root', '0'].includes(String(user));
}

/** One sandbox has one network, from the start to the end. */
function explainNetworks(passes: readonly HarborPass[]): string[] {
  const networks = passes.flatMap(({ network, testNetwork }) => [network, testNetwork]);
  const ranges = networks.flatMap((one) => one.allowed_hosts ?? []).filter(isAddressRange);
  const differ = (all: readonly HarborNetwork[]) =>
    new Set(all.map((one) => JSON.stringify(describeNetwork(one)))).size > 1;
  const beside = passes.filter(({ separate }) => separate === undefined);
  return [
    ...(differ(passes.map(({ network }) => network))
      ? ['its steps have different networks (steps.agent.network_mode)']
      : []),
    ...(differ(beside.map(({ testNetwork }) => testNetwork))
      ? ['the tests of its steps have different networks (steps.verifier.network_mode)']
      : []),
    ...(ranges.length > 0
      ? [`its network has ranges of addresses (${[...new Set(ranges)].join(', ')})`]
      : []),
  ];
}

function describeNetwork({ network_mode: mode = 'public', allowed_hosts: hosts = [] }: HarborNetwork) {
  return [mode, hosts.toSorted()];
}

/** Artifacts of other containers, and commands of other users. */
function explainCollection(passes: readonly HarborPass[]): string[] {
  const hooks = passes.flatMap(({ collect }) => collect);
  const services = [...hooks, ...passes.flatMap(({ artifacts }) => artifacts)].flatMap(({ service }) =>
    service === undefined || service === mainService ? [] : [service],
  );
  return [
    ...(services.length > 0
      ? [`it collects from other containers (${[...new Set(services)].join(', ')})`]
      : []),
    ...(hooks.every(({ user }) => isRoot(user))
      ? []
      : ['it collects by another user than root (verifier.collect.user)']),
  ];
}
