/** The outcome of an episode in which something was killed. The agent knows the solution, so the right reward is 1. */
export interface Outcome {
  /** The killed part; `nothing` if it did not run at that moment, or the episode was over. */
  readonly killed: string;
  readonly reward: number | null;
  readonly trustworthy: boolean | null;
  /** It did not end in time. */
  readonly hung: boolean;
  /** One line, for those that need a look. */
  readonly detail: string;
}

const columns = ['1', '1 suspect', '0 suspect', '0 UNMARKED', 'no score', 'HUNG'] as const;
type Column = (typeof columns)[number];

function columnOf({ reward, trustworthy, hung }: Outcome): Column {
  if (hung) return 'HUNG';
  if (reward === null) return 'no score';
  if (reward >= 1) return trustworthy === false ? '1 suspect' : '1';
  return trustworthy === false ? '0 suspect' : '0 UNMARKED';
}

/** A wrong score that looks right, or an episode without an end. */
export function isBad(outcome: Outcome): boolean {
  return ['0 UNMARKED', 'HUNG'].includes(columnOf(outcome));
}

/** One row for each kind of killed part, and their sum. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const names = [...new Set(outcomes.map(({ killed }) => killed))].toSorted();
  const row = (name: string, of: readonly Outcome[]) => [
    name.padEnd(18),
    ...columns.map((column) =>
      String(of.filter((one) => columnOf(one) === column).length).padStart(column.length),
    ),
  ];
  const rows = names.map((name) =>
    row(
      name,
      outcomes.filter(({ killed }) => killed === name),
    ),
  );
  return [['killed'.padEnd(18), ...columns], ...rows, row('all', outcomes)]
    .map((cells) => cells.join('  '))
    .join('\n');
}
