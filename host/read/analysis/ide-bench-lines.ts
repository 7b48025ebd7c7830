import * as z from 'zod';
import type { EpisodeEnding, EpisodeHistory, EventOf } from '../../run/index.ts';
import {
  classifyIteration,
  hasSucceeded,
  isEdit,
  iterationKinds,
  listCalls,
  readCallFile,
  readEdit,
  type RecordedCall,
} from './recorded-calls.ts';

interface RecordedIteration {
  readonly step: EventOf<'step'>;
  readonly calls: readonly RecordedCall[];
}

/** The attempt of a study, its agent, and whether this try is the one that counts; null outside of studies. */
type StudyPlace = {
  readonly study: string;
  /** The agent's name in the study: there may be several of a kind. */
  readonly agent: string;
  readonly attempt: number;
  readonly counts: boolean;
} | null;

/** @param place in its study; null outside of studies */
export function ideBenchLines(history: EpisodeHistory, place: StudyPlace): IdeBenchLines {
  const { session, task, agent } = history.result;
  const { study = null, attempt = null, agent: name = agent.name } = place ?? {};
  const named = {
    ...{ run_id: session, study, task_id: task, agent: name, model: agent.model ?? null, attempt },
  };
  const iterations = history.steps.map((step) => ({ step, calls: listCalls(step) }));
  const calls = iterations.flatMap((one) => numberLines(one).map((line) => ({ ...named, ...line })));
  const edits = iterations.flatMap((one) => writeEditLines(one).map((line) => ({ ...named, ...line })));
  const trajectory = [...iterations.map(writeTrajectoryLine), ...readLastMessage(history)].map((line) => ({
    ...named,
    ...line,
  }));
  const counts = place?.counts ?? true;
  const summary = { ...named, counts, ...writeRunSummary(history, trajectory, edits, calls) };
  return { run_summary: [summary], tool_calls: calls, trajectory, edits };
}

type LineOfFile<T extends z.ZodType> = Omit<z.output<T>, keyof z.output<typeof runFields> | 'counts'>;

function numberLines({ step, calls }: RecordedIteration): LineOfFile<typeof toolCallLine>[] {
  return calls.map((call, i) => ({
    ...{ iteration: step.step, call: i + 1 },
    ...{ tool: call.name, registry_tool: call.tool?.tool.name ?? null, type: classifyCall(call) },
    arguments: call.arguments,
    ...{ file: readCallFile(call), tried: call.outcome !== null, success: hasSucceeded(call) },
    ...{
      effect: call.outcome?.effect ?? null,
      error: readCallError(call),
      output: call.outcome?.output ?? null,
    },
  }));
}

function writeEditLines({ step, calls }: RecordedIteration): LineOfFile<typeof editLine>[] {
  return calls.flatMap((call, i) => {
    const edit = readEdit(call);
    if (!edit) return [];
    const { by, file, success, linesAdded, linesRemoved, newErrors } = edit;
    const where = { iteration: step.step, call: i + 1, tool: call.name, by, file, success };
    const lines = { lines_added: linesAdded, lines_removed: linesRemoved, new_errors: newErrors };
    return [{ ...where, ...lines, error: readCallError(call) }];
  });
}

function readCallError({ outcome }: RecordedCall): string | null {
  return outcome?.effect === 'refused' ? outcome.evidence : null;
}

function classifyCall(call: RecordedCall): CallType {
  if (isEdit(call)) return 'edit';
  return call.tool?.tool.readOnly === true ? 'read' : 'other';
}

function writeTrajectoryLine({ step, calls }: RecordedIteration): LineOfFile<typeof trajectoryLine> {
  const tools = calls.map(({ name }) => name);
  return {
    ...{ iteration: step.step, at: step.at, kind: classifyIteration(calls), tools },
    ...{ ...joinMessages(step.turn), step_seconds: step.timing.totalMs / 1000 },
  };
}

function readLastMessage({ lastTurn, steps }: EpisodeHistory): LineOfFile<typeof trajectoryLine>[] {
  if (lastTurn === null) return [];
  const iteration = steps.length + 1;
  return [
    { iteration, at: lastTurn.at, kind: null, tools: [], ...joinMessages(lastTurn.turn), step_seconds: 0 },
  ];
}

function joinMessages({
  message,
  reasoning,
  promptTokens,
  completionTokens,
  cachedTokens,
  costUsd,
  modelMs,
}: EventOf<'step'>['turn']) {
  return {
    ...{ message: message ?? null, reasoning: reasoning ?? null },
    ...{ prompt_tokens: promptTokens ?? null, completion_tokens: completionTokens ?? null },
    ...{ cached_tokens: cachedTokens ?? null, cost_usd: costUsd ?? null },
    model_seconds: toSeconds(modelMs ?? null),
  };
}

function writeRunSummary(
  { result, steps }: EpisodeHistory,
  trajectory: readonly LineOfFile<typeof trajectoryLine>[],
  edits: readonly LineOfFile<typeof editLine>[],
  calls: readonly LineOfFile<typeof toolCallLine>[],
): LineOfFile<typeof runSummaryLine> {
  const { reward, rewardTrustworthy, checks, ended, asked, durations, startedAt } = result;
  const measured = checks.filter((check) => check.passed !== null);
  const passed = measured.filter((check) => check.passed).length;
  const first = edits.find(({ success }) => success)?.iteration ?? null;
  const firstMs = steps.find(({ step }) => step === first)?.ms ?? null;
  const ofKind = (kind: string) => trajectory.filter((one) => one.kind === kind).length;
  return {
    ...{ success: reward === null ? null : reward >= 1 && rewardTrustworthy === true },
    ...{ reward, reward_trustworthy: rewardTrustworthy },
    ...{
      tests_passed: reward === null ? null : passed,
      tests_total: reward === null ? null : measured.length,
    },
    test_pass_rate: reward === null || measured.length === 0 ? null : passed / measured.length,
    ...{
      ended: ended?.how ?? null,
      error_category: ended === null ? 'interrupted' : (faultsByEnding[ended.how] ?? null),
    },
    ...{ iterations: steps.length, productive: ofKind('productive') },
    ...{ non_productive: ofKind('non-productive'), exploration: ofKind('exploration') },
    ...{ first_edit_iteration: first, first_edit_seconds: toSeconds(firstMs) },
    ...{
      tool_calls: calls.filter((one) => one.tried).length,
      failed_tool_calls: calls.filter((one) => one.tried && !one.success).length,
      skipped_tool_calls: calls.filter((one) => !one.tried).length,
    },
    ...{ edits: edits.length, successful_edits: edits.filter(({ success }) => success).length },
    ...{ prompt_tokens: asked?.promptTokens ?? null, completion_tokens: asked?.completionTokens ?? null },
    ...{ cached_tokens: asked?.cachedTokens ?? null, cost_usd: asked?.costUsd ?? null },
    model_seconds: toSeconds(asked?.modelMs ?? null),
    ...{ duration_seconds: durations.totalMs / 1000, started_at: startedAt },
  };
}

type RunFault = NonNullable<z.output<typeof runSummaryLine>['error_category']>;

const faultsByEnding: Partial<Record<EpisodeEnding, RunFault>> = {
  'infrastructure-error': 'infrastructure',
  'model-failed': 'provider',
  'grading-failed': 'grader',
  'sandbox-failed': 'sandbox',
  'agent-failed': 'agent',
  cancelled: 'interrupted',
};

function toSeconds(ms: number | null): number | null {
  return ms === null ? null : ms / 1000;
}

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

const runFields = z.object({
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
const runReference = runFields.extend({ iteration: z.int().positive().describe('the step') });
/** The purpose of a call. */
const callTypes = ['read', 'edit', 'other'] as const;
type CallType = (typeof callTypes)[number];
const tokenCount = z.int().nonnegative().nullable().describe('null if not known');
const dollarAmount = z.number().nonnegative().nullable().describe('US dollars; null if not known');

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
  prompt_tokens: tokenCount,
  completion_tokens: tokenCount,
  cached_tokens: tokenCount,
  cost_usd: dollarAmount,
  model_seconds: z.number().nonnegative().nullable(),
  duration_seconds: z.number().nonnegative(),
  started_at: z.string().describe('ISO 8601, UTC'),
});

export const toolCallLine = runReference.extend({
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

export const trajectoryLine = runReference.extend({
  at: z.string().describe('ISO 8601, UTC: when the step was over'),
  kind: z.enum(iterationKinds).nullable().describe('null for a final message without actions'),
  message: z.string().nullable(),
  reasoning: z.string().nullable(),
  tools: z.array(z.string()).describe('of its calls, in order, including those that were not tried'),
  prompt_tokens: tokenCount,
  completion_tokens: tokenCount,
  cached_tokens: tokenCount,
  cost_usd: dollarAmount,
  model_seconds: z.number().nonnegative().nullable(),
  step_seconds: z.number().nonnegative().describe('acting, and looking afterwards; 0 for a final message'),
});

export const editLine = runReference.extend({
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
