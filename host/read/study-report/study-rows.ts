import { join, resolve } from 'node:path';
import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import {
  type AttemptResult,
  type FoundAttempt,
  readStudy,
  type ReadStudy,
  readTaskFamily,
  streamRecord,
  studyNames,
  sumKnown,
  withDistinctAgents,
} from '../../run/index.ts';
import {
  type AttemptRow,
  computeTestRate,
  failureModes,
  findFailureModes,
  hasBegun,
  hasFailed,
  hasPassed,
  ideFeatures,
  NamePool,
  type RecordFigures,
  RecordTally,
} from '../analysis/index.ts';

/** Everything that is known about some studies: a row for each finished attempt, and what could not be read. */
export interface StudyRows {
  readonly studies: readonly StudySummary[];
  readonly rows: readonly AttemptRow[];
  readonly problems: readonly ReadProblem[];
}

export interface StudySummary {
  readonly name: string;
  readonly folder: string;
  /** The total number of its attempts; null if it is not known. */
  readonly planned: number | null;
  /** The number of finished attempts. */
  readonly over: number;
}

export interface ReadProblem {
  /** A file or folder. */
  readonly where: string;
  readonly what: string;
}

/** The number of one record's problems to list; the rest are counted. */
const mostRecordProblems = 3;

/**
 * Reads the folders of studies, also while they run. It holds only one line of one record in memory at a time. Unreadable
 * files are listed, and the rest is read. Errors: `bad-study` for a folder that is not a study's; the signal's reason.
 */
export async function readStudyRows(
  folders: readonly string[],
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<StudyRows> {
  const studies = await Promise.all([...new Set(folders.map((one) => resolve(one)))].map(readStudy));
  const names = studyNames(studies.map(({ folder }) => folder));
  const reader = new AttemptReader();
  const summaries: StudySummary[] = [];
  const rows: AttemptRow[] = [];
  for (const study of studies) {
    const { folder, planned, maxSteps, agents, problems } = study;
    const name = names.get(folder) ?? study.name;
    reader.problems.push(...problems.map((what) => ({ where: folder, what })));
    const own: AttemptRow[] = [];
    for await (const found of study.attempts()) {
      signal?.throwIfAborted();
      own.push(...(await reader.read({ name, maxSteps }, found)));
    }
    summaries.push({ name, folder, planned, over: own.length });
    for (const row of sortAgents(own, agents)) rows.push(row);
  }
  return { studies: summaries, rows: withDistinctAgents(rows), problems: reader.problems };
}

/** Agents in the order of their study. */
function sortAgents(rows: readonly AttemptRow[], agents: readonly string[]): AttemptRow[] {
  const place = new Map(agents.map((agent, i) => [agent, i]));
  const placeOf = ({ agent }: AttemptRow) => place.get(agent) ?? agents.length;
  return rows.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** Makes rows of attempts, one after the other. */
export class AttemptReader {
  /** The problems so far. */
  readonly problems: ReadProblem[] = [];
  readonly #names = new NamePool();

  /** Returns no row for an attempt that is not over. */
  async read(study: Pick<ReadStudy, 'name' | 'maxSteps'>, found: FoundAttempt): Promise<AttemptRow[]> {
    const { folder } = found;
    if (!('problem' in found))
      return [makeAttemptRow(study, found.result, await this.#figures(folder, found.result))];
    this.problems.push({ where: folder, what: found.problem });
    return [];
  }

  async #figures(folder: string, { record }: AttemptResult): Promise<RecordFigures | null> {
    if (record === null) return this.#unread(folder, 'it left no record');
    // The name comes from a file that anyone may have written.
    if (!/^try-\d+$/.test(record)) return this.#unread(folder, 'its record is not in its folder');
    return this.figures(join(folder, record));
  }

  /** The figures of a record, as far as it can be read; null if it can't be read at all. */
  async figures(path: string): Promise<RecordFigures | null> {
    const tally = new RecordTally(this.#names);
    let [lines, bad] = [0, 0];
    try {
      for await (const line of streamRecord(path)) {
        lines += 1;
        if ('event' in line) tally.add(line.event);
        else if ((bad += 1) <= mostRecordProblems)
          this.problems.push({ where: path, what: readFirstLine(line.problem) });
        // In another version, lines have another meaning.
        if (lines === 1 && bad === 1)
          return this.#unread(path, 'its first line is of another version, or damaged');
      }
    } catch (error) {
      if (!(error instanceof PwpError)) throw error;
      return this.#unread(path, describeError(error));
    }
    if (lines === 0) return this.#unread(path, 'its record is empty');
    if (bad > mostRecordProblems)
      this.problems.push({ where: path, what: `${bad - mostRecordProblems} more lines can't be read` });
    return tally.figures;
  }

  #unread(where: string, what: string): null {
    this.problems.push({ where, what });
    return null;
  }
}

function makeAttemptRow(
  { name: study, maxSteps }: Pick<ReadStudy, 'name' | 'maxSteps'>,
  result: AttemptResult,
  figures: RecordFigures | null,
): AttemptRow {
  const { agent, model, task, number, end, limit, reward, rewardTrustworthy, trust, suppressed } = result;
  const { steps, promptTokens, completionTokens, cachedTokens, costUsd, times, tries } = result;
  return {
    ...{ study, agent, model, family: readTaskFamily({ task }), task, attempt: number, end, limit, reward },
    ...{ trustworthy: rewardTrustworthy, trust, suppressed, steps, maxSteps, tries: tries.length },
    allTriesUsd: sumKnown(tries.map((one) => one.costUsd)),
    ...{ promptTokens, completionTokens, cachedTokens, costUsd, ...times, figures },
  };
}

function readFirstLine(text: string): string {
  return clip(text.split('\n').slice(0, 2).join(' '), 500);
}

/** The values of a line, for databases. */
export type FlatRow = Readonly<Record<string, string | number | boolean | null>>;

/** An attempt as one line without structure: for `attempts.jsonl` and `attempts.csv`. */
export function flattenAttempt(row: AttemptRow): FlatRow {
  return {
    ...{ study: row.study, agent: row.agent, model: row.model, family: row.family, task: row.task },
    ...{ attempt: row.attempt, tries: row.tries, end: row.end, limit: row.limit },
    ...{
      reward: row.reward,
      trustworthy: row.trustworthy,
      trust: row.trust,
      passed: row.reward === null ? null : hasPassed(row),
    },
    ...{ test_pass_rate: computeTestRate(row), suppressed: row.suppressed, steps: row.steps },
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
    ...flattenFigures(row),
    ...Object.fromEntries(
      failureModes.map((mode) => [
        `mode_${mode.replaceAll('-', '_')}`,
        hasFailed(row) ? findFailureModes(row)[mode] : null,
      ]),
    ),
  };
}

/** Null if the record could not be read. */
function flattenFigures({ figures: of }: AttemptRow): FlatRow {
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
      ideFeatures.map((feature) => [`steps_${feature.replaceAll(' ', '_')}`, of?.byFeature[feature] ?? null]),
    ),
  };
}

/** A line for each test of an attempt: for `tests.jsonl`. */
export function flattenTests({
  study,
  agent,
  family,
  task,
  attempt,
  reward,
  figures,
}: AttemptRow): FlatRow[] {
  if (reward === null || figures === null) return [];
  return figures.tests.map(({ name, passed }) => ({
    ...{ study, agent, family, task, attempt, test: name, passed },
  }));
}
