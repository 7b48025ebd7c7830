import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parse } from 'smol-toml';
import * as z from 'zod';
import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import {
  countSchema,
  describeSchemaIssues,
  readDollars,
  readNumberOrWord,
  readSize,
  setting,
  sizeSchema,
  swapForm,
  swapKeyForms,
} from '../../lib/index.ts';
import { isDataset } from '../../tasks/index.ts';
import { type AgentSettings, agentSettings } from '../agents/index.ts';
import { defaultMaxSteps } from '../environment/index.ts';

/** Which tasks are played. */
export const taskSettings = z.strictObject({
  tasks: setting(z.array(z.string().min(1)).min(1).max(10_000), {
    flag: '-t, --task <task...>',
    help: 'task folders, folders that contain them, ids of `pwp tasks list`, datasets of `pwp datasets list`, or pwp-bench-lite',
  }),
  data: setting(z.string().min(1).optional(), {
    flag: '--data <path>',
    help: 'files of a dataset, or a folder that has a folder for each dataset',
  }),
  ids: setting(z.array(z.string().min(1)).min(1).optional(), {
    flag: '--ids <id...>',
    help: 'records of a dataset, as it names them',
    default: 'all',
  }),
  sample: setting(countSchema.optional(), {
    flag: '--sample <n>',
    help: 'number of records to draw from each dataset',
    default: 'all',
  }),
  sampleSeed: setting(z.int().nonnegative().optional(), {
    flag: '--sample-seed <n>',
    help: 'seed of the draw',
    default: 0,
  }),
  seed: setting(z.int().nonnegative().default(0), {
    flag: '--seed <n>',
    help: 'variant of the tasks that have several',
  }),
});

/** The limits of one attempt. */
export const limitSettings = z.strictObject({
  maxSteps: setting(countSchema.max(100_000).default(defaultMaxSteps), {
    flag: '-l, --max-steps <n>',
    help: 'maximum steps of an attempt; solutions are played whole',
  }),
  maxTokens: setting(countSchema.optional(), {
    flag: '--max-tokens <n>',
    help: 'maximum tokens of the model per attempt, input plus output',
    unit: 'tokens',
  }),
  maxCost: setting(z.number().positive().optional(), {
    flag: '--max-cost <usd>',
    help: 'maximum cost of the model per attempt, if its price is known',
    unit: 'US dollars',
    example: '2.50',
    read: readDollars,
  }),
});

/** How one attempt is made. */
export const attemptSettings = z.strictObject({
  display: setting(sizeSchema.optional(), {
    flag: '--display <size>',
    help: 'screen size',
    unit: 'pixels',
    default: "the task's own, else 1920x1080",
    example: '1280x800',
    read: readSize,
  }),
  image: setting(z.string().min(1).max(4096).optional(), {
    flag: '--image <image>',
    help: "image that is the root of the agent: a name, an archive, a layout, a root folder or a Dockerfile; with {id} in it, each record's own; none: the sandbox image",
    default: "the task's own, else the sandbox image",
    example: './Dockerfile',
  }),
  audio: setting(z.boolean().optional(), {
    flag: '--audio',
    help: 'with a sound server, so that what VS Code plays can be heard',
    default: "the task's own, else off",
  }),
  cold: setting(z.boolean().default(false), {
    flag: '--cold',
    help: 'boot the IDE for each attempt instead of restoring a golden checkpoint',
  }),
  video: setting(z.boolean().default(false), {
    flag: '--video',
    help: 'record a video of each attempt; needs ffmpeg',
  }),
  suppress: setting(z.union([countSchema, z.literal('random')]).optional(), {
    flag: '--suppress <n|random>',
    help: 'silently skip this mouse or keyboard action (from 1), or a random one of the first five, to see whether the agent notices',
    example: '2 or random',
    read: readNumberOrWord,
  }),
});

/** The definition of a study: any change of it makes another study. Other options may change from run to run. */
export const studyConfig = z.strictObject({
  ...taskSettings.shape,
  agents: setting(z.array(agentSettings).min(1).max(100), {
    help: 'each plays all tasks: one `[[agents]]` for each',
  }),
  attempts: setting(countSchema.max(1000).default(1), {
    flag: '-k, --attempts <n>',
    help: 'attempts of each agent at each task; all are made',
  }),
  ...limitSettings.shape,
  ...attemptSettings.shape,
});
export type StudyConfig = z.output<typeof studyConfig>;

/** Ends after which an attempt may be tried again. `suspect`: it has a score from a sandbox that was not whole. */
export const retryableEnds = ['infrastructure', 'provider', 'grader', 'agent-error', 'suspect'] as const;
export type Retryable = (typeof retryableEnds)[number];

/** Options of a run: they do not change the attempts. */
export const runConfig = z.strictObject({
  out: setting(z.string().min(1).optional(), {
    flag: '--out <folder>',
    help: "the study's folder",
    default: 'study',
  }),
  parallel: setting(countSchema.max(1000).optional(), {
    flag: '-n, --parallel <n>',
    help: 'attempts at a time',
    default: 'the number of cores',
  }),
  budget: setting(z.array(z.string()).default([]), {
    flag: '--budget <most...>',
    help: 'limits of the study, e.g. 25usd, 2000000tokens, 8h',
  }),
  rate: setting(z.array(z.string()).default([]), {
    flag: '--rate <most...>',
    help: 'limits of a minute for each model, e.g. 60requests, 200000tokens; with a queue, of all its workers together',
  }),
  retry: setting(z.array(z.enum(retryableEnds)).default(['infrastructure', 'suspect']), {
    flag: '--retry <ends...>',
    help: 'retry attempts with this outcome; as an option, also those of earlier runs',
  }),
  tries: setting(countSchema.max(20).default(2), {
    flag: '--tries <n>',
    help: 'maximum tries of one attempt in one run',
  }),
  checkpointEvery: setting(countSchema.optional(), {
    flag: '--checkpoint-every <n>',
    help: 'take a checkpoint every n steps, for pwp replay',
  }),
});
export type RunConfig = z.output<typeof runConfig>;

/** A study's file: its definition, and the options of a run. */
export const studySettings = z.strictObject({ ...studyConfig.shape, ...runConfig.shape });
export type StudyFile = z.output<typeof studySettings>;

/**
 * Reads a study's TOML file. Paths in it are relative to its own folder.
 * Errors: `no-such-file`; `bad-study` with each wrong field, what was expected and what was found.
 */
export async function readStudyFile(path: string): Promise<StudyFile> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new PwpError('no-such-file', `can't read the study ${path}`, { cause });
  });
  return resolvePaths(checkStudy(swapKeyForms(parseToml(path, text)), path), dirname(resolve(path)));
}

/** Errors: `bad-study`, with the fields as a file has them. @param where named in the error */
export function checkStudy(raw: unknown, where: string): StudyFile {
  const checked = studySettings.safeParse(raw);
  if (checked.success) return checked.data;
  const issues = describeSchemaIssues(checked.error, raw, swapForm);
  throw new PwpError('bad-study', `${where}: ${issues.join('; ')}`, {
    help: 'docs/settings.md lists the fields.',
  });
}

function parseToml(path: string, text: string): unknown {
  try {
    return parse(text);
  } catch (cause) {
    throw new PwpError('bad-study', `${path} is not TOML: ${describeError(cause).trim()}`, { cause });
  }
}

function resolvePaths(study: StudyFile, folder: string): StudyFile {
  return {
    ...mapStudyPaths(study, (path) => resolve(folder, path)),
    tasks: study.tasks.map((task) => (isDataset(task) ? task : resolve(folder, task))),
    ...(study.out !== undefined && { out: resolve(folder, study.out) }),
  };
}

/**
 * Replaces the paths of the files that attempts read, but those of tasks: data, models' scripts, and files of tools, whose
 * paths begin with a dot or a slash, as in a shell.
 */
export function mapStudyPaths<S extends Pick<StudyConfig, 'data' | 'agents'>>(
  study: S,
  map: (path: string) => string,
): S {
  const { data, agents } = study;
  return {
    ...study,
    ...(data !== undefined && { data: map(data) }),
    agents: agents.map((agent) => mapAgentPaths(agent, map)),
  };
}

function mapAgentPaths(agent: AgentSettings, map: (path: string) => string): AgentSettings {
  const { model, tools } = agent;
  const script = model?.startsWith('scripted:') ? model.slice('scripted:'.length) : undefined;
  return {
    ...agent,
    ...(script !== undefined && { model: `scripted:${map(script)}` }),
    ...(tools !== undefined && /[./]/.test(tools) && { tools: map(tools) }),
  };
}
