import type { AttemptRow, RecordFigures } from '../../host/read/index.ts';

/** A scored attempt of agent `a` at `f/t` that did nothing; `over` replaces single fields. */
export function attemptRow(over: Partial<AttemptRow> = {}): AttemptRow {
  return {
    ...{
      study: 's',
      agent: 'a',
      model: null,
      family: 'f',
      task: 'f/t',
      attempt: 1,
      end: 'scored',
      limit: null,
    },
    ...{ reward: 0, trustworthy: true, trust: null, suppressed: null, steps: 0, maxSteps: 20, tries: 1 },
    ...{ promptTokens: 0, completionTokens: 0, cachedTokens: 0, costUsd: 0, allTriesUsd: 0 },
    ...{ totalMs: 0, startMs: 0, modelMs: 0, stepsMs: 0, gradeMs: 0, figures: figuresOf() },
    ...over,
  };
}

/** Figures of a record without a step; `over` replaces single fields. */
export function figuresOf(over: Partial<RecordFigures> = {}): RecordFigures {
  return {
    ...{ how: 'finished', steps: 0, calls: [], tests: [] },
    byEffect: { confirmed: 0, partial: 0, 'no-effect': 0, unverifiable: 0, refused: 0 },
    byKind: { pixels: 0, filesAndShell: 0, ideTools: 0, unreadable: 0 },
    byFeature: {
      ...{ 'text editing': 0, explorer: 0, terminal: 0, search: 0, 'debug and run': 0 },
      ...{ 'code intelligence': 0, 'source control': 0, extensions: 0, settings: 0, commands: 0 },
    },
    ...{ skipped: 0, failedCalls: 0, staleMarks: 0, missedClicks: 0 },
    ...{ repeatedStates: 0, settleCaps: 0, toolsMs: 0, ideMs: 0 },
    iterations: { productive: 0, 'non-productive': 0, exploration: 0 },
    ...{ edits: 0, successfulEdits: 0, firstEdit: null, longestExploration: 0, syntaxErrorRun: 0 },
    ...{ largestEdit: 0, mostEditsOfFile: 0, reads: 0, filesRead: 0, filesReadBeforeEdit: null },
    ...{ callsBeforeEdit: null, lookedBeforeEdit: false, mostRereads: 0, filesInWorkspace: null },
    ...over,
  };
}

/** Attempts 1 to n at one task, of which the first ones pass. */
export function attemptsOf(n: number, passed: number, over: Partial<AttemptRow> = {}): AttemptRow[] {
  return Array.from({ length: n }, (_, i) => {
    return attemptRow({ attempt: i + 1, reward: i < passed ? 1 : 0, ...over });
  });
}

/** Rounds, to compare with figures that were calculated with fewer digits. */
export function rounded(value: number | null | undefined, digits = 6): number | null {
  return value === null || value === undefined ? null : Number(value.toFixed(digits));
}
