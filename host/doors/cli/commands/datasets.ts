import type { Command } from 'commander';
import { attemptSettings, taskSettings } from '../../../run/index.ts';
import {
  type CheckedRecord,
  checkRecords,
  chooseTasks,
  type DatasetAbout,
  datasets,
  findDataset,
  openDataset,
} from '../../../tasks/index.ts';
import { withReadyNode } from '../context.ts';
import { parseCount } from '../options.ts';
import { escapeControls, print, withProgramName } from '../output.ts';
import { warnOfLeftOutRecords } from '../progress.ts';
import { addSettings, type GivenSettings } from '../setting-options.ts';
import { formatTable } from '../tables.ts';

interface DatasetOptions {
  readonly json?: true;
}

interface CheckDatasetOptions
  extends
    Omit<GivenSettings<typeof taskSettings.shape>, 'tasks' | 'seed'>,
    Pick<GivenSettings<typeof attemptSettings.shape>, 'image'>,
    DatasetOptions {
  readonly parallel: number;
}

export function addDatasetsCommand(program: Command): void {
  const command = program
    .command('datasets')
    .description('existing datasets: what they are, and their records as tasks');
  command
    .command('list')
    .description('list all datasets, or the records of one')
    .argument('[name]', 'a dataset; needs --data')
    .option('--data <path>', 'its files')
    .option('--json', 'print as JSON')
    .action(listDatasets);
  command
    .command('show')
    .description('show what is known about a dataset: metric, licence, what is missing here')
    .argument('<name>', 'a dataset')
    .option('--json', 'print as JSON')
    .action(showDataset);
  command
    .command('fetch-help')
    .description('show where the files of a dataset are published, and where to put them; fetches nothing')
    .argument('<name>', 'a dataset')
    .option('--json', 'print as JSON')
    .action(printSource);
  const check = command
    .command('check')
    .description(
      'prove records: doing nothing scores 0, their solution 1, a wrong answer 0, and nothing leaks; boots no IDE',
    )
    .argument('<name>', 'a dataset')
    .option('-n, --parallel <n>', 'number of sandboxes at a time', parseCount, 2)
    .option('--json', 'print as JSON');
  addSettings(check, taskSettings.shape, { except: ['tasks', 'seed'] });
  addSettings(check, attemptSettings.shape, { only: ['image'] }).action(checkDataset);
}

async function listDatasets(
  name: string | undefined,
  options: DatasetOptions & { readonly data?: string },
): Promise<void> {
  if (name === undefined) {
    const abouts = datasets.map(({ about }) => about);
    print(abouts, options.json ?? false, () => datasetTable(abouts));
    return;
  }
  const { ids, lacking = new Map<string, string>() } = await openDataset(
    findDataset(name),
    options.data ?? '.',
  );
  for (const [id, why] of lacking) process.stderr.write(escapeControls(`can't be played: ${id}: ${why}\n`));
  print(ids, options.json ?? false, () => ids.join('\n'));
}

function showDataset(name: string, options: DatasetOptions): void {
  const { about } = findDataset(name);
  print(about, options.json ?? false, () => datasetText(about));
}

function printSource(name: string, options: DatasetOptions): void {
  const { about } = findDataset(name);
  const { source, licence, files, needs } = about;
  print({ source, licence, files, needs }, options.json ?? false, () => fetchHelp(about));
}

async function checkDataset(name: string, options: CheckDatasetOptions): Promise<void> {
  const { about } = findDataset(name);
  const { data, ids, sample, sampleSeed, image, parallel } = options;
  const chosen = await chooseTasks({ names: [about.name], data, ids, sample, sampleSeed });
  const { tasks } = chosen;
  warnOfLeftOutRecords(chosen);
  await withReadyNode(async ({ node, signal }) => {
    const start = performance.now();
    const onRecord = (record: CheckedRecord) => void process.stderr.write(`${checkedRecordLine(record)}\n`);
    const records = await checkRecords({ node, tasks, image, parallel, signal, onRecord });
    const ms = performance.now() - start;
    print({ records, ms }, options.json ?? false, () => summarizeChecks(records, ms));
    if (records.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
  });
}

function datasetTable(abouts: readonly DatasetAbout[]): string {
  const rows = abouts.map(({ name, title, family, records, needs }) => [
    ...[name, title, family, records],
    needs.length === 0 ? 'nothing' : needs.join('; '),
  ]);
  return formatTable([['NAME', 'DATASET', 'FAMILY', 'RECORDS', 'NEEDS MORE THAN DEBIAN AND NPM'], ...rows]);
}

function datasetText(about: DatasetAbout): string {
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

function fetchHelp({ name, title, source, licence, files, needs }: DatasetAbout): string {
  return [
    `${title} is published at ${source} (licence: ${licence}).`,
    'Fetch from there and put into one folder:',
    ...files.map((file) => `  ${file}`),
    ...(needs.length === 0 ? [] : ['What else it needs:', ...needs.map((need) => `  ${need}`)]),
    withProgramName(`Then: pwp datasets check ${name} --data <folder> --sample 5`),
  ].join('\n');
}

function checkedRecordLine({ task, grades, problems }: CheckedRecord): string {
  const rewards = grades.map(({ name, reward }) => `${name} ${reward ?? 'no score'}`);
  return `${task}: ${rewards.join(', ')}: ${problems.length === 0 ? 'ok' : `WRONG: ${problems.join('; ')}`}`;
}

/** Counts, problems and time. */
function summarizeChecks(records: readonly CheckedRecord[], ms: number): string {
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
    formatTable([['ANSWER', 'RECORDS', 'MEAN SCORE', 'NO SCORE', 'TIME EACH'], ...rows]),
    ...wrong.map(({ task, problems }) => `${task}: ${problems.join('; ')}`),
    `${records.length - wrong.length} of ${records.length} records are sound; ${(ms / 1000).toFixed(1)} s in all`,
  ].join('\n');
}
