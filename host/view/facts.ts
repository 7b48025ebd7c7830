import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { failureModes, isFailed, modesOf, type RecordFigures } from '../analysis/index.ts';
import { recordFiles } from '../record/index.ts';
import { AttemptReader } from '../study-report/index.ts';
import type { ViewFolder } from './folder.ts';
import type { ViewedAttempt } from './index-of.ts';
import type { Facts } from './page/index.ts';

/** Problems between an agent and the screen, besides the failure modes. */
export const signs = [
  'stale-mark',
  'missed-click',
  'repeated-state',
  'settle-cap',
  'unreadable-record',
] as const;

/** The maximum number of attempts whose facts are kept: in a larger study, the first ones are read again. */
const mostKept = 20_000;

/** Reads the records of attempts, each only once while it is not written to. */
export class FactReader {
  readonly #folder: ViewFolder;
  readonly #kept = new Map<string, { readonly stamp: string; readonly facts: Facts }>();

  constructor(folder: ViewFolder) {
    this.#folder = folder;
  }

  /** Facts of attempts, in order, as they are read. */
  async *all(attempts: readonly ViewedAttempt[], signal: AbortSignal): AsyncGenerator<Facts> {
    for (const attempt of attempts) {
      signal.throwIfAborted();
      yield await this.#of(attempt);
    }
  }

  async #of(attempt: ViewedAttempt): Promise<Facts> {
    const { record, line } = attempt;
    if (record === null) return nothing(line.id, ['it left no record']);
    const path = await this.#folder.file(record, recordFiles.events).catch(() => null);
    if (path === null) return nothing(line.id, [`there is no ${recordFiles.events} in ${record}`]);
    const { size, mtimeMs } = await stat(path);
    const stamp = `${line.state} ${size} ${mtimeMs}`;
    const kept = this.#kept.get(line.id);
    if (kept?.stamp === stamp) return kept.facts;
    const reader = new AttemptReader();
    const figures = await reader.figures(dirname(path));
    const facts = factsOf(
      attempt,
      figures,
      reader.problems.map(({ what }) => what),
    );
    if (this.#kept.size < mostKept) this.#kept.set(line.id, { stamp, facts });
    return facts;
  }
}

function nothing(id: string, problems: readonly string[]): Facts {
  return { id, modes: ['unreadable-record'], effects: [], tools: [], problems };
}

function factsOf(attempt: ViewedAttempt, figures: RecordFigures | null, problems: readonly string[]): Facts {
  const { line, limit, trustworthy } = attempt;
  const { id, reward, end } = line;
  const modes = modesOf({ figures, end: end ?? '', limit, reward });
  const isOver = end !== null && isFailed({ reward, trustworthy });
  return {
    id,
    modes: [
      ...(isOver ? failureModes.filter((mode) => modes[mode] === true) : []),
      ...(figures ? signsOf(figures) : []),
      ...(problems.length > 0 ? ['unreadable-record'] : []),
    ],
    effects: figures ? namesOf(figures.byEffect) : [],
    tools: figures ? [...new Set(figures.calls)].toSorted() : [],
    problems,
  };
}

function signsOf(figures: RecordFigures): string[] {
  const { staleMarks, missedClicks, repeatedStates, settleCaps } = figures;
  return [
    ...(staleMarks > 0 ? ['stale-mark'] : []),
    ...(missedClicks > 0 ? ['missed-click'] : []),
    ...((repeatedStates ?? 0) > 0 ? ['repeated-state'] : []),
    ...(settleCaps > 0 ? ['settle-cap'] : []),
  ];
}

function namesOf(counts: Readonly<Record<string, number>>): string[] {
  return Object.entries(counts).flatMap(([name, times]) => (times > 0 ? [name] : []));
}
