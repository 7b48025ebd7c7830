import type { CheckedRecord, DatasetAbout, LogReport } from '../datasets/index.ts';
import { table } from './table.ts';
import { asTyped } from './program-name.ts';

export function listText(abouts: readonly DatasetAbout[]): string {
  const rows = abouts.map(({ name, title, family, records, needs }) => [
    ...[name, title, family, records],
    needs.length === 0 ? 'nothing' : needs.join('; '),
  ]);
  return table([['NAME', 'DATASET', 'FAMILY', 'RECORDS', 'NEEDS MORE THAN DEBIAN AND NPM'], ...rows]);
}

export function showText(about: DatasetAbout): string {
  const { title, family, records, metric, agentCode, licence, source, files, needs } = about;
  return [
    `${title}: ${records} records`,
    `Family:   ${family}`,
    `Metric:   ${metric}`,
    `Tests:    ${agentCodeText[agentCode]}`,
    `Licence:  ${licence}`,
    `Source:   ${source}`,
    `Files:    ${files.join(', ')}`,
    ...needs.map((need) => `Needs:    ${need}`),
  ].join('\n');
}

const agentCodeText: Readonly<Record<DatasetAbout['agentCode'], string>> = {
  nowhere: "run none of the agent's code",
  apart: "the agent's code runs in sandboxes without them",
  beside: "run the agent's code beside them, which can forge a pass",
};

export function fetchHelp({ name, title, source, licence, files, needs }: DatasetAbout): string {
  return [
    `${title} is published at ${source} (licence: ${licence}).`,
    'Fetch from there and put into one folder:',
    ...files.map((file) => `  ${file}`),
    ...(needs.length === 0 ? [] : ['What else it needs:', ...needs.map((need) => `  ${need}`)]),
    asTyped(`Then: pwp datasets check ${name} --data <folder> --sample 5`),
  ].join('\n');
}

export function recordLine({ task, grades, problems }: CheckedRecord): string {
  const rewards = grades.map(({ name, reward }) => `${name} ${reward ?? 'no score'}`);
  return `${task}: ${rewards.join(', ')}: ${problems.length === 0 ? 'ok' : `WRONG: ${problems.join('; ')}`}`;
}

/** Counts, problems and time. */
export function checkSummary(records: readonly CheckedRecord[], ms: number): string {
  const names = [...new Set(records.flatMap(({ grades }) => grades.map(({ name }) => name)))];
  const rows = names.map((name) => {
    const own = records.flatMap(({ grades }) => grades.filter((grade) => grade.name === name));
    const scored = own.flatMap(({ reward }) => reward ?? []);
    const mean = scored.reduce((sum, reward) => sum + reward, 0) / scored.length;
    const times = own.reduce((sum, grade) => sum + grade.ms, 0) / own.length / 1000;
    return [
      name,
      own.length,
      scored.length === 0 ? 'none' : mean.toFixed(3),
      own.length - scored.length,
      `${times.toFixed(2)} s`,
    ];
  });
  const wrong = records.filter(({ problems }) => problems.length > 0);
  return [
    table([['ANSWER', 'RECORDS', 'MEAN SCORE', 'NO SCORE', 'TIME EACH'], ...rows]),
    ...wrong.map(({ task, problems }) => `${task}: ${problems.join('; ')}`),
    `${records.length - wrong.length} of ${records.length} records are sound; ${(ms / 1000).toFixed(1)} s in all`,
  ].join('\n');
}

/** One line for each record with a log, and their sum, without records that have no verdict. */
export function logsText(reports: readonly LogReport[]): string {
  const judged = reports.filter(({ unavailable }) => unavailable === undefined);
  const lines = judged.map(
    (report) => `${report.resolved ? 'resolved' : 'unresolved'}  ${report.id}${whyUnresolved(report)}`,
  );
  const resolved = judged.filter((report) => report.resolved).length;
  const without = reports.length - judged.length;
  return [
    ...lines,
    `${resolved} of ${judged.length} resolved; ${without} without a verdict${reasonsOf(reports)}`,
  ].join('\n');
}

function whyUnresolved({ resolved, invalid, tests }: LogReport): string {
  if (resolved) return '';
  if (invalid !== undefined) return `: ${invalid}`;
  const failed = [...(tests?.FAIL_TO_PASS.failure ?? []), ...(tests?.PASS_TO_PASS.failure ?? [])];
  return `: ${failed.length} tests, e.g. ${failed[0] ?? ''}`;
}

function reasonsOf(reports: readonly LogReport[]): string {
  const reasons = new Set(
    reports.flatMap(({ unavailable }) => (unavailable === undefined ? [] : [unavailable])),
  );
  return reasons.size === 0 ? '' : ` (${[...reasons].slice(0, 5).join('; ')})`;
}
