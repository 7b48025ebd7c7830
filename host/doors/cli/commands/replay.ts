import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { writeReport } from '../../report/index.ts';
import {
  agentSettings,
  chooseAgent,
  continueEpisode,
  type EpisodeHistory,
  type EpisodeResult,
  findFirstWrong,
  findRecordedTask,
  type FirstWrong,
  formatDifference,
  limitSettings,
  readRecord,
  replay,
  type Replayed,
  type ReplayedStep,
  type ReplayReport,
  type TriedStep,
} from '../../../run/index.ts';
import type { Task } from '../../../tasks/index.ts';
import { type CommandContext, withReadyNode } from '../context.ts';
import { openAgentFromOptions } from '../open-agents.ts';
import { parseCount, parseWholeNumber } from '../options.ts';
import { escapeControls, print, withProgramName } from '../output.ts';
import { formatStartTime, narrateEpisode, summarizeEpisodes } from '../progress.ts';
import { addSettings, givenSettings, type GivenSettings } from '../setting-options.ts';

interface ReplayCommandOptions extends GivenSettings<typeof agentSettings.shape> {
  readonly to?: number;
  readonly task?: string[];
  readonly checkpoints: boolean;
  readonly continue?: true;
  readonly anyway?: true;
  readonly firstWrong?: true;
  readonly attempts: number;
  readonly out: string;
  readonly json?: true;
}

const examples = `
Examples:
  pwp replay runs/…/cua/1/try-1 --to 12
  pwp replay runs/…/cua/1/try-1 --to 12 --continue \\
    -a cua -m claude-opus-5 -k 8
  pwp replay runs/…/cua/1/try-1 --first-wrong`;

export function addReplayCommand(program: Command): void {
  const command = program
    .command('replay')
    .description('go back to a step of a recorded episode, in a live IDE')
    .argument('<episode>', 'folder of its record')
    .option('--to <step>', 'the step to go to, 0 for the start; default: the last', parseWholeNumber)
    .option('-t, --task <folder...>', "where its task is; default: the project's own tasks")
    .option('--no-checkpoints', 'play all actions again, even where checkpoints exist')
    .option('--continue', 'let an agent continue from there, and grade it')
    .option('--anyway', 'continue even if the state is not, or may not be, the recorded one')
    .option('--first-wrong', 'find the step from which no solution of the task succeeds any more')
    .option(
      '-k, --attempts <n>',
      'with --continue: number of continuations, each from the same state',
      parseCount,
      1,
    )
    .option('--out <folder>', 'folder for new records', 'runs')
    .option('--json', 'print as JSON')
    .addHelpText('after', withProgramName(examples));
  addSettings(command, agentSettings.shape);
  addSettings(command, limitSettings.shape).action(runReplay);
}

async function runReplay(episode: string, options: ReplayCommandOptions): Promise<void> {
  const history = await readRecord(resolve(episode));
  const task = await findRecordedTask(history, options.task);
  if (options.firstWrong) return await reportFirstWrong(history, task, options);
  if (options.continue) return await continueFromStep(history, task, options);
  await leaveRunning(history, task, options);
}

/** Leaves the sandbox running, for a person or a program. */
async function leaveRunning(
  history: EpisodeHistory,
  task: Task,
  options: ReplayCommandOptions,
): Promise<void> {
  await withReadyNode(async (context) => {
    await using replayed = await playToStep(context, history, task, options, true);
    const [, { sandbox }] = replayed.env.began;
    const { report } = replayed;
    print(replayJson(report, { sandbox }), options.json ?? false, () =>
      [replayEndText(report), sandboxText(sandbox)].join('\n'),
    );
    if (report.end === 'apart') process.exitCode = 1;
  });
}

async function continueFromStep(
  history: EpisodeHistory,
  task: Task,
  options: ReplayCommandOptions,
): Promise<void> {
  if (options.agent === undefined)
    throw new PwpError('usage', '--continue needs an agent', { help: 'For example: -a oracle' });
  const chosen = await openAgentFromOptions(options.agent, options);
  await using ending = new AsyncDisposableStack();
  if (chosen.model) ending.use(chosen.model);
  // Checked first, so that a typo costs nothing.
  await chooseAgent(chosen, task);
  await withReadyNode(async (context) => {
    const { node, signal } = context;
    await using replayed = await playToStep(context, history, task, options, false);
    if (!options.json) process.stdout.write(`${escapeControls(replayEndText(replayed.report))}\n`);
    const { branch, results } = await continueEpisode({
      ...{ node, task, history, replayed, signal, writeReport, count: options.attempts },
      ...givenSettings(options, limitSettings.shape),
      agent: () => chooseAgent(chosen, task),
      folder: nameReplayFolder(history, options),
      anyway: options.anyway,
      ...(options.json ? {} : { onEvent: narrateEpisode(process.stdout) }),
    });
    print(replayJson(replayed.report, { branch, results }), options.json ?? false, () =>
      outcomesText(results),
    );
    if (results.some(({ reward }) => reward === null)) process.exitCode = 1;
  });
}

async function reportFirstWrong(
  history: EpisodeHistory,
  task: Task,
  options: ReplayCommandOptions,
): Promise<void> {
  await withReadyNode(async ({ node, signal }) => {
    const found = await findFirstWrong({
      ...{ node, history, task, signal, writeReport, folder: nameReplayFolder(history, options) },
      ...(options.json
        ? {}
        : { onTried: (step) => void process.stdout.write(`${escapeControls(triedText(step))}\n`) }),
    });
    print(found, options.json ?? false, () => firstWrongText(found));
  });
}

function playToStep(
  { node, signal }: CommandContext,
  history: EpisodeHistory,
  task: Task,
  { to = history.steps.at(-1)?.step ?? 0, checkpoints, json }: ReplayCommandOptions,
  keep: boolean,
): Promise<Replayed> {
  return replay({
    ...{ node, history, task, to, checkpoints, keep, signal },
    ...(json
      ? {}
      : { onStep: (step) => void process.stdout.write(`${escapeControls(replayedText(step))}\n`) }),
  });
}

function nameReplayFolder({ start }: EpisodeHistory, { out }: ReplayCommandOptions): string {
  return join(out, formatStartTime(), `replay-${start.session.slice(0, 8)}`);
}

function outcomesText(results: readonly EpisodeResult[]): string {
  const solved = results.filter(({ reward }) => reward === 1).length;
  return `${summarizeEpisodes(results)}\n${solved} of ${results.length} scored 1`;
}

/** A state that was reached again, and how it compares. */
export function replayedText({ step, by, actions, notes, differences, notCompared }: ReplayedStep): string {
  const what = {
    start: 'the initial state of the task',
    checkpoint: `the checkpoint after step ${step}`,
    agent: `${step}. ${actions.join(' ; ') || 'nothing to play'}`,
    people: `people: ${actions.join(' ; ') || 'nothing to play'}`,
  }[by];
  const apart = differences.map(formatDifference);
  const missing = notCompared.length === 0 ? [] : [`not compared: ${notCompared.join(', ')}`];
  const verdict = apart.length === 0 ? ['as recorded'] : ['apart', ...apart];
  return [`  ${what}`, `     ${[...verdict, ...missing, ...notes].join('; ')}`].join('\n');
}

/** How far the replay got. */
export function replayEndText({ to, reached, stopped, steps, end, notes }: ReplayReport): string {
  const ends = {
    same: `Step ${to} is reached: screen, editor and files are as recorded.`,
    'not-compared': `Step ${to} is reached. It is as recorded as far as it could be compared, which was not everything.`,
    apart:
      stopped === null
        ? `Step ${to} is reached, and its state is not the recorded one.`
        : `Step ${to} is not reached. Stopped after step ${reached}: ${stopped}.`,
  };
  const others = steps.slice(0, -1).filter(({ differences }) => differences.length > 0);
  const onTheWay = [...new Set(others.map(({ step }) => step))].join(', ');
  return [
    ...notes,
    ends[end],
    ...(onTheWay === '' ? [] : [`On the way these states differed: ${onTheWay}.`]),
  ].join('\n');
}

/** Commands for a person to use the sandbox. */
function sandboxText(id: string): string {
  const commands = [
    `${id} is left running`,
    `  pwp pair ${id}`,
    `  pwp step ${id} 'xdotool key F1'`,
    `  pwp mcp --sandbox ${id}`,
    `  pwp down ${id}`,
  ];
  return withProgramName(commands.join('\n'));
}

function replayJson(report: ReplayReport, more: object): object {
  return { ...report, ...more };
}

function triedText({ step, state, solvedBy, rewards }: TriedStep): string {
  const tried = Object.entries(rewards).map(([name, reward]) => `${name} ${reward ?? 'no score'}`);
  const where =
    state === 'same' ? '' : state === 'apart' ? ' (not the recorded state)' : ' (state not compared)';
  return `  from step ${step}${where}: ${solvedBy === null ? 'no solution succeeds' : `${solvedBy} succeeds`} (${tried.join(', ')})`;
}

function firstWrongText({ step, why }: FirstWrong): string {
  return step === null ? `No first wrong step: ${why}.` : `First wrong step: ${step}. ${why}.`;
}
