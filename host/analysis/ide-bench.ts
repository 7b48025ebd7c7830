import * as z from 'zod';
import type { EpisodeHistory, Ending, EventOf } from '../record/index.ts';
import { callsOf, succeeded, type Call } from './calls.ts';
import { editOf, fileOf } from './edits.ts';
import { iterationKind, iterationKinds } from './iteration.ts';

/**
 * The four files that the IDE-Bench paper names. It prints no fields: those here are ours, and hold what its analyses
 * need. Every line has the `run` that it belongs to.
 */
export const ideBenchFiles = {
  run_summary: 'run_summary.jsonl',
  tool_calls: 'tool_calls.jsonl',
  trajectory: 'trajectory.jsonl',
  edits: 'edits.jsonl',
} as const;

const run = z.object({
  run_id: z.string().describe('of the episode, unique among all'),
  task_id: z.string().nullable().describe('null for a session without a task'),
  agent: z.string(),
  model: z.string().nullable().describe('null without a model'),
  attempt: z
    .int()
    .positive()
    .nullable()
    .describe('number of the attempt in its study, from 1; null outside of one'),
});
const inRun = run.extend({ iteration: z.int().positive().describe('the step') });
const tokens = z.int().nonnegative().nullable().describe('null if not known');
const dollars = z.number().nonnegative().nullable().describe('US dollars; null if not known');

export const runSummaryLine = run.extend({
  counts: z.boolean().describe('false: a try that its study made again'),
  success: z.boolean().nullable().describe('full reward that can be trusted; null without a score'),
  reward: z.number().nullable(),
  reward_trustworthy: z.boolean().nullable(),
  tests_passed: z.int().nonnegative().nullable().describe('checks of the grader; null without a score'),
  tests_total: z.int().nonnegative().nullable(),
  test_pass_rate: z.number().nullable().describe('0 to 1; null without checks'),
  ended: z.string().nullable().describe('how the episode ended, as in result.json; null if it was killed'),
  error_category: z
    .enum(['infrastructure', 'provider', 'grader', 'sandbox', 'agent', 'interrupted'])
    .nullable()
    .describe('null for an episode that ended by the agent or a limit'),
  iterations: z.int().nonnegative(),
  productive: z.int().nonnegative(),
  non_productive: z.int().nonnegative(),
  exploration: z.int().nonnegative(),
  first_edit_iteration: z.int().positive().nullable().describe('of the first edit that succeeded'),
  first_edit_seconds: z
    .number()
    .nullable()
    .describe('from the first line of the record until its step was over'),
  tool_calls: z.int().nonnegative(),
  failed_tool_calls: z.int().nonnegative(),
  edits: z.int().nonnegative(),
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
  kind: z.enum(iterationKinds),
  message: z.string().nullable(),
  reasoning: z.string().nullable(),
  tools: z.array(z.string()).describe('of its calls, in order'),
  prompt_tokens: tokens,
  completion_tokens: tokens,
  cached_tokens: tokens,
  cost_usd: dollars,
  model_seconds: z.number().nonnegative().nullable(),
  step_seconds: z.number().nonnegative().describe('acting, and looking afterwards'),
});

export const editLine = inRun.extend({
  call: z.int().positive(),
  tool: z.string(),
  by: z.enum(['tool', 'keyboard']),
  file: z.string().nullable(),
  success: z.boolean().describe('it was seen to change something'),
  lines_added: z.int().nonnegative().nullable().describe('null where the call does not say'),
  lines_removed: z.int().nonnegative().nullable(),
  error: z.string().nullable(),
});

/** The lines of one run for each of the four files. */
export interface IdeBenchLines {
  readonly run_summary: readonly z.output<typeof runSummaryLine>[];
  readonly tool_calls: readonly z.output<typeof toolCallLine>[];
  readonly trajectory: readonly z.output<typeof trajectoryLine>[];
  readonly edits: readonly z.output<typeof editLine>[];
}

interface Iteration {
  readonly step: EventOf<'step'>;
  readonly calls: readonly Call[];
}

/** Which attempt of a study it is, and whether it is the one that counts; null outside of one. */
type Place = { readonly attempt: number; readonly counts: boolean } | null;

/** @param place in its study; null outside of one */
export function ideBenchLines(history: EpisodeHistory, place: Place): IdeBenchLines {
  const { session, task, agent } = history.result;
  const attempt = place?.attempt ?? null;
  const named = { run_id: session, task_id: task, agent: agent.name, model: agent.model ?? null, attempt };
  const iterations = history.steps.map((step) => ({ step, calls: callsOf(step) }));
  const calls = iterations.flatMap((one) => numbered(one).map((line) => ({ ...named, ...line })));
  const edits = iterations.flatMap((one) => editsOf(one).map((line) => ({ ...named, ...line })));
  const trajectory = iterations.map((one) => ({ ...named, ...iterationOf(one) }));
  const counts = place?.counts ?? true;
  const summary = { ...named, counts, ...summaryOf(history, trajectory, edits, calls) };
  return { run_summary: [summary], tool_calls: calls, trajectory, edits };
}

type Line<T extends z.ZodType> = Omit<z.output<T>, keyof z.output<typeof run> | 'counts'>;

function numbered({ step, calls }: Iteration): Line<typeof toolCallLine>[] {
  return calls.map((call, i) => ({
    ...{ iteration: step.step, call: i + 1 },
    ...{ tool: call.name, registry_tool: call.tool?.tool.name ?? null, arguments: call.arguments },
    ...{ file: fileOf(call), tried: call.outcome !== null, success: succeeded(call) },
    ...{ effect: call.outcome?.effect ?? null, error: errorOf(call), output: call.outcome?.output ?? null },
  }));
}

function editsOf({ step, calls }: Iteration): Line<typeof editLine>[] {
  return calls.flatMap((call, i) => {
    const edit = editOf(call);
    if (!edit) return [];
    const { by, file, success, linesAdded, linesRemoved } = edit;
    const where = { iteration: step.step, call: i + 1, tool: call.name, by, file, success };
    return [{ ...where, lines_added: linesAdded, lines_removed: linesRemoved, error: errorOf(call) }];
  });
}

function errorOf({ outcome }: Call): string | null {
  return outcome?.effect === 'refused' ? outcome.evidence : null;
}

function iterationOf({ step, calls }: Iteration): Line<typeof trajectoryLine> {
  const { message, reasoning, promptTokens, completionTokens, cachedTokens, costUsd, modelMs } = step.turn;
  return {
    ...{ iteration: step.step, at: step.at, kind: iterationKind(calls) },
    ...{ message: message ?? null, reasoning: reasoning ?? null, tools: calls.map(({ name }) => name) },
    ...{ prompt_tokens: promptTokens ?? null, completion_tokens: completionTokens ?? null },
    ...{ cached_tokens: cachedTokens ?? null, cost_usd: costUsd ?? null },
    ...{ model_seconds: seconds(modelMs ?? null), step_seconds: step.timing.totalMs / 1000 },
  };
}

function summaryOf(
  { result, steps }: EpisodeHistory,
  trajectory: readonly Line<typeof trajectoryLine>[],
  edits: readonly Line<typeof editLine>[],
  calls: readonly Line<typeof toolCallLine>[],
): Line<typeof runSummaryLine> {
  const { reward, rewardTrustworthy, checks, ended, asked, durations, startedAt } = result;
  const passed = checks.filter((check) => check.passed).length;
  const first = edits.find(({ success }) => success)?.iteration ?? null;
  const firstMs = steps.find(({ step }) => step === first)?.ms ?? null;
  const ofKind = (kind: string) => trajectory.filter((one) => one.kind === kind).length;
  return {
    ...{ success: reward === null ? null : reward >= 1 && rewardTrustworthy === true },
    ...{ reward, reward_trustworthy: rewardTrustworthy },
    ...{ tests_passed: reward === null ? null : passed, tests_total: reward === null ? null : checks.length },
    test_pass_rate: reward === null || checks.length === 0 ? null : passed / checks.length,
    ...{
      ended: ended?.how ?? null,
      error_category: ended === null ? 'interrupted' : (faults[ended.how] ?? null),
    },
    ...{ iterations: trajectory.length, productive: ofKind('productive') },
    ...{ non_productive: ofKind('non-productive'), exploration: ofKind('exploration') },
    ...{ first_edit_iteration: first, first_edit_seconds: seconds(firstMs) },
    ...{
      tool_calls: calls.length,
      failed_tool_calls: calls.filter((one) => one.tried && !one.success).length,
    },
    ...{ edits: edits.length, successful_edits: edits.filter(({ success }) => success).length },
    ...{ prompt_tokens: asked?.promptTokens ?? null, completion_tokens: asked?.completionTokens ?? null },
    ...{ cached_tokens: asked?.cachedTokens ?? null, cost_usd: asked?.costUsd ?? null },
    model_seconds: seconds(asked?.modelMs ?? null),
    ...{ duration_seconds: durations.totalMs / 1000, started_at: startedAt },
  };
}

type Fault = NonNullable<z.output<typeof runSummaryLine>['error_category']>;

const faults: Partial<Record<Ending, Fault>> = {
  'infrastructure-error': 'infrastructure',
  'model-failed': 'provider',
  'grading-failed': 'grader',
  'sandbox-failed': 'sandbox',
  'agent-failed': 'agent',
  cancelled: 'interrupted',
};

function seconds(ms: number | null): number | null {
  return ms === null ? null : ms / 1000;
}
