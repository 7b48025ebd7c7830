import * as z from 'zod';
import { iterationKinds } from './iteration.ts';

/**
 * The four files that the IDE-Bench paper names. It defines no fields: these are ours, with the data that its analyses
 * need. Every line has the `run` that it belongs to.
 */
export const ideBenchFiles = {
  run_summary: 'run_summary.jsonl',
  tool_calls: 'tool_calls.jsonl',
  trajectory: 'trajectory.jsonl',
  edits: 'edits.jsonl',
} as const;

export const runFields = z.object({
  run_id: z.string().describe('of the episode, unique among all'),
  study: z.string().nullable().describe("name of its study's folder; null outside of studies"),
  task_id: z.string().nullable().describe('null for a session without a task'),
  agent: z
    .string()
    .describe('its name in its study, prefixed with that of the study if another has such an agent'),
  model: z.string().nullable().describe('null without a model'),
  attempt: z
    .int()
    .positive()
    .nullable()
    .describe('number of the attempt in its study, from 1; null outside of studies'),
});
const inRun = runFields.extend({ iteration: z.int().positive().describe('the step') });
/** The purpose of a call. */
const callTypes = ['read', 'edit', 'other'] as const;
export type CallType = (typeof callTypes)[number];
const tokens = z.int().nonnegative().nullable().describe('null if not known');
const dollars = z.number().nonnegative().nullable().describe('US dollars; null if not known');

export const runSummaryLine = runFields.extend({
  counts: z.boolean().describe('false: a try that its study repeated'),
  success: z.boolean().nullable().describe('full reward that can be trusted; null without a score'),
  reward: z.number().nullable(),
  reward_trustworthy: z.boolean().nullable(),
  tests_passed: z.int().nonnegative().nullable().describe('checks of the grader; null without a score'),
  tests_total: z.int().nonnegative().nullable().describe('without those that could not be measured'),
  test_pass_rate: z.number().nullable().describe('0 to 1; null without checks that were measured'),
  ended: z.string().nullable().describe('how the episode ended, as in result.json; null if it was killed'),
  error_category: z
    .enum(['infrastructure', 'provider', 'grader', 'sandbox', 'agent', 'interrupted'])
    .nullable()
    .describe('null for an episode that the agent or a limit ended'),
  iterations: z.int().nonnegative(),
  productive: z.int().nonnegative(),
  non_productive: z.int().nonnegative(),
  exploration: z.int().nonnegative(),
  first_edit_iteration: z.int().positive().nullable().describe('of the first edit that succeeded'),
  first_edit_seconds: z
    .number()
    .nullable()
    .describe('from the first line of the record until its step was over'),
  tool_calls: z.int().nonnegative().describe('those that were tried'),
  failed_tool_calls: z.int().nonnegative().describe('tried, and refused'),
  skipped_tool_calls: z.int().nonnegative().describe('not tried, since another of the turn was refused'),
  edits: z.int().nonnegative().describe('those that were tried'),
  successful_edits: z.int().nonnegative(),
  prompt_tokens: tokens,
  completion_tokens: tokens,
  cached_tokens: tokens,
  cost_usd: dollars,
  model_seconds: z.number().nonnegative().nullable(),
  duration_seconds: z.number().nonnegative(),
  started_at: z.string().describe('ISO 8601, UTC'),
});

export const toolCallLine = inRun.extend({
  call: z.int().positive().describe('in the iteration, from 1'),
  tool: z.string().describe('as the agent calls it'),
  registry_tool: z
    .string()
    .nullable()
    .describe("the registry's tool that did it; null for mouse and keyboard"),
  type: z.enum(callTypes).describe('`edit` as in edits.jsonl; `read`: a tool that only looks'),
  arguments: z.record(z.string(), z.unknown()),
  file: z.string().nullable().describe('the file it is about, as it names it'),
  tried: z.boolean().describe('false: a call before it in the turn was refused'),
  success: z.boolean().describe('tried, and not refused. A command that fails is a success of the tool'),
  effect: z.string().nullable().describe('as in the record'),
  error: z.string().nullable().describe('why it was refused'),
  output: z.string().nullable(),
});

export const trajectoryLine = inRun.extend({
  at: z.string().describe('ISO 8601, UTC: when the step was over'),
  kind: z.enum(iterationKinds).nullable().describe('null for a final message without actions'),
  message: z.string().nullable(),
  reasoning: z.string().nullable(),
  tools: z.array(z.string()).describe('of its calls, in order, including those that were not tried'),
  prompt_tokens: tokens,
  completion_tokens: tokens,
  cached_tokens: tokens,
  cost_usd: dollars,
  model_seconds: z.number().nonnegative().nullable(),
  step_seconds: z.number().nonnegative().describe('acting, and looking afterwards; 0 for a final message'),
});

export const editLine = inRun.extend({
  call: z.int().positive(),
  tool: z.string(),
  by: z.enum(['tool', 'keyboard']),
  file: z.string().nullable(),
  success: z.boolean().describe('a change was seen'),
  lines_added: z.int().nonnegative().nullable().describe('null if they were not counted'),
  lines_removed: z.int().nonnegative().nullable(),
  new_errors: z
    .int()
    .nonnegative()
    .nullable()
    .describe('errors that VS Code shows since then; null if it was not asked or had not checked the text'),
  error: z.string().nullable(),
});

/** The lines of one run for each of the four files. */
export interface IdeBenchLines {
  readonly run_summary: readonly z.output<typeof runSummaryLine>[];
  readonly tool_calls: readonly z.output<typeof toolCallLine>[];
  readonly trajectory: readonly z.output<typeof trajectoryLine>[];
  readonly edits: readonly z.output<typeof editLine>[];
}
