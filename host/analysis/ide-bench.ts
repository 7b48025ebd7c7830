import type * as z from 'zod';
import type { EpisodeHistory, Ending, EventOf } from '../record/index.ts';
import { callsOf, succeeded, type Call } from './calls.ts';
import { editOf, fileOf, isEdit } from './edits.ts';
import type {
  CallType,
  IdeBenchLines,
  editLine,
  runFields,
  runSummaryLine,
  toolCallLine,
  trajectoryLine,
} from './ide-bench-fields.ts';
import { iterationKind } from './iteration.ts';

interface Iteration {
  readonly step: EventOf<'step'>;
  readonly calls: readonly Call[];
}

/** The attempt of a study, its agent, and whether this try is the one that counts; null outside of studies. */
type Place = {
  readonly study: string;
  /** The agent's name in the study: there may be several of a kind. */
  readonly agent: string;
  readonly attempt: number;
  readonly counts: boolean;
} | null;

/** @param place in its study; null outside of studies */
export function ideBenchLines(history: EpisodeHistory, place: Place): IdeBenchLines {
  const { session, task, agent } = history.result;
  const { study = null, attempt = null, agent: name = agent.name } = place ?? {};
  const named = {
    ...{ run_id: session, study, task_id: task, agent: name, model: agent.model ?? null, attempt },
  };
  const iterations = history.steps.map((step) => ({ step, calls: callsOf(step) }));
  const calls = iterations.flatMap((one) => numbered(one).map((line) => ({ ...named, ...line })));
  const edits = iterations.flatMap((one) => editsOf(one).map((line) => ({ ...named, ...line })));
  const trajectory = [...iterations.map(iterationOf), ...lastWords(history)].map((line) => ({
    ...named,
    ...line,
  }));
  const counts = place?.counts ?? true;
  const summary = { ...named, counts, ...summaryOf(history, trajectory, edits, calls) };
  return { run_summary: [summary], tool_calls: calls, trajectory, edits };
}

type Line<T extends z.ZodType> = Omit<z.output<T>, keyof z.output<typeof runFields> | 'counts'>;

function numbered({ step, calls }: Iteration): Line<typeof toolCallLine>[] {
  return calls.map((call, i) => ({
    ...{ iteration: step.step, call: i + 1 },
    ...{ tool: call.name, registry_tool: call.tool?.tool.name ?? null, type: typeOf(call) },
    arguments: call.arguments,
    ...{ file: fileOf(call), tried: call.outcome !== null, success: succeeded(call) },
    ...{ effect: call.outcome?.effect ?? null, error: errorOf(call), output: call.outcome?.output ?? null },
  }));
}

function editsOf({ step, calls }: Iteration): Line<typeof editLine>[] {
  return calls.flatMap((call, i) => {
    const edit = editOf(call);
    if (!edit) return [];
    const { by, file, success, linesAdded, linesRemoved, newErrors } = edit;
    const where = { iteration: step.step, call: i + 1, tool: call.name, by, file, success };
    const lines = { lines_added: linesAdded, lines_removed: linesRemoved, new_errors: newErrors };
    return [{ ...where, ...lines, error: errorOf(call) }];
  });
}

function errorOf({ outcome }: Call): string | null {
  return outcome?.effect === 'refused' ? outcome.evidence : null;
}

function typeOf(call: Call): CallType {
  if (isEdit(call)) return 'edit';
  return call.tool?.tool.readOnly === true ? 'read' : 'other';
}

function iterationOf({ step, calls }: Iteration): Line<typeof trajectoryLine> {
  const tools = calls.map(({ name }) => name);
  return {
    ...{ iteration: step.step, at: step.at, kind: iterationKind(calls), tools },
    ...{ ...said(step.turn), step_seconds: step.timing.totalMs / 1000 },
  };
}

function lastWords({ lastTurn, steps }: EpisodeHistory): Line<typeof trajectoryLine>[] {
  if (lastTurn === null) return [];
  const iteration = steps.length + 1;
  return [{ iteration, at: lastTurn.at, kind: null, tools: [], ...said(lastTurn.turn), step_seconds: 0 }];
}

function said({
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
    model_seconds: seconds(modelMs ?? null),
  };
}

function summaryOf(
  { result, steps }: EpisodeHistory,
  trajectory: readonly Line<typeof trajectoryLine>[],
  edits: readonly Line<typeof editLine>[],
  calls: readonly Line<typeof toolCallLine>[],
): Line<typeof runSummaryLine> {
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
      error_category: ended === null ? 'interrupted' : (faults[ended.how] ?? null),
    },
    ...{ iterations: steps.length, productive: ofKind('productive') },
    ...{ non_productive: ofKind('non-productive'), exploration: ofKind('exploration') },
    ...{ first_edit_iteration: first, first_edit_seconds: seconds(firstMs) },
    ...{
      tool_calls: calls.filter((one) => one.tried).length,
      failed_tool_calls: calls.filter((one) => one.tried && !one.success).length,
      skipped_tool_calls: calls.filter((one) => !one.tried).length,
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
