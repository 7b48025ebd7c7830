import { share } from '../numbers/index.ts';
import { byAgent, isPassed, isScored, type AttemptRow, type RecordFigures } from '../rows/index.ts';

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
export function isFailed(row: Pick<AttemptRow, 'reward' | 'trustworthy'>): boolean {
  return !isPassed(row);
}

/** The modes of a failed attempt: yes, no, or null if its record does not show it. */
export type Modes = Readonly<Record<FailureMode, boolean | null>>;

export function modesOf(row: Pick<AttemptRow, 'figures' | 'end' | 'limit' | 'reward'>): Modes {
  const { figures } = row;
  return { ...(figures ? ofRecord(figures, row) : unread), ...ofEnd(row) };
}

function ofEnd(
  row: Pick<AttemptRow, 'end' | 'limit' | 'reward'>,
): Pick<Modes, 'iteration-exhaustion' | 'infrastructure-errors'> {
  return {
    'iteration-exhaustion': row.end === 'limit' && (row.limit === 'steps' || row.limit === 'time'),
    'infrastructure-errors': !isScored(row),
  };
}

type OfRecord = Omit<Modes, 'iteration-exhaustion' | 'infrastructure-errors'>;

function ofRecord(figures: RecordFigures, { reward }: Pick<AttemptRow, 'reward'>): OfRecord {
  const { edits, successfulEdits } = figures;
  const isClaimed = figures.how === 'finished' && reward !== null && reward < 1;
  return {
    'premature-editing': isPremature(figures),
    'syntax-error-loop': figures.syntaxErrorRun >= 3,
    'wrong-file-targeting': isWrongFile(figures),
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
function isPremature({ filesReadBeforeEdit, lookedBeforeEdit }: RecordFigures): boolean | null {
  if (filesReadBeforeEdit === null || filesReadBeforeEdit >= 3) return false;
  return lookedBeforeEdit ? null : true;
}

/** More than half of the edits failed, and less than 30 % of the files were read. Null if their number is not known. */
function isWrongFile({ edits, successfulEdits, filesRead, filesInWorkspace }: RecordFigures): boolean | null {
  const failed = edits - successfulEdits;
  if (failed * 2 <= edits) return false;
  return filesInWorkspace === null ? null : filesRead < 0.3 * filesInWorkspace;
}

const unread: OfRecord = {
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
  const agents = byAgent(rows).map(([agent, own]) => ({ agent, modes: own.filter(isFailed).map(modesOf) }));
  return failureModes.map((mode) => ({
    mode,
    agents: agents.map(({ agent, modes }) => {
      const known = modes.flatMap((one) => one[mode] ?? []);
      const times = known.filter((is) => is).length;
      return { agent, times, known: known.length, share: share(times, known.length) };
    }),
  }));
}
