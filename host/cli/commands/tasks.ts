import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { checkTasks, nameOf, validityOf, type Finding, type ProofRun } from '../../agents/index.ts';
import { withVariants } from '../../grade/index.ts';
import type { Display } from '../../node/index.ts';
import { packagedTasks } from '../../lib/index.ts';
import { findTasks, type Task } from '../../tasks/index.ts';
import { exportToHarbor, type Exported } from '../../datasets/index.ts';
import { withReadyNode } from '../context.ts';
import {
  coldOption,
  count,
  displaysOption,
  seedOption,
  type ColdOption,
  type SeedOption,
} from '../options.ts';
import { print } from '../output.ts';
import { table } from '../table.ts';
import { UnderWay } from '../under-way.ts';
import { stamp } from './run.ts';
import { writeReport } from '../../report/index.ts';

interface CheckOptions extends ColdOption, SeedOption {
  readonly parallel: number;
  readonly rounds: number;
  readonly display?: Display[];
  readonly out: string;
  readonly json?: true;
}

export function addTasks(program: Command): void {
  const tasks = program.command('tasks').description('list tasks, and prove that they are valid');
  tasks
    .command('list')
    .description('list the tasks in folders')
    .argument('[folder...]', 'task folders, folders of them, or ids of tasks', [defaultFolder()])
    .option('--json', 'print as JSON')
    .action(list);
  tasks
    .command('check')
    .description(
      'prove that tasks are valid: doing nothing fails, solutions pass, false solutions fail, and nothing of them leaks into the sandbox',
    )
    .argument('[folder...]', 'task folders, folders of them, or ids of tasks', [defaultFolder()])
    .option('-n, --parallel <n>', 'number of episodes at a time', count, 2)
    .option('-r, --rounds <n>', 'number of repetitions', count, 1)
    .addOption(displaysOption())
    .addOption(seedOption())
    .addOption(coldOption())
    .option('--out <folder>', 'folder for the records', 'runs')
    .option('--json', 'print as JSON')
    .action(check);
  tasks
    .command('export')
    .description('write tasks as folders that Harbor runs; says what each loses without an IDE')
    .argument('[folder...]', 'task folders, folders of them, or ids of tasks', [defaultFolder()])
    .option('--harbor', "in Harbor's format (the default)")
    .option('--out <folder>', 'folder for the task folders', 'harbor-tasks')
    .addOption(seedOption())
    .option('--json', 'print as JSON')
    .action(exportTasks);
}

interface ExportOptions extends SeedOption {
  readonly out: string;
  readonly json?: true;
}

async function exportTasks(folders: string[], options: ExportOptions): Promise<void> {
  const found = await findTasks(folders, { seed: options.seed });
  const tasks = found.every(({ make }) => make === undefined)
    ? found
    : await withReadyNode((context) => withVariants(found, context));
  const exported: Exported[] = [];
  for (const task of tasks) exported.push(await exportToHarbor(task, options.out));
  print(exported, options.json ?? false, () => exportedText(exported));
}

function exportedText(exported: readonly Exported[]): string {
  const rows = exported.map(({ task, folder, leftOut }) => [
    task,
    folder === null ? 'not exported' : 'exported',
    leftOut.join('; '),
  ]);
  const count = exported.filter(({ folder }) => folder !== null).length;
  return [table([['TASK', '', 'NOT IN HARBOR'], ...rows]), `${count} of ${exported.length} exported`].join(
    '\n',
  );
}

async function list(folders: string[], options: { json?: true }): Promise<void> {
  const tasks = await findTasks(folders);
  print(tasks.map(summary), options.json ?? false, () =>
    table([['TASK', 'DIFFICULTY', 'FEATURES'], ...tasks.map((task) => row(task))]),
  );
}

async function check(folders: string[], options: CheckOptions): Promise<void> {
  const tasks = await findTasks(folders, { seed: options.seed });
  await withReadyNode(async ({ node, signal }) => {
    using underWay = new UnderWay();
    const findings = await checkTasks({
      node,
      tasks,
      folder: join(options.out, `check-${stamp()}`),
      parallel: options.parallel,
      rounds: options.rounds,
      displays: options.display ?? [],
      cold: options.cold ?? false,
      writeReport,
      signal,
      onStage: (run, stage) => underWay.is(runText(run), stage),
      onFinding: (finding) => {
        underWay.is(runText(finding), null);
        underWay.say(line(finding));
      },
    });
    print(findings, options.json ?? false, () => report(findings));
    if (findings.some(({ holds }) => !holds)) process.exitCode = 1;
  });
}

function report(findings: readonly Finding[]): string {
  const verdicts = validityOf(findings);
  const rows = verdicts.map(({ task, valid, runs, flakes, ms }) => [
    task,
    runs,
    `${(ms / 1000).toFixed(1)} s`,
    `${valid ? 'valid' : 'INVALID'}${flakes.length > 0 ? `, FLAKE: ${flakes.join(', ')}` : ''}`,
  ]);
  const problems = verdicts.flatMap(({ task, problems: all }) => all.map((problem) => `${task} ${problem}`));
  const warnings = verdicts.flatMap(({ task, warnings: all }) =>
    all.map((warning) => `warning: ${task} ${warning}`),
  );
  const valid = verdicts.filter((verdict) => verdict.valid).length;
  const flaky = verdicts.filter(({ flakes }) => flakes.length > 0).length;
  const total = `${valid} of ${verdicts.length} valid${flaky > 0 ? `, ${flaky} with a flake` : ''}`;
  return [table([['TASK', 'RUNS', 'TIME', ''], ...rows]), ...problems, ...warnings, total].join('\n');
}

function runText(run: ProofRun): string {
  return `${run.task} ${nameOf(run)}, round ${run.round}`;
}

function line(finding: Finding): string {
  const { reward, expected, holds, why, warning, ms } = finding;
  const right = warning === null ? 'ok' : `ok, but ${warning}`;
  const verdict = holds ? right : `WRONG: ${why}`;
  const scores = `reward ${reward ?? 'none'}, expected ${expected}`;
  return `${runText(finding)}: ${scores}: ${verdict} (${(ms / 1000).toFixed(1)} s)`;
}

function summary({ id, path, instruction, config }: Task): object {
  return { id, path, instruction, difficulty: config.metadata.difficulty, features: config.pwp.features };
}

function row({ id, config }: Task): string[] {
  return [id, config.metadata.difficulty ?? '', (config.pwp.features ?? []).join(', ')];
}

/** Tasks of the current folder, else those that come with the program. */
function defaultFolder(): string {
  return existsSync('tasks') ? 'tasks' : packagedTasks();
}
