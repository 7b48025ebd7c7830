import { parse } from 'smol-toml';
import * as z from 'zod';
import { messageOf } from '../../../bridge/lib/index.ts';
import { badData } from '../errors.ts';
import { checkedRecord } from '../records/index.ts';

const seconds = z.number().positive().optional();
const rewards = z.union([z.number(), z.record(z.string(), z.number())]);
/** A name, or a number of the system. */
const user = z.union([z.string(), z.number()]).optional();
const texts = z.record(z.string(), z.string());

const environment = z.looseObject({
  cpus: z.number().positive().optional(),
  memory_mb: z.number().positive().optional(),
  storage_mb: z.number().positive().optional(),
  memory: z.string().optional().describe('of older tasks, e.g. 2G'),
  storage: z.string().optional(),
  build_timeout_sec: seconds,
  docker_image: z.string().optional(),
  os: z.string().optional(),
  gpus: z.number().optional(),
  workdir: z.string().startsWith('/').optional(),
  env: texts.optional(),
  network_mode: z.enum(['no-network', 'allowlist', 'public']).optional(),
  allowed_hosts: z.array(z.string()).optional(),
  mcp_servers: z.array(z.unknown()).optional(),
  healthcheck: z.unknown().optional(),
});

const step = z.looseObject({
  name: z.string().regex(/^[A-Za-z0-9._-]+$/, 'expected the name of a folder in steps/'),
  min_reward: rewards.optional().describe('below it no later step counts'),
  agent: z.looseObject({ timeout_sec: seconds }).optional(),
  verifier: z.looseObject({ timeout_sec: seconds, env: texts.optional() }).optional(),
});
export type HarborStep = z.output<typeof step>;

/** The fields of a foreign task.toml that are read; all others are ignored, as in Harbor. */
const harborConfig = z.looseObject({
  metadata: z.record(z.string(), z.unknown()).default({}),
  agent: z.looseObject({ timeout_sec: seconds, user }).default({}),
  solution: z.looseObject({ env: texts.default({}) }).default({ env: {} }),
  verifier: z
    .looseObject({
      timeout_sec: seconds,
      env: texts.optional(),
      environment_mode: z.string().optional(),
      user,
    })
    .default({}),
  environment: environment.default({}),
  steps: z.array(step).default([]),
  multi_step_reward_strategy: z.enum(['mean', 'final']).default('mean'),
  pwp: z.unknown().optional(),
});
export type HarborConfig = z.output<typeof harborConfig>;

/** Errors: `bad-data`. */
export function readHarborConfig(file: string, text: string): HarborConfig {
  let raw: unknown;
  try {
    raw = parse(text);
  } catch (cause) {
    throw badData(file, `not TOML: ${messageOf(cause).trim()}`, cause);
  }
  return checkedRecord(harborConfig, raw, file);
}

/** MiB of `512M`, `2G` and the like. Errors: `bad-data`. */
export function mebibytes(file: string, field: string, text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([KMGT])i?B?$/i.exec(text.trim()) ?? [];
  const factors: Readonly<Record<string, number>> = { K: 1 / 1024, M: 1, G: 1024, T: 1024 * 1024 };
  const factor = factors[unit?.toUpperCase() ?? ''];
  if (number !== undefined && factor !== undefined) return Math.ceil(Number(number) * factor);
  throw badData(file, `${field}: expected a size such as 2G, found ${text}`);
}
