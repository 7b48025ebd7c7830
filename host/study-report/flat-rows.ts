import {
  failureModes,
  features,
  hasBegun,
  isFailed,
  isPassed,
  modesOf,
  testRateOf,
  type AttemptRow,
} from '../analysis/index.ts';

/** The values of a line, for databases. */
export type FlatRow = Readonly<Record<string, string | number | boolean | null>>;

/** An attempt as one line without structure: for `attempts.jsonl` and `attempts.csv`. */
export function flatAttempt(row: AttemptRow): FlatRow {
  return {
    ...{ study: row.study, agent: row.agent, model: row.model, family: row.family, task: row.task },
    ...{ attempt: row.attempt, tries: row.tries, end: row.end, limit: row.limit },
    ...{
      reward: row.reward,
      trustworthy: row.trustworthy,
      trust: row.trust,
      passed: row.reward === null ? null : isPassed(row),
    },
    ...{ test_pass_rate: testRateOf(row), suppressed: row.suppressed, steps: row.steps },
    ...{ prompt_tokens: row.promptTokens, completion_tokens: row.completionTokens },
    ...{
      cached_tokens: row.cachedTokens,
      cost_usd: row.costUsd,
      all_tries_usd: row.allTriesUsd,
      begun: hasBegun(row),
      total_ms: row.totalMs,
      start_ms: row.startMs,
    },
    ...{ model_ms: row.modelMs, steps_ms: row.stepsMs, grade_ms: row.gradeMs },
    ...recordColumns(row),
    ...Object.fromEntries(
      failureModes.map((mode) => [
        `mode_${mode.replaceAll('-', '_')}`,
        isFailed(row) ? modesOf(row)[mode] : null,
      ]),
    ),
  };
}

/** Null if the record could not be read. */
function recordColumns({ figures: of }: AttemptRow): FlatRow {
  return {
    ...{
      ended: of?.how ?? null,
      confirmed: of?.byEffect.confirmed ?? null,
      partial: of?.byEffect.partial ?? null,
    },
    ...{ no_effect: of?.byEffect['no-effect'] ?? null, unverifiable: of?.byEffect.unverifiable ?? null },
    ...{ refused: of?.byEffect.refused ?? null, skipped: of?.skipped ?? null },
    ...{ pixel_actions: of?.byKind.pixels ?? null, file_shell_actions: of?.byKind.filesAndShell ?? null },
    ...{ ide_tool_actions: of?.byKind.ideTools ?? null, unreadable_actions: of?.byKind.unreadable ?? null },
    ...{ calls: of?.calls.length ?? null, failed_calls: of?.failedCalls ?? null },
    ...{ stale_marks: of?.staleMarks ?? null, missed_clicks: of?.missedClicks ?? null },
    ...{ repeated_states: of?.repeatedStates ?? null, settle_caps: of?.settleCaps ?? null },
    ...{ tools_ms: of?.toolsMs ?? null, ide_ms: of?.ideMs ?? null },
    ...{
      productive: of?.iterations.productive ?? null,
      non_productive: of?.iterations['non-productive'] ?? null,
    },
    ...{ exploration: of?.iterations.exploration ?? null, edits: of?.edits ?? null },
    ...{ successful_edits: of?.successfulEdits ?? null, first_edit_step: of?.firstEdit?.step ?? null },
    ...{
      first_edit_ms: of?.firstEdit?.ms ?? null,
      reads: of?.reads ?? null,
      files_read: of?.filesRead ?? null,
    },
    ...Object.fromEntries(
      features.map((feature) => [`steps_${feature.replaceAll(' ', '_')}`, of?.byFeature[feature] ?? null]),
    ),
  };
}

/** A line for each test of an attempt: for `tests.jsonl`. */
export function flatTests({ study, agent, family, task, attempt, reward, figures }: AttemptRow): FlatRow[] {
  if (reward === null || figures === null) return [];
  return figures.tests.map(({ name, passed }) => ({
    ...{ study, agent, family, task, attempt, test: name, passed },
  }));
}
