import {
  type AttemptRow,
  computeTestRate,
  groupByAgent,
  groupByTask,
  hasPassed,
  isScored,
  type RecordFigures,
} from './attempt-rows.ts';
import { computeMean, computeShare } from './statistics.ts';

/** IDE-Bench's twelve modes, by its rules. A failed attempt may have several. */
export const failureModes = [
  'premature-editing',
  'syntax-error-loop',
  'wrong-file-targeting',
  'infinite-exploration',
  'large-risky-edits',
  'iteration-exhaustion',
  'infrastructure-errors',
  'no-successful-edits',
  'tool-call-failures',
  'thrashing',
  'context-loss',
  'test-misinterpretation',
] as const;
export type FailureMode = (typeof failureModes)[number];

/** An attempt that did not pass: with a score below 1 or one that can't be trusted, or without a score. */
export function hasFailed(row: Pick<AttemptRow, 'reward' | 'trustworthy'>): boolean {
  return !hasPassed(row);
}

/** The modes of a failed attempt: yes, no, or null if its record does not show it. */
export type FoundModes = Readonly<Record<FailureMode, boolean | null>>;

export function findFailureModes(row: Pick<AttemptRow, 'figures' | 'end' | 'limit' | 'reward'>): FoundModes {
  const { figures } = row;
  return { ...(figures ? findModesByRecord(figures, row) : unreadModes), ...findModesByEnd(row) };
}

function findModesByEnd(
  row: Pick<AttemptRow, 'end' | 'limit' | 'reward'>,
): Pick<FoundModes, 'iteration-exhaustion' | 'infrastructure-errors'> {
  return {
    'iteration-exhaustion': row.end === 'limit' && (row.limit === 'steps' || row.limit === 'time'),
    'infrastructure-errors': !isScored(row),
  };
}

type ModesByRecord = Omit<FoundModes, 'iteration-exhaustion' | 'infrastructure-errors'>;

function findModesByRecord(figures: RecordFigures, { reward }: Pick<AttemptRow, 'reward'>): ModesByRecord {
  const { edits, successfulEdits } = figures;
  const isClaimed = figures.how === 'finished' && reward !== null && reward < 1;
  return {
    'premature-editing': isPrematureEdit(figures),
    'syntax-error-loop': figures.syntaxErrorRun >= 3,
    'wrong-file-targeting': isWrongFileEdit(figures),
    'infinite-exploration': figures.longestExploration > 15,
    'large-risky-edits': figures.largestEdit > 50,
    'no-successful-edits': edits > 0 && successfulEdits === 0,
    'tool-call-failures': figures.failedCalls >= 5,
    thrashing: figures.mostEditsOfFile > 4,
    'context-loss': figures.mostRereads > 5,
    'test-misinterpretation': isClaimed && figures.tests.some(({ passed }) => passed === false),
  };
}

/** Fewer than three files were read before the first edit. Null if some may have been read on the screen. */
function isPrematureEdit({ filesReadBeforeEdit, lookedBeforeEdit }: RecordFigures): boolean | null {
  if (filesReadBeforeEdit === null || filesReadBeforeEdit >= 3) return false;
  return lookedBeforeEdit ? null : true;
}

/** More than half of the edits failed, and less than 30 % of the files were read. Null if their number is not known. */
function isWrongFileEdit({
  edits,
  successfulEdits,
  filesRead,
  filesInWorkspace,
}: RecordFigures): boolean | null {
  const failed = edits - successfulEdits;
  if (failed * 2 <= edits) return false;
  return filesInWorkspace === null ? null : filesRead < 0.3 * filesInWorkspace;
}

const unreadModes: ModesByRecord = {
  'premature-editing': null,
  'syntax-error-loop': null,
  'wrong-file-targeting': null,
  'infinite-exploration': null,
  'large-risky-edits': null,
  'no-successful-edits': null,
  'tool-call-failures': null,
  thrashing: null,
  'context-loss': null,
  'test-misinterpretation': null,
};

/** How often a mode is among an agent's failed attempts. */
export interface FailureModeRow {
  readonly mode: FailureMode;
  /** For each agent, in the order in which they appear. */
  readonly agents: readonly {
    readonly agent: string;
    readonly times: number;
    /** The failed attempts for which it is known. */
    readonly known: number;
    readonly share: number | null;
  }[];
}

export function failureModeRows(rows: readonly AttemptRow[]): FailureModeRow[] {
  const agents = groupByAgent(rows).map(([agent, own]) => ({
    agent,
    modes: own.filter(hasFailed).map(findFailureModes),
  }));
  return failureModes.map((mode) => ({
    mode,
    agents: agents.map(({ agent, modes }) => {
      const known = modes.flatMap((one) => one[mode] ?? []);
      const times = known.filter((is) => is).length;
      return { agent, times, known: known.length, share: computeShare(times, known.length) };
    }),
  }));
}

/** How often each agent passes one test of a task. */
export interface TestRow {
  readonly task: string;
  readonly test: string;
  /** In the order in which agents appear; null for one without a score, or if the test was never measured. */
  readonly agents: readonly (number | null)[];
  /** Attempts with a score in which the test could not be measured: they are in no share. */
  readonly unmeasured: number;
}

export function testRows(rows: readonly AttemptRow[]): TestRow[] {
  const agents = groupByAgent(rows).map(([agent]) => agent);
  return groupByTask(rows).flatMap(([task, own]) => {
    const results = own.filter(isScored).flatMap(({ agent, figures }) => {
      return (figures?.tests ?? []).map(({ name, passed }) => ({ agent, name, passed }));
    });
    return [...Map.groupBy(results, ({ name }) => name)].map(([test, ofTest]) => ({
      ...{ task, test },
      unmeasured: ofTest.filter(({ passed }) => passed === null).length,
      agents: agents.map((agent) => {
        const ofAgent = ofTest.filter((result) => result.agent === agent && result.passed !== null);
        return computeShare(ofAgent.filter(({ passed }) => passed).length, ofAgent.length);
      }),
    }));
  });
}

/** A task that an agent never passes, though most of its tests pass. */
export interface NearMissRow {
  readonly agent: string;
  readonly task: string;
  readonly attempts: number;
  readonly testRate: number;
}

/** A mean share of tests from which a task that never passes is a near miss. */
export const nearMissRate = 0.8;
/** Tolerance, since a mean of such rates may be rounded down. */
const rateTolerance = 1e-9;

export function nearMissRows(rows: readonly AttemptRow[]): NearMissRow[] {
  const all = groupByAgent(rows).flatMap(([agent, own]) =>
    groupByTask(own).flatMap(([task, ofTask]) => {
      const scored = ofTask.filter(isScored);
      const testRate = computeMean(scored.flatMap((row) => computeTestRate(row) ?? []));
      if (testRate === null || testRate < nearMissRate - rateTolerance || scored.some(hasPassed)) return [];
      return [{ agent, task, attempts: scored.length, testRate }];
    }),
  );
  return all.toSorted((one, other) => other.testRate - one.testRate);
}
