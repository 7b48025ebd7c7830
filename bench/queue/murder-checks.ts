import type { AttemptResult } from '../../host/run/index.ts';
import type { MurderedStudy } from './murdered-study.ts';

/** Numbers of attempts, tries, interrupted and failed ones. */
export function countEnds(results: readonly AttemptResult[]): string[] {
  const ends = results.flatMap(({ tries }) => tries.map(({ end }) => end));
  const count = (wanted: string) => ends.filter((end) => end === wanted).length;
  return [results.length, ends.length, count('interrupted'), count('infrastructure')].map(String);
}

/**
 * What is wrong with a study: its results are those of one that was left alone; each attempt has one score, of its last
 * try; each try that a worker began is there, also those whose worker was killed, as interrupted ones.
 */
export function checkMurdered(
  results: readonly AttemptResult[],
  alone: readonly AttemptResult[],
  { begun, killed }: Pick<MurderedStudy, 'begun' | 'killed'>,
): string[] {
  const names = results.map(nameOf);
  const expected = new Map(alone.map((one) => [nameOf(one), one]));
  return [
    ...[...expected.keys()].filter((name) => !names.includes(name)).map((name) => `${name} is lost`),
    ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name} counts twice`),
    ...results.flatMap((one) => differences(one, expected.get(nameOf(one)))),
    ...results.flatMap((one) => missingTries(one, begun.get(nameOf(one)) ?? 0, killed)),
  ];
}

/** As the folder of the attempt is named. */
function nameOf({ task, agent, number }: AttemptResult): string {
  return `attempts/${task.replaceAll('/', '-')}/${agent}/${number}`;
}

function differences(one: AttemptResult, other: AttemptResult | undefined): string[] {
  const endOf = (of: AttemptResult | undefined) => `${of?.end} ${of?.reward}`;
  const scored = one.tries.filter(({ end }) => end === 'scored').length;
  const tries = one.tries.map(({ folder, end, why }) => `${folder} ${end} ${why ?? ''}`).join('; ');
  return [
    ...(endOf(one) === endOf(other) ? [] : [`${nameOf(one)} ends ${endOf(one)}: ${one.why ?? ''}`]),
    ...(scored === 1 && one.tries.at(-1)?.end === 'scored'
      ? []
      : [`${nameOf(one)} has ${scored} scores: ${tries}`]),
  ];
}

function missingTries(one: AttemptResult, begun: number, killed: readonly string[]): string[] {
  const name = nameOf(one);
  const interrupted = one.tries.filter(({ end }) => end === 'interrupted').length;
  const kills = killed.filter((folder) => folder === name).length;
  return [
    ...(begun > one.tries.length ? [`${name}: ${begun} tries began, ${one.tries.length} are recorded`] : []),
    ...(interrupted < kills ? [`${name}: ${kills} tries were killed, ${interrupted} are interrupted`] : []),
    ...(begun === 0 ? [`${name} was not begun`] : []),
  ];
}
