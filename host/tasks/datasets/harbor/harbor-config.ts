import { parse } from 'smol-toml';
import type * as z from 'zod';
import { describeError } from '../../../../bridge/lib/index.ts';
import { isJsonObject } from '../../../../bridge/text/index.ts';
import { badData, checkRawRecord } from '../records/index.ts';
import {
  type HarborArtifact,
  type HarborCollect,
  type HarborConfig,
  harborConfigSchema,
  type HarborEnvironment,
  type HarborNetwork,
  type HarborStep,
} from './harbor-schema.ts';

/** A `task.toml` as it is read. */
export interface HarborFile {
  readonly config: HarborConfig;
  /** Fields that Harbor does not have, which it ignores, e.g. `environment.gpu`. */
  readonly unknown: readonly string[];
}

/** Undefined for one with a `[pwp]` table, which is a task of this project. Errors: `bad-data`. */
export function readHarborConfig(file: string, text: string): HarborFile | undefined {
  let raw: unknown;
  try {
    raw = parse(text);
  } catch (cause) {
    throw badData(file, `not TOML: ${describeError(cause).trim()}`, cause);
  }
  if (isJsonObject(raw) && 'pwp' in raw) return undefined;
  const unknown = removeUnknownFields(harborConfigSchema, raw);
  return { config: checkRawRecord(harborConfigSchema, raw, file), unknown };
}

/** @returns names of the fields that a strict schema does not have, which are then no longer in the value */
function removeUnknownFields(schema: z.ZodType, raw: unknown): string[] {
  const issues = schema.safeParse(raw).error?.issues ?? [];
  return issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [];
    const place = issue.path.reduce<unknown>(
      (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
      raw,
    );
    for (const key of issue.keys) delete (place as Record<string, unknown>)[key];
    const path = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
    return issue.keys.map((key) => [...path, `.${key}`].join('').replace(/^\./, ''));
  });
}

/** The whole task as one step, or one of its steps: all that its tests depend on, with the task's values where it has none. */
export interface HarborPass {
  /** Undefined if the task has no steps. */
  readonly step: HarborStep | undefined;
  readonly agentSeconds: number | undefined;
  readonly testSeconds: number;
  readonly agentUser: string | number | undefined;
  readonly testUser: string | number | undefined;
  /** Of the tests, unresolved. */
  readonly env: Readonly<Record<string, string>>;
  /** Commands that are run when the agent has ended. */
  readonly collect: readonly HarborCollect[];
  /** Beside `/logs/artifacts`. */
  readonly artifacts: readonly HarborArtifact[];
  /** The environment of tests that do not run in the agent's; undefined if they do. */
  readonly separate: HarborEnvironment | undefined;
  /** The agent's. */
  readonly network: HarborNetwork;
  readonly testNetwork: HarborNetwork;
}

/** By the rules by which Harbor resolves a step's and a task's tables. */
export function listPasses(config: HarborConfig): HarborPass[] {
  return (config.steps.length === 0 ? [undefined] : config.steps).map((step) => resolvePass(config, step));
}

function resolvePass(config: HarborConfig, step: HarborStep | undefined): HarborPass {
  const { agent, verifier, environment, artifacts } = config;
  const own = step?.verifier;
  const separate = isSeparate(config, step)
    ? (own?.environment ?? verifier.environment ?? environment)
    : undefined;
  return {
    step,
    agentSeconds: step?.agent.timeout_sec ?? agent.timeout_sec,
    // A step's own default comes before the task's value.
    testSeconds: (own ?? verifier).timeout_sec,
    agentUser: step?.agent.user ?? agent.user,
    testUser: own?.user ?? verifier.user,
    env: { ...verifier.env, ...own?.env },
    collect: [...verifier.collect, ...(own?.collect ?? [])],
    artifacts: [...artifacts, ...(step?.artifacts ?? [])],
    separate,
    network: chooseNetwork(step?.agent, agent, environment),
    testNetwork: chooseNetwork(own, verifier, separate ?? environment),
  };
}

/** The first that says something. */
function chooseNetwork(...tables: readonly (HarborNetwork | undefined)[]): HarborNetwork {
  return tables.find((one) => one?.network_mode !== undefined) ?? {};
}

function isSeparate({ verifier }: HarborConfig, step: HarborStep | undefined): boolean {
  for (const one of [step?.verifier, verifier]) {
    if (one?.environment_mode !== undefined) return one.environment_mode === 'separate';
    if (one?.environment !== undefined) return true;
  }
  return false;
}

/** `${NAME}` or `${NAME:-default}`, as Harbor reads the whole value of a variable. */
export function parseVariable(
  value: string,
): { readonly name: string; readonly fallback: string | undefined } | undefined {
  const [, name, fallback] = /^\$\{([A-Za-z_]\w*)(?::-([\s\S]*))?\}$/.exec(value) ?? [];
  return name === undefined ? undefined : { name, fallback };
}

/** As Harbor resolves them where its own environment has none of these. */
export function resolveVariables(env: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, parseVariable(value)?.fallback ?? value]),
  );
}

/** Variables that Harbor takes from its own environment: none is given to a task here. */
export function listUnresolved(env: Readonly<Record<string, string>>): string[] {
  return Object.values(env).flatMap((value) => {
    const { name, fallback } = parseVariable(value) ?? {};
    return name !== undefined && fallback === undefined ? [name] : [];
  });
}
