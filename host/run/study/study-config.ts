import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parse } from 'smol-toml';
import * as z from 'zod';
import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import { describeSchemaIssues } from '../../lib/index.ts';
import { isDataset } from '../../tasks/index.ts';
import { observationParts, toolSetNames } from '../agents/index.ts';

const sizeField = z.strictObject({
  width: z.int().min(320).max(7680).describe('pixels'),
  height: z.int().min(240).max(4320).describe('pixels'),
});
const countField = z.int().min(1);

const agentFields = z.strictObject({
  name: z.string().min(1).max(80).optional().describe('name in tables; default: agent and model'),
  agent: z
    .string()
    .min(1)
    .max(1000)
    .describe('an agent of `pwp agents list`, or a command, as in exec:./mine'),
  model: z.string().min(1).max(1000).optional().describe('the model that it asks, e.g. claude-sonnet-5'),
  tools: z
    .string()
    .optional()
    .describe(`tools in place of its own: ${toolSetNames.join(', ')}, or a JSON file`),
  observe: z
    .array(z.enum(observationParts))
    .min(1)
    .optional()
    .describe('parts of the IDE to show to its model; default: by agent and model'),
  view: sizeField.optional().describe('maximum size of its pictures; default 1280x720'),
  text_only: z.boolean().optional().describe('show no pictures of the task to the agent bash'),
  temperature: z.number().min(0).max(10).optional(),
  model_seed: z.int().optional(),
  thinking: z.union([z.string(), z.int()]).optional().describe("a level in the vendor's words, or tokens"),
  max_output: countField.optional().describe('maximum output tokens of one turn; default 16384'),
  computer_tool: z
    .string()
    .optional()
    .describe("the vendor's computer tool, e.g. computer_20251124, or none"),
  base_url: z.url().optional().describe('another server that speaks the same protocol'),
  max_pictures: countField.optional().describe('maximum pictures in a conversation; default 20'),
  max_context: countField.optional().describe('maximum tokens of a conversation; default 150000'),
  stream: z.boolean().optional().describe('stream the answers of the model; default true'),
  answer_timeout: z
    .number()
    .positive()
    .max(86_400)
    .optional()
    .describe('seconds to wait for one answer; default 600 for a command, 1800 for a model'),
});
export type StudyAgent = z.output<typeof agentFields>;

/** The definition of a study: any change of it makes another study. Other options may change from run to run. */
export const studyConfig = z.strictObject({
  tasks: z
    .array(z.string().min(1))
    .min(1)
    .max(10_000)
    .describe('task folders, folders that contain them, datasets, or pwp-bench-lite'),
  data: z.string().min(1).optional().describe('folder of the files of the datasets'),
  ids: z.array(z.string().min(1)).min(1).optional().describe('records of a dataset; default: all'),
  sample: countField.optional().describe('number of records to draw from each dataset; default: all'),
  sample_seed: z.int().nonnegative().optional().describe('seed of the draw; default: 0'),
  agents: z.array(agentFields).min(1).max(100).describe('each plays all tasks'),
  attempts: countField.max(1000).default(1).describe('k: attempts of each agent at each task; all are made'),
  max_steps: countField
    .max(100_000)
    .default(20)
    .describe('maximum steps per attempt; solutions are played whole'),
  max_tokens: countField.optional().describe('maximum tokens of the model per attempt, input plus output'),
  max_cost: z.number().positive().optional().describe('maximum cost of the model per attempt, in US dollars'),
  seed: z.int().nonnegative().default(0).describe('variant of the tasks that have several'),
  display: sizeField.optional().describe("screen; default: the task's own, else 1920x1080"),
  suppress: z
    .union([countField, z.literal('random')])
    .optional()
    .describe('the mouse or keyboard action that is silently skipped; random: one of the first five'),
  cold: z.boolean().default(false).describe('boot the IDE for each attempt'),
  video: z.boolean().default(false).describe('record a video of each attempt'),
});
export type StudyConfig = z.output<typeof studyConfig>;

/** Ends after which an attempt may be tried again. `suspect`: it has a score from a sandbox that was not whole. */
export const retryableEnds = ['infrastructure', 'provider', 'grader', 'agent-error', 'suspect'] as const;
export type Retryable = (typeof retryableEnds)[number];

/** Options of a run: they do not change the attempts. */
const runConfig = z.strictObject({
  out: z.string().min(1).optional().describe("the study's folder"),
  parallel: countField.max(1000).optional().describe('attempts at a time; default: the number of cores'),
  budget: z.array(z.string()).default([]).describe('limits of the study, e.g. 25usd, 2000000tokens, 8h'),
  retry: z
    .array(z.enum(retryableEnds))
    .default(['infrastructure', 'suspect'])
    .describe('outcomes after which an attempt is retried'),
  checkpoint_every: countField.optional().describe('take a checkpoint every n steps, for replays'),
  tries: countField.max(20).default(2).describe('maximum tries of one attempt in one run'),
});
export type RunConfig = z.output<typeof runConfig>;

/** A study's file: its definition, and the options of a run. */
const studyFile = z.strictObject({ ...studyConfig.shape, ...runConfig.shape });
export type StudyFile = z.output<typeof studyFile>;

/**
 * Reads a study's TOML file. Paths in it are relative to its own folder.
 * Errors: `no-such-file`; `bad-study` with each wrong field, what was expected and what was found.
 */
export async function readStudyFile(path: string): Promise<StudyFile> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new PwpError('no-such-file', `can't read the study ${path}`, { cause });
  });
  return resolvePaths(checkStudy(parseToml(path, text), path), dirname(resolve(path)));
}

/** Errors: `bad-study`. @param where named in the error */
export function checkStudy(raw: unknown, where: string): StudyFile {
  const checked = studyFile.safeParse(raw);
  if (checked.success) return checked.data;
  throw new PwpError('bad-study', `${where}: ${describeSchemaIssues(checked.error, raw).join('; ')}`, {
    help: 'docs/experiments.md lists the fields.',
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
    ...study,
    tasks: study.tasks.map((task) => (isDataset(task) ? task : resolve(folder, task))),
    ...(study.data !== undefined && { data: resolve(folder, study.data) }),
    agents: study.agents.map((agent) => resolveAgentPaths(agent, folder)),
    ...(study.out !== undefined && { out: resolve(folder, study.out) }),
  };
}

/** Resolves a model's script and a file of tools: paths begin with a dot or a slash, as in a shell. */
function resolveAgentPaths(agent: StudyAgent, folder: string): StudyAgent {
  const { model, tools } = agent;
  const script = model?.startsWith('scripted:') ? model.slice('scripted:'.length) : undefined;
  return {
    ...agent,
    ...(script !== undefined && { model: `scripted:${resolve(folder, script)}` }),
    ...(tools !== undefined && /[./]/.test(tools) && { tools: resolve(folder, tools) }),
  };
}
