import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { packagedTasksFolder } from '../../../lib/index.ts';
import type { Display } from '../../../node/index.ts';
import { writeReport } from '../../report/index.ts';
import {
  attemptSettings,
  checkTasks,
  type Finding,
  judgeValidity,
  makeOpenEnvReport,
  nameProofRun,
  type ProofRun,
  taskSettings,
} from '../../../run/index.ts';
import {
  exportToHarbor,
  findTasks,
  type HarborExport,
  type Task,
  withVariants,
} from '../../../tasks/index.ts';
import { withReadyNode } from '../context.ts';
import { displaysOption, parseCount } from '../options.ts';
import { print } from '../output.ts';
import { formatStartTime, StageReporter } from '../progress.ts';
import { addSettings, type GivenSettings } from '../setting-options.ts';
import { formatTable } from '../tables.ts';

type SeedOption = Pick<GivenSettings<typeof taskSettings.shape>, 'seed'>;

interface CheckTasksOptions extends SeedOption {
  readonly cold?: boolean;
  readonly parallel: number;
  readonly rounds: number;
  readonly display?: Display[];
  readonly out: string;
  readonly report?: 'openenv';
  readonly json?: true;
}

export function addTasksCommand(program: Command): void {
  const tasks = program.command('tasks').description('list tasks, and prove that they are valid');
  tasks
    .command('list')
    .description('list the tasks in folders')
    .argument('[folder...]', 'task folders, folders of them, or ids of tasks', [defaultTaskFolder()])
    .option('--json', 'print as JSON')
    .action(listTasks);
  const check = tasks
    .command('check')
    .description(
      'prove that tasks are valid: doing nothing fails, solutions pass, false solutions fail, and nothing of them leaks into the sandbox',
    )
    .argument('[folder...]', 'task folders, folders of them, or ids of tasks', [defaultTaskFolder()])
    .option('-n, --parallel <n>', 'number of episodes at a time', parseCount, 2)
    .option('-r, --rounds <n>', 'number of repetitions', parseCount, 1)
    .addOption(displaysOption())
    .option('--out <folder>', 'folder for the records', 'runs')
    .addOption(
      new Option(
        '--report <format>',
        "also write a report on each task, as <task>/openenv.json beside its records, in the format of OpenEnv's RFC 008",
      ).choices(['openenv']),
    )
    .option('--json', 'print as JSON')
    .action(proveTasks);
  addSettings(addSettings(check, taskSettings.shape, { only: ['seed'] }), attemptSettings.shape, {
    only: ['cold'],
  });
  const exporting = tasks
    .command('export')
    .description('write tasks as folders that Harbor runs; says what each loses without an IDE')
    .argument('[folder...]', 'task folders, folders of them, or ids of tasks', [defaultTaskFolder()])
    .option('--harbor', "in Harbor's format (the default)")
    .option('--out <folder>', 'folder for the task folders', 'harbor-tasks')
    .option('--json', 'print as JSON')
    .action(exportTasks);
  addSettings(exporting, taskSettings.shape, { only: ['seed'] });
}

interface ExportTasksOptions extends SeedOption {
  readonly out: string;
  readonly json?: true;
}

async function exportTasks(folders: string[], options: ExportTasksOptions): Promise<void> {
  const found = await findTasks(folders, { seed: options.seed });
  const tasks = found.every(({ make }) => make === undefined)
    ? found
    : await withReadyNode((context) => withVariants(found, context));
  const exported: HarborExport[] = [];
  for (const task of tasks) exported.push(await exportToHarbor(task, options.out));
  print(exported, options.json ?? false, () => exportedText(exported));
}

function exportedText(exported: readonly HarborExport[]): string {
  const rows = exported.map(({ task, folder, leftOut }) => [
    task,
    folder === null ? 'not exported' : 'exported',
    leftOut.join('; '),
  ]);
  const count = exported.filter(({ folder }) => folder !== null).length;
  return [
    formatTable([['TASK', '', 'NOT IN HARBOR'], ...rows]),
    `${count} of ${exported.length} exported`,
  ].join('\n');
}

async function listTasks(folders: string[], options: { json?: true }): Promise<void> {
  const tasks = await findTasks(folders);
  print(tasks.map(taskJson), options.json ?? false, () =>
    formatTable([['TASK', 'DIFFICULTY', 'FEATURES'], ...tasks.map((task) => taskRow(task))]),
  );
}

async function proveTasks(folders: string[], options: CheckTasksOptions): Promise<void> {
  const tasks = await findTasks(folders, { seed: options.seed });
  await withReadyNode(async ({ node, signal }) => {
    using underWay = new StageReporter();
    const folder = join(options.out, `check-${formatStartTime()}`);
    const findings = await checkTasks({
      ...{ node, tasks, folder },
      parallel: options.parallel,
      rounds: options.rounds,
      displays: options.display ?? [],
      cold: options.cold ?? false,
      writeReport,
      signal,
      onStage: (run, stage) => underWay.is(proofRunText(run), stage),
      onFinding: (finding) => {
        underWay.is(proofRunText(finding), null);
        underWay.say(findingLine(finding));
      },
    });
    if (options.report) for (const task of tasks) await writeOpenEnvReport(task, findings, folder);
    print(findings, options.json ?? false, () => proofReport(findings));
    if (findings.some(({ holds }) => !holds)) process.exitCode = 1;
  });
}

async function writeOpenEnvReport(task: Task, findings: readonly Finding[], folder: string): Promise<void> {
  const report = await makeOpenEnvReport(task, findings);
  await mkdir(join(folder, task.id), { recursive: true });
  await writeFile(join(folder, task.id, 'openenv.json'), `${JSON.stringify(report, null, 2)}\n`);
}

function proofReport(findings: readonly Finding[]): string {
  const verdicts = judgeValidity(findings);
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
  return [formatTable([['TASK', 'RUNS', 'TIME', ''], ...rows]), ...problems, ...warnings, total].join('\n');
}

function proofRunText(run: ProofRun): string {
  return `${run.task} ${nameProofRun(run)}, round ${run.round}`;
}

function findingLine(finding: Finding): string {
  const { reward, expected, holds, why, warning, ms } = finding;
  const right = warning === null ? 'ok' : `ok, but ${warning}`;
  const verdict = holds ? right : `WRONG: ${why}`;
  const scores = `reward ${reward ?? 'none'}, expected ${expected}`;
  return `${proofRunText(finding)}: ${scores}: ${verdict} (${(ms / 1000).toFixed(1)} s)`;
}

function taskJson({ id, path, instruction, config }: Task): object {
  return { id, path, instruction, difficulty: config.metadata.difficulty, features: config.pwp.features };
}

function taskRow({ id, config }: Task): string[] {
  return [id, config.metadata.difficulty ?? '', (config.pwp.features ?? []).join(', ')];
}

/** Tasks of the current folder, else those that come with the program. */
function defaultTaskFolder(): string {
  return existsSync('tasks') ? 'tasks' : packagedTasksFolder();
}
