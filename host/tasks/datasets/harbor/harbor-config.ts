import { join } from 'node:path';
import { parse } from 'smol-toml';
import * as z from 'zod';
import { describeError, PwpError } from '../../../../bridge/lib/index.ts';
import { pathExists } from '../../../lib/index.ts';
import { readTreeEntries } from '../../format/index.ts';
import type { DockerEnvironment } from '../docker/index.ts';
import { badData, checkRawRecord } from '../records/index.ts';

const secondsField = z.number().positive().optional();
const rewardField = z.union([z.number(), z.record(z.string(), z.number())]);
/** A name, or a number of the system. */
const userField = z.union([z.string(), z.number()]).optional();
const textsField = z.record(z.string(), z.string());

const environmentTable = z.looseObject({
  cpus: z.number().positive().optional(),
  memory_mb: z.number().positive().optional(),
  storage_mb: z.number().positive().optional(),
  memory: z.string().optional().describe('of older tasks, e.g. 2G'),
  storage: z.string().optional(),
  build_timeout_sec: secondsField,
  docker_image: z.string().optional(),
  os: z.string().optional(),
  gpus: z.number().optional(),
  workdir: z.string().startsWith('/').optional(),
  env: textsField.optional(),
  network_mode: z.enum(['no-network', 'allowlist', 'public']).optional(),
  allowed_hosts: z.array(z.string()).optional(),
  mcp_servers: z.array(z.unknown()).optional(),
  healthcheck: z.unknown().optional(),
});

const stepTable = z.looseObject({
  name: z.string().regex(/^[A-Za-z0-9._-]+$/, 'expected the name of a folder in steps/'),
  min_reward: rewardField.optional().describe('below it no later step counts'),
  agent: z.looseObject({ timeout_sec: secondsField }).optional(),
  verifier: z.looseObject({ timeout_sec: secondsField, env: textsField.optional() }).optional(),
});

/** The fields of a foreign task.toml that are read; all others are ignored, as in Harbor. */
const harborConfigSchema = z.looseObject({
  metadata: z.record(z.string(), z.unknown()).default({}),
  agent: z.looseObject({ timeout_sec: secondsField, user: userField }).default({}),
  solution: z.looseObject({ env: textsField.default({}) }).default({ env: {} }),
  verifier: z
    .looseObject({
      timeout_sec: secondsField,
      env: textsField.optional(),
      environment_mode: z.string().optional(),
      user: userField,
    })
    .default({}),
  environment: environmentTable.default({}),
  steps: z.array(stepTable).default([]),
  multi_step_reward_strategy: z.enum(['mean', 'final']).default('mean'),
  pwp: z.unknown().optional(),
});
export type HarborConfig = z.output<typeof harborConfigSchema>;

/** Errors: `bad-data`. */
export function readHarborConfig(file: string, text: string): HarborConfig {
  let raw: unknown;
  try {
    raw = parse(text);
  } catch (cause) {
    throw badData(file, `not TOML: ${describeError(cause).trim()}`, cause);
  }
  return checkRawRecord(harborConfigSchema, raw, file);
}

/** MiB of `512M`, `2G` and the like. Errors: `bad-data`. */
export function parseMebibytes(file: string, field: string, text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([KMGT])i?B?$/i.exec(text.trim()) ?? [];
  const factors: Readonly<Record<string, number>> = { K: 1 / 1024, M: 1, G: 1024, T: 1024 * 1024 };
  const factor = factors[unit?.toUpperCase() ?? ''];
  if (number !== undefined && factor !== undefined) return Math.ceil(Number(number) * factor);
  throw badData(file, `${field}: expected a size such as 2G, found ${text}`);
}

/**
 * Refuses a task that would not mean here what it means in Harbor. Errors: `unsupported`, with each reason.
 * @param path its folder
 */
export async function assertSupported(
  path: string,
  config: HarborConfig,
  built: DockerEnvironment,
): Promise<void> {
  const reasons = await findUnsupported(path, config, built);
  if (reasons.length > 0)
    throw new PwpError('unsupported', `${path} can't be run here: ${reasons.join('; ')}`, {
      help: 'docs/datasets.md says which tasks of Harbor can be run.',
    });
}

/** Why a task would not mean here what it means in Harbor; none if it does. */
export async function findUnsupported(
  path: string,
  config: HarborConfig,
  built: DockerEnvironment,
): Promise<string[]> {
  const { environment, verifier, steps, agent } = config;
  const { missing } = built.toolchain;
  const staged = await Promise.all(steps.map(({ name }) => pathExists(join(path, 'steps', name, 'workdir'))));
  return [
    (await pathExists(join(path, 'environment/docker-compose.yaml'))) &&
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
    ...listUnresolved(config).map(
      (name) => `its tests need the variable ${name} of the machine that runs them`,
    ),
    findRunningService(await readTestTexts(path, config)) ?? false,
  ].filter((reason): reason is string => typeof reason === 'string');
}

function isRoot(user: string | number | undefined): boolean {
  return user === undefined || ['root', '0'].includes(String(user));
}

/** Variables that Harbor takes from its own environment: none is given to tests here. */
function listUnresolved({ verifier, steps }: HarborConfig): string[] {
  const all = [verifier.env, ...steps.map((step) => step.verifier?.env)].flatMap((env) =>
    Object.values(env ?? {}),
  );
  return all.flatMap((value) => {
    const { name, fallback } = parseVariable(value) ?? {};
    return name !== undefined && fallback === undefined ? [name] : [];
  });
}

/** `${NAME}` or `${NAME:-default}`, as Harbor reads the whole value of a variable. */
export function parseVariable(
  value: string,
): { readonly name: string; readonly fallback: string | undefined } | undefined {
  const [, name, fallback] = /^\$\{([A-Za-z_]\w*)(?::-([\s\S]*))?\}$/.exec(value) ?? [];
  return name === undefined ? undefined : { name, fallback };
}

/** Scripts and programs of all tests, as far as they are text. */
async function readTestTexts(path: string, { steps }: HarborConfig): Promise<string[]> {
  const folders = ['tests', ...steps.map(({ name }) => join('steps', name, 'tests'))];
  const trees = await Promise.all(folders.map((folder) => readTreeEntries(path, folder).catch(() => [])));
  return trees.flat().flatMap((entry) => {
    const isProgram = entry.kind === 'file' && /\.(?:sh|bash|py|js|mjs|cjs|ts|rb)$/.test(entry.path);
    return isProgram && entry.content.byteLength < 1024 * 1024
      ? [Buffer.from(entry.content).toString('utf8')]
      : [];
  });
}

/** A test that asks a server of this machine: an address with a port, or a connection to one. */
const askPattern =
  /(?:\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0)\b|\[::1\])["']?\s*[:,]\s*["']?(?:\d{2,5}|[{$]|[A-Z_]*PORT)|\b(?:nc|ss|netstat|lsof)\s+-\w*[zltn]|\b(?:redis-cli|psql|mysql|mongosh|pg_isready)\b/;
/** It looks for a process that runs: pgrep, systemctl is-active, /proc of others. */
const lookPattern =
  /\bpgrep\b|\bpidof\b|\bpsutil\.process_iter\b|\bsystemctl\s+is-active\b|\bps\s+-?(?:aux|ef|e|A)\b/;
/** A test that starts what it asks: a process of its own, a server in a thread, a job in the background. */
const startPattern =
  /\bPopen\(|\bcreate_subprocess_|\bmultiprocessing\b|\bthreading\b|\bTestClient\b|\btest_client\(|\bspawn\(|\bfork\(|\bHTTPServer\(|\bTCPServer\(|\bsocketserver\b|\.listen\(|(?:^|[^&>|])&\s*$|\b(?:nohup|setsid|daemonize)\b|\bservice\s+\S+\s+(?:re)?start\b|\bsystemctl\s+(?:re)?start\b|\bdocker\b/m;

/**
 * Why tests mean nothing where no program of the agent's runs; undefined if none is seen to ask one. Grading has the files
 * that were left, not the processes.
 * @param texts of the tests
 */
export function findRunningService(texts: readonly string[]): string | undefined {
  const whole = texts.map((text) => text.replaceAll(/^\s*(?:#|\/\/).*$/gm, '')).join('\n');
  if (startPattern.test(whole)) return undefined;
  const [found] = askPattern.exec(whole) ?? lookPattern.exec(whole) ?? [];
  return found === undefined
    ? undefined
    : `its tests ask a server or process that must still be running (${found.trim()}), and tests run here on the files alone`;
}
