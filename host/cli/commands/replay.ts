import { join, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { agentNames, chooseAgent, type EpisodeResult, stepLimitOf } from '../../agents/index.ts';
import { PwpError } from '../../../bridge/lib/index.ts';
import { readRecord, type EpisodeHistory } from '../../record/index.ts';
import { continueEpisode, findFirstWrong, replay, taskOf, type Replayed } from '../../replay/index.ts';
import type { Task } from '../../tasks/index.ts';
import { withReadyNode, type Context } from '../context.ts';
import { addModelOptions, agentChoice, type ModelOptions } from '../model-options.ts';
import { narrate } from '../narrate.ts';
import { count, dollars, wholeNumber, addStepsOption, type StepsOption } from '../options.ts';
import { print } from '../output.ts';
import { asTyped } from '../program-name.ts';
import { printable } from '../printable.ts';
import { endText, firstWrongText, replayedText, replayJson, sandboxText, triedText } from '../replay-text.ts';
import { stamp, summary } from './run.ts';
import { writeReport } from '../../report/index.ts';

interface Options extends StepsOption, ModelOptions {
  readonly to?: number;
  readonly task?: string[];
  readonly checkpoints: boolean;
  readonly continue?: true;
  readonly anyway?: true;
  readonly firstWrong?: true;
  readonly agent?: string;
  readonly model?: string;
  readonly attempts: number;
  readonly maxTokens?: number;
  readonly maxCost?: number;
  readonly out: string;
  readonly json?: true;
}

const examples = `
Examples:
  pwp replay runs/…/vscode-autosave-500-cua-1 --to 12
  pwp replay runs/…/vscode-autosave-500-cua-1 --to 12 --continue \\
    -a cua -m claude-opus-5 -k 8
  pwp replay runs/…/vscode-autosave-500-cua-1 --first-wrong`;

export function addReplay(program: Command): void {
  const command = program
    .command('replay')
    .description('go back to a step of a recorded episode, in a live IDE')
    .argument('<episode>', 'folder of its record')
    .option('--to <step>', 'the step to go to, 0 for the start; default: the last', wholeNumber)
    .option('-t, --task <folder...>', "where its task is; default: the project's own tasks")
    .option('--no-checkpoints', 'play all actions again, even where checkpoints exist')
    .option('--continue', 'let an agent continue from there, and grade it')
    .option('--anyway', 'continue even if the state is not, or may not be, the recorded one')
    .option('--first-wrong', 'find the step from which no solution of the task succeeds any more')
    .addOption(
      new Option(
        '-a, --agent <name>',
        `with --continue: ${agentNames.join(', ')}, or a command, as in exec:./mine`,
      ),
    )
    .option(
      '-k, --attempts <n>',
      'with --continue: number of continuations, each from the same state',
      count,
      1,
    )
    .option('--max-tokens <n>', 'maximum tokens of the model, input plus output', count)
    .option('--max-cost <usd>', 'maximum cost of the model, if its price is known', dollars)
    .option('--out <folder>', 'folder for new records', 'runs')
    .option('--json', 'print as JSON')
    .addHelpText('after', asTyped(examples));
  addStepsOption(command, 'a continuation', '20; a solution is played whole');
  addModelOptions(command).action(run);
}

async function run(episode: string, options: Options): Promise<void> {
  const history = await readRecord(resolve(episode));
  const task = await taskOf(history, options.task);
  if (options.firstWrong) return await firstWrong(history, task, options);
  if (options.continue) return await goOn(history, task, options);
  await leave(history, task, options);
}

/** Leaves the sandbox running, for a person or a program. */
async function leave(history: EpisodeHistory, task: Task, options: Options): Promise<void> {
  await withReadyNode(async (context) => {
    await using replayed = await played(context, history, task, options, true);
    const [, { sandbox }] = replayed.env.began;
    const { report } = replayed;
    print(replayJson(report, { sandbox }), options.json ?? false, () =>
      [endText(report), sandboxText(sandbox)].join('\n'),
    );
    if (report.end === 'apart') process.exitCode = 1;
  });
}

async function goOn(history: EpisodeHistory, task: Task, options: Options): Promise<void> {
  if (options.agent === undefined)
    throw new PwpError('usage', '--continue needs an agent', { help: 'For example: -a oracle' });
  const chosen = await agentChoice(options.agent, options);
  await using ending = new AsyncDisposableStack();
  if (chosen.model) ending.use(chosen.model);
  const stepLimit = stepLimitOf(chosen.name, options.maxSteps);
  // Checked first, so that a typo costs nothing.
  await chooseAgent(chosen, task);
  await withReadyNode(async (context) => {
    const { node, signal } = context;
    await using replayed = await played(context, history, task, options, false);
    if (!options.json) process.stdout.write(`${printable(endText(replayed.report))}\n`);
    const { branch, results } = await continueEpisode({
      ...{ node, task, history, replayed, signal, writeReport, count: options.attempts, stepLimit },
      agent: () => chooseAgent(chosen, task),
      folder: folderOf(history, options),
      anyway: options.anyway,
      ...(options.maxTokens !== undefined && { tokenLimit: options.maxTokens }),
      ...(options.maxCost !== undefined && { costLimit: options.maxCost }),
      ...(options.json ? {} : { onEvent: narrate(process.stdout) }),
    });
    print(replayJson(replayed.report, { branch, results }), options.json ?? false, () => outcomes(results));
    if (results.some(({ reward }) => reward === null)) process.exitCode = 1;
  });
}

async function firstWrong(history: EpisodeHistory, task: Task, options: Options): Promise<void> {
  await withReadyNode(async ({ node, signal }) => {
    const found = await findFirstWrong({
      ...{ node, history, task, signal, writeReport, folder: folderOf(history, options) },
      ...(options.json
        ? {}
        : { onTried: (step) => void process.stdout.write(`${printable(triedText(step))}\n`) }),
    });
    print(found, options.json ?? false, () => firstWrongText(found));
  });
}

function played(
  { node, signal }: Context,
  history: EpisodeHistory,
  task: Task,
  { to = history.steps.at(-1)?.step ?? 0, checkpoints, json }: Options,
  keep: boolean,
): Promise<Replayed> {
  return replay({
    ...{ node, history, task, to, checkpoints, keep, signal },
    ...(json ? {} : { onStep: (step) => void process.stdout.write(`${printable(replayedText(step))}\n`) }),
  });
}

function folderOf({ start }: EpisodeHistory, { out }: Options): string {
  return join(out, stamp(), `replay-${start.session.slice(0, 8)}`);
}

function outcomes(results: readonly EpisodeResult[]): string {
  const solved = results.filter(({ reward }) => reward === 1).length;
  return `${summary(results)}\n${solved} of ${results.length} scored 1`;
}
