import { stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { PwpError, raceSignal } from '../../../../bridge/lib/index.ts';
import type { Display, Sandbox } from '../../../node/index.ts';
import { writeReport } from '../../report/index.ts';
import {
  checkSolution,
  type Demonstration,
  PersonSteps,
  recordDemonstration,
  taskSettings,
} from '../../../run/index.ts';
import { loadTask, type Task, withVariant } from '../../../tasks/index.ts';
import { openServer, pairRoutes } from '../../serve/index.ts';
import { type CommandContext, withReadyNode } from '../context.ts';
import { displaysOption, parsePort } from '../options.ts';
import { print } from '../output.ts';
import { formatStartTime } from '../progress.ts';
import { hasSandboxEnded, personName } from '../served-ide.ts';
import { addSettings } from '../setting-options.ts';

interface DemonstrateOptions {
  readonly solution?: string;
  readonly display?: readonly Display[];
  readonly seed?: number;
  readonly port: number;
  readonly out: string;
  readonly json?: boolean;
}

/** The sizes at which a solution is proven. */
const proofDisplays: readonly Display[] = [
  { width: 1920, height: 1080 },
  { width: 1280, height: 800 },
];

export function addDemonstrateCommand(program: Command): void {
  const command = program
    .command('demonstrate')
    .description('solve a task by hand in a page; records a trajectory and, on request, writes a solution')
    .argument('<task>', "a task's folder or id")
    .option(
      '--solution <file>',
      'write what you did as a new solution, e.g. by-hand.xdotool, and prove it by playing it',
    )
    .addOption(displaysOption())
    .option('--port <n>', 'port on 127.0.0.1; 0 for a free one', parsePort, 0)
    .option('--out <folder>', 'folder for the records', 'runs')
    .option('--json', 'print as JSON: first the address, then the result')
    .action(demonstrate);
  addSettings(command, taskSettings.shape, { only: ['seed'] });
}

async function demonstrate(path: string, options: DemonstrateOptions): Promise<void> {
  const { solution: file, seed, json = false } = options;
  if (file !== undefined) await requireSolutionFile(file);
  const loaded = await loadTask(path, { seed });
  await withReadyNode(async (context) => {
    const task = await withVariant(loaded, context);
    const folder = join(options.out, formatStartTime(), `demonstration-${task.id.replaceAll('/', '-')}`);
    const shown = await demonstrateInPage(task, folder, options, context);
    const findings =
      file === undefined ? [] : await proveSolution(task, shown, file, folder, options, context);
    const { grade, steps, solution, report } = shown;
    const { reward } = grade;
    print({ folder, report, reward, steps, solution: file ?? null, ...solution, findings }, json, () =>
      [`score ${reward} after ${steps} steps`, report, ...findings.map(findingText)].join('\n'),
    );
    if (reward !== 1 || findings.some(({ holds }) => !holds)) process.exitCode = 1;
  });
}

async function demonstrateInPage(
  task: Task,
  folder: string,
  { port: wanted, display, json = false }: DemonstrateOptions,
  { node, signal }: CommandContext,
): Promise<Demonstration> {
  const steps = new PersonSteps();
  const opening = Promise.withResolvers<Sandbox>();
  const person = personName();
  const routes = pairRoutes({
    ...{ title: task.id, brief: task.instruction, person, letWatch: true },
    open: (within) => raceSignal(opening.promise, within),
    hasEnded: async () => hasSandboxEnded(node, (await opening.promise).id),
    onPersonStep: (step) => steps.add(step),
    onEnd: () => steps.end(),
  });
  await using server = await openServer(routes, wanted);
  const url = server.url;
  print({ url }, json, () => `${url}\nOpen it, take control, solve the task, and end the session.`);
  return await recordDemonstration({
    ...{ node, task, folder, person, steps, writeReport, signal, display: display?.[0] },
    onReady: ({ sandbox }) => opening.resolve(node.open(sandbox, { signal })),
    ...(!json && {
      onStep: ({ acts }, n) => printLine(`  ${n}. ${acts.map(({ line }) => line).join(' ; ')}`),
    }),
  });
}

/** Checked before the page opens: a wrong name must not cost a person's work, nor overwrite a solution. */
async function requireSolutionFile(file: string): Promise<void> {
  if (!file.endsWith('.xdotool'))
    throw new PwpError('usage', `${file} must end with .xdotool`, { help: 'For example by-hand.xdotool.' });
  if ((await stat(file).catch(() => null)) !== null)
    throw new PwpError('usage', `${file} already exists`, { help: 'Choose another name.' });
  const folder = await stat(dirname(file)).catch(() => null);
  if (!folder?.isDirectory()) throw new PwpError('usage', `${dirname(file)} is not a folder`);
}

/** Errors: `usage` if some input was private, and so can't be played again. */
async function proveSolution(
  task: Task,
  { solution }: Demonstration,
  file: string,
  folder: string,
  { display = proofDisplays }: DemonstrateOptions,
  { node, signal }: CommandContext,
) {
  if (solution.missing.length > 0)
    throw new PwpError('usage', "what was not recorded can't be part of a solution", {
      help: `What is typed in private, in a field for passwords, or while the IDE hangs is left out. The record is ${folder}.`,
    });
  await writeFile(file, solution.text, { flag: 'wx' });
  for (const line of solution.byPlace) process.stderr.write(`goes by its place on the screen: ${line}\n`);
  const name = 'demonstrated';
  return checkSolution(
    task,
    { name, kind: 'xdotool', text: solution.text },
    { node, folder: `${folder}-proof`, parallel: 1, displays: display, writeReport, signal },
  );
}

function findingText({
  display,
  reward,
  holds,
  why,
}: Awaited<ReturnType<typeof proveSolution>>[number]): string {
  const size = display ? `${display.width}x${display.height}` : 'the usual size';
  return `played at ${size}: ${holds ? 'right' : `WRONG: ${why}`} (reward ${reward ?? 'none'})`;
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
