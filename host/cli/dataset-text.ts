import type { CheckedRecord, DatasetAbout } from '../datasets/index.ts';
import { table } from './output.ts';

export function listText(abouts: readonly DatasetAbout[]): string {
  const rows = abouts.map(({ name, title, family, records, needs }) => [
    ...[name, title, family, records],
    needs.length === 0 ? 'nothing' : needs.join('; '),
  ]);
  return table([['NAME', 'DATASET', 'FAMILY', 'RECORDS', 'NEEDS MORE THAN DEBIAN AND NPM'], ...rows]);
}

export function showText(about: DatasetAbout): string {
  const { title, family, records, metric, licence, source, files, needs } = about;
  return [
    `${title}: ${records} records`,
    `Family:   ${family}`,
    `Metric:   ${metric}`,
    `Licence:  ${licence}`,
    `Source:   ${source}`,
    `Files:    ${files.join(', ')}`,
    ...needs.map((need) => `Needs:    ${need}`),
  ].join('\n');
}

export function fetchHelp({ name, title, source, licence, files, needs }: DatasetAbout): string {
  return [
    `${title} is published at ${source} (licence: ${licence}).`,
    'Fetch from there and put into one folder:',
    ...files.map((file) => `  ${file}`),
    ...(needs.length === 0 ? [] : ['What else it needs:', ...needs.map((need) => `  ${need}`)]),
    `Then: pwp datasets check ${name} --data <folder> --sample 5`,
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
