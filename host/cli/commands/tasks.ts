import { join } from 'node:path';
import type { Command } from 'commander';
import { checkTasks, type Finding } from '../../agents/index.ts';
import { findTasks, type Task } from '../../tasks/index.ts';
import { withReadyNode } from '../context.ts';
import { coldOption, count, type ColdOption } from '../options.ts';
import { print, table } from '../output.ts';
import { stamp } from './run.ts';

interface CheckOptions extends ColdOption {
  readonly parallel: number;
  readonly out: string;
  readonly json?: true;
}

export function addTasks(program: Command): void {
  const tasks = program.command('tasks').description('list tasks, and prove that they are valid');
  tasks
    .command('list')
    .description('tasks below folders')
    .argument('[folder...]', 'task folders or folders of them', ['tasks'])
    .option('--json', 'print as JSON')
    .action(list);
  tasks
    .command('check')
    .description('a task is valid when doing nothing fails, its solutions pass and its false solutions fail')
    .argument('[folder...]', 'task folders or folders of them', ['tasks'])
    .option('-n, --parallel <n>', 'episodes at a time', count, 2)
    .addOption(coldOption())
    .option('--out <folder>', 'where the records go', 'runs')
    .option('--json', 'print as JSON')
    .action(check);
}

async function list(folders: string[], options: { json?: true }): Promise<void> {
  const tasks = await findTasks(folders);
  print(tasks.map(summary), options.json ?? false, () =>
    table([['TASK', 'DIFFICULTY', 'FEATURES'], ...tasks.map((task) => row(task))]),
  );
}

async function check(folders: string[], options: CheckOptions): Promise<void> {
  const tasks = await findTasks(folders);
  await withReadyNode(async ({ node, signal }) => {
    const findings = await checkTasks({
      node,
      tasks,
      folder: join(options.out, `check-${stamp()}`),
      parallel: options.parallel,
      cold: options.cold ?? false,
      signal,
      onFinding: (finding) => process.stderr.write(`${line(finding)}\n`),
    });
    print(findings, options.json ?? false, () => report(findings));
    if (findings.some(({ holds }) => !holds)) process.exitCode = 1;
  });
}

function report(findings: readonly Finding[]): string {
  const rows = findings.map(({ task, run, expected, reward, holds }) => [
    task,
    run,
    expected,
    reward ?? 'error',
    holds ? 'ok' : 'WRONG',
  ]);
  const wrong = findings.filter(({ holds }) => !holds);
  const details = wrong.map((finding) => `${finding.task} ${finding.run}: ${finding.why}`);
  return [table([['TASK', 'RUN', 'EXPECTED', 'REWARD', ''], ...rows]), ...details].join('\n');
}

function line({ task, run, expected, reward, holds, ms }: Finding): string {
  const verdict = holds ? 'ok' : 'WRONG';
  return `${task} ${run}: reward ${reward ?? 'error'}, expected ${expected}: ${verdict} (${(ms / 1000).toFixed(1)} s)`;
}

function summary({ id, path, instruction, config }: Task): object {
  return { id, path, instruction, difficulty: config.metadata.difficulty, features: config.pwp.features };
}

function row({ id, config }: Task): string[] {
  return [id, config.metadata.difficulty ?? '', (config.pwp.features ?? []).join(', ')];
}
