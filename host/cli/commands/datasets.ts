import type { Command } from 'commander';
import {
  checkRecords,
  chooseTasks,
  datasetNamed,
  datasets,
  gradeLogs,
  openDataset,
  type CheckedRecord,
} from '../../datasets/index.ts';
import { withReadyNode } from '../context.ts';
import { warnOfLacking } from '../lacking.ts';
import { printable } from '../printable.ts';
import { checkSummary, fetchHelp, listText, logsText, recordLine, showText } from '../dataset-text.ts';
import { count } from '../options.ts';
import { print } from '../output.ts';
import { addSelectionOptions, type SelectionOptions } from '../selection-options.ts';

interface JsonOption {
  readonly json?: true;
}

interface CheckOptions extends SelectionOptions, JsonOption {
  readonly parallel: number;
}

export function addDatasets(program: Command): void {
  const command = program
    .command('datasets')
    .description('existing datasets: what they are, and their records as tasks');
  command
    .command('list')
    .description('list all datasets, or the records of one')
    .argument('[name]', 'a dataset; needs --data')
    .option('--data <path>', 'its files')
    .option('--json', 'print as JSON')
    .action(list);
  command
    .command('show')
    .description('show what is known about a dataset: metric, licence, what is missing here')
    .argument('<name>', 'a dataset')
    .option('--json', 'print as JSON')
    .action(show);
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
    .option('-n, --parallel <n>', 'number of sandboxes at a time', count, 2)
    .option('--json', 'print as JSON');
  addSelectionOptions(check).action(checkAll);
  command
    .command('logs')
    .description("grade logs of the SWE-bench harness by its owners' rule; runs nothing")
    .argument('<name>', 'a dataset of the SWE-bench family')
    .argument('<folder>', 'holds <instance_id>/test_output.txt')
    .requiredOption('--data <path>', 'its records')
    .option('--json', 'print as JSON')
    .action(logs);
}

async function logs(
  name: string,
  folder: string,
  { data, json }: JsonOption & { readonly data: string },
): Promise<void> {
  const reports = await gradeLogs(name, data, folder);
  print(reports, json ?? false, () => logsText(reports));
}

async function list(
  name: string | undefined,
  options: JsonOption & { readonly data?: string },
): Promise<void> {
  if (name === undefined) {
    const abouts = datasets.map(({ about }) => about);
    print(abouts, options.json ?? false, () => listText(abouts));
    return;
  }
  const { ids, lacking = new Map<string, string>() } = await openDataset(
    datasetNamed(name),
    options.data ?? '.',
  );
  for (const [id, why] of lacking) process.stderr.write(printable(`can't be played: ${id}: ${why}\n`));
  print(ids, options.json ?? false, () => ids.join('\n'));
}

function show(name: string, options: JsonOption): void {
  const { about } = datasetNamed(name);
  print(about, options.json ?? false, () => showText(about));
}

function printSource(name: string, options: JsonOption): void {
  const { about } = datasetNamed(name);
  const { source, licence, files, needs } = about;
  print({ source, licence, files, needs }, options.json ?? false, () => fetchHelp(about));
}

async function checkAll(name: string, options: CheckOptions): Promise<void> {
  const { about } = datasetNamed(name);
  const { data, ids, sample, sampleSeed } = options;
  const chosen = await chooseTasks({ names: [about.name], data, ids, sample, sampleSeed });
  const { tasks } = chosen;
  warnOfLacking(chosen);
  await withReadyNode(async ({ node, signal }) => {
    const start = performance.now();
    const onRecord = (record: CheckedRecord) => void process.stderr.write(`${recordLine(record)}\n`);
    const records = await checkRecords({ node, tasks, parallel: options.parallel, signal, onRecord });
    const ms = performance.now() - start;
    print({ records, ms }, options.json ?? false, () => checkSummary(records, ms));
    if (records.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
  });
}
