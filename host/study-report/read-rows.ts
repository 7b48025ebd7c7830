import { join, resolve } from 'node:path';
import { messageOf, PwpError, clip } from '../../bridge/lib/index.ts';
import { Names, RecordTally, type AttemptRow, type RecordFigures } from '../analysis/index.ts';
import { streamRecord } from '../record/index.ts';
import {
  familyOf,
  readStudy,
  studyNames,
  sumOf,
  withDistinctAgents,
  type AttemptResult,
  type FoundAttempt,
  type ReadStudy,
} from '../study/index.ts';

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
const mostOfRecord = 3;

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
    for (const row of inOrder(own, agents)) rows.push(row);
  }
  return { studies: summaries, rows: withDistinctAgents(rows), problems: reader.problems };
}

/** Agents in the order of their study. */
function inOrder(rows: readonly AttemptRow[], agents: readonly string[]): AttemptRow[] {
  const place = new Map(agents.map((agent, i) => [agent, i]));
  const placeOf = ({ agent }: AttemptRow) => place.get(agent) ?? agents.length;
  return rows.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** Makes rows of attempts, one after the other. */
export class AttemptReader {
  /** The problems so far. */
  readonly problems: ReadProblem[] = [];
  readonly #names = new Names();

  /** Returns no row for an attempt that is not over. */
  async read(study: Pick<ReadStudy, 'name' | 'maxSteps'>, found: FoundAttempt): Promise<AttemptRow[]> {
    const { folder } = found;
    if (!('problem' in found)) return [rowOf(study, found.result, await this.#figures(folder, found.result))];
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
        else if ((bad += 1) <= mostOfRecord)
          this.problems.push({ where: path, what: firstLine(line.problem) });
        // In another version, lines have another meaning.
        if (lines === 1 && bad === 1)
          return this.#unread(path, 'its first line is of another version, or damaged');
      }
    } catch (error) {
      if (!(error instanceof PwpError)) throw error;
      return this.#unread(path, messageOf(error));
    }
    if (lines === 0) return this.#unread(path, 'its record is empty');
    if (bad > mostOfRecord)
      this.problems.push({ where: path, what: `${bad - mostOfRecord} more lines can't be read` });
    return tally.figures;
  }

  #unread(where: string, what: string): null {
    this.problems.push({ where, what });
    return null;
  }
}

function rowOf(
  { name: study, maxSteps }: Pick<ReadStudy, 'name' | 'maxSteps'>,
  result: AttemptResult,
  figures: RecordFigures | null,
): AttemptRow {
  const { agent, model, task, number, end, limit, reward, rewardTrustworthy, trust, suppressed } = result;
  const { steps, promptTokens, completionTokens, cachedTokens, costUsd, times, tries } = result;
  return {
    ...{ study, agent, model, family: familyOf({ task }), task, attempt: number, end, limit, reward },
    ...{ trustworthy: rewardTrustworthy, trust, suppressed, steps, maxSteps, tries: tries.length },
    allTriesUsd: sumOf(tries.map((one) => one.costUsd)),
    ...{ promptTokens, completionTokens, cachedTokens, costUsd, ...times, figures },
  };
}

function firstLine(text: string): string {
  return clip(text.split('\n').slice(0, 2).join(' '), 500);
}
