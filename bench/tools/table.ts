import type { Judged, Verdict } from './judge.ts';

const head = ['tool', 'right call', 'wrong call: refused with', 'ms'];

/** A table for people: one row per tool, with disagreements below it. */
export function renderJudged(all: readonly Judged[]): string {
  const rows = all.map(({ tool, verdicts, ms }) => [
    tool,
    rightCell(verdicts),
    wrongCell(verdicts),
    ms.toFixed(0),
  ]);
  const cells = [head, ...rows];
  const widths = head.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  const faults = all.map(({ tool, verdicts }) => verdicts.flatMap((one) => faultLines(tool, one)));
  return [line(head), ...rows.flatMap((row, at) => [line(row), ...(faults[at] ?? [])])].join('\n');
}

/** The sums below the table. */
export function sumsOf(all: readonly Judged[]): string {
  const verdicts = all.flatMap((one) => one.verdicts);
  const part = (kind: Verdict['kind']) => {
    const some = verdicts.filter((one) => one.kind === kind);
    return `${some.filter(agrees).length} of ${some.length}`;
  };
  const shapes = verdicts.filter(({ shapeOnly }) => shapeOnly !== undefined).length;
  const whole = all.filter((one) => one.verdicts.every(agrees)).length;
  return [
    `right calls that agree with the truth: ${part('right')} (${shapes} by their shape alone)`,
    `wrong calls that are refused as they should: ${part('wrong')}`,
    `tools without a fault: ${whole} of ${all.length}`,
  ].join('\n');
}

export function agrees({ faults }: Verdict): boolean {
  return faults.length === 0;
}

function rightCell(verdicts: readonly Verdict[]): string {
  const some = verdicts.filter(({ kind }) => kind === 'right');
  const good = some.filter(agrees).length;
  const shape = some.some(({ shapeOnly }) => shapeOnly !== undefined) ? ' (shape)' : '';
  return good === some.length ? `agrees, ${good} of ${good}${shape}` : `DISAGREES, ${good} of ${some.length}`;
}

function wrongCell(verdicts: readonly Verdict[]): string {
  const some = verdicts.filter(({ kind }) => kind === 'wrong');
  return some
    .map((one) => `${agrees(one) ? '' : 'WRONG '}${one.reason === '' ? 'nothing' : one.reason}`)
    .join(', ');
}

function faultLines(tool: string, { what, faults, shapeOnly }: Verdict): string[] {
  return [
    ...faults.map((fault) => `    ! ${tool}, ${what}: ${fault.replaceAll('\n', '\n      ')}`),
    ...(shapeOnly === undefined ? [] : [`    shape only, ${what}: ${shapeOnly}`]),
  ];
}
