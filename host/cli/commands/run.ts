import { join } from 'node:path';
import { Option, type Command } from 'commander';
import {
  agentNames,
  chooseAgent,
  runEpisode,
  suppressedAction,
  type AgentChoice,
  type EpisodeResult,
  type Suppress,
  stepLimitOf,
} from '../../agents/index.ts';
import { requirePrice } from '../../models/index.ts';
import { chooseTasks } from '../../datasets/index.ts';
import { withVariants } from '../../grade/index.ts';
import type { Task } from '../../tasks/index.ts';
import { withReadyNode, type Context } from '../context.ts';
import { warnOfLacking } from '../lacking.ts';
import { addModelOptions, agentChoice, type ModelOptions } from '../model-options.ts';
import { narrate } from '../narrate.ts';
import {
  allowHostOption,
  checkpointEveryHelp,
  coldOption,
  count,
  audioOption,
  ownDisplayOf,
  ownDisplayOption,
  dollars,
  port,
  seedOption,
  suppressHelp,
  suppressOption,
  taskHelp,
  type ColdOption,
  type OwnDisplayOption,
  type SeedOption,
  addStepsOption,
  type StepsOption,
} from '../options.ts';
import { print } from '../output.ts';
import { table } from '../table.ts';
import { addSelectionOptions, type SelectionOptions } from '../selection-options.ts';
import { checkServed, servedAgent } from '../served-agent.ts';
import { writeReport } from '../../report/index.ts';

interface Options
  extends StepsOption, OwnDisplayOption, ColdOption, SeedOption, ModelOptions, SelectionOptions {
  readonly task: string[];
  readonly agent?: string;
  readonly model?: string;
  readonly serve?: true;
  readonly port: number;
  readonly allowHost?: readonly string[];
  readonly attempts: number;
  readonly maxTokens?: number;
  readonly maxCost?: number;
  readonly suppress?: Suppress;
  readonly checkpointEvery?: number;
  readonly out: string;
  readonly video?: true;
  readonly json?: true;
}

export function addRun(program: Command): void {
  const command = program
    .command('run')
    .description('run an agent on tasks, grade and record each episode')
    .requiredOption('-t, --task <task...>', taskHelp)
    .addOption(
      new Option(
        '-a, --agent <name>',
        `the agent to run: ${agentNames.join(', ')}, or a command, as in exec:./mine; default: oracle-gui, with --serve assisted`,
      ),
    )
    .option('--serve', 'wait for a client of the Model Context Protocol, which is the agent of one episode')
    .option('--port <n>', 'port on 127.0.0.1 for --serve; 0 for a free one', port, 0)
    .addOption(allowHostOption())
    .option('-k, --attempts <n>', 'number of episodes of each task', count, 1)
    .option('--max-tokens <n>', 'maximum tokens of the model, input plus output', count)
    .option('--max-cost <usd>', 'maximum cost of the model, if its price is known', dollars)
    .addOption(ownDisplayOption())
    .addOption(audioOption())
    .addOption(coldOption())
    .addOption(seedOption())
    .option('--suppress <n|random>', suppressHelp, suppressOption)
    .option('--checkpoint-every <n>', checkpointEveryHelp, count)
    .option('--out <folder>', 'folder for the records', 'runs')
    .option('--video', 'record a video of each episode, video.mkv in its record; needs ffmpeg')
    .option('--json', 'print as JSON');
  addStepsOption(command, 'an episode', '20; a solution is played whole');
  addSelectionOptions(addModelOptions(command)).action(run);
}

async function run(options: Options): Promise<void> {
  const found = await chooseTasks({ ...options, names: options.task });
  const { tasks: named } = found;
  warnOfLacking(found);
  const { serve = false, agent: name = serve ? 'assisted' : 'oracle-gui' } = options;
  const asked = { ...options, agent: name };
  if (serve) checkServed(asked, named.length * options.attempts);
  await using ending = new AsyncDisposableStack();
  const chosen = serve ? undefined : await agentChoice(name, options);
  if (chosen?.model) {
    ending.use(chosen.model);
    if (options.maxCost !== undefined) requirePrice(chosen.model);
  }
  await withReadyNode(async (context) => {
    const agent = chosen ?? (await servedAgent(asked, ending, context.signal));
    const tasks = await withVariants(named, context);
    const results: EpisodeResult[] = [];
    for (const task of tasks) {
      for (let attempt = 1; attempt <= options.attempts; attempt++) {
        results.push(await runOne(context, task, agent, attempt, options));
      }
    }
    print(results, options.json ?? false, () => summary(results));
    if (results.some(({ reward, end }) => reward === null || end === 'agent-failed')) process.exitCode = 1;
  });
}

async function runOne(
  { node, signal }: Context,
  task: Task,
  agent: AgentChoice,
  attempt: number,
  options: Options,
): Promise<EpisodeResult> {
  const name = [task.id, agent.name, attempt].join('-').replaceAll(/[^\w.-]+/g, '-');
  const folder = join(options.out, stamp(), name);
  const { suppress } = options;
  return runEpisode({
    node,
    task,
    agent: await chooseAgent(agent, task),
    folder,
    ...ownDisplayOf(options, task.config.pwp.display),
    stepLimit: stepLimitOf(agent.name, options.maxSteps),
    ...(options.maxTokens !== undefined && { tokenLimit: options.maxTokens }),
    ...(options.maxCost !== undefined && { costLimit: options.maxCost }),
    ...(suppress !== undefined && { suppress: suppressedAction(suppress, folder) }),
    checkpointEvery: options.checkpointEvery,
    video: options.video ?? false,
    cold: options.cold ?? false,
    writeReport,
    signal,
    ...(options.json ? {} : { onEvent: narrate(process.stdout) }),
  });
}

/** A name for the folder of one run; names sort by time. */
const started = new Date();
export function stamp(): string {
  return started.toISOString().replaceAll(/[:.]/g, '-');
}

export function summary(results: readonly EpisodeResult[]): string {
  const rows = results.map(({ task, agent, reward, rewardTrustworthy, end, steps, report }) => [
    task,
    agent,
    rewardTrustworthy === false ? `${reward} (suspect)` : (reward ?? 'none'),
    end,
    steps,
    report ?? 'none',
  ]);
  const failures = results.flatMap(({ task, end, error }) =>
    error === null ? [] : [`${task}: ${end}: ${error}`],
  );
  const doubts = results.flatMap(({ task, doubts: why }) => why.map((line) => `${task}: suspect: ${line}`));
  const notes = results.flatMap(({ task, trust }) => (trust === null ? [] : [`${task}: trust: ${trust}`]));
  return [
    table([['TASK', 'AGENT', 'SCORE', 'END', 'STEPS', 'REPORT'], ...rows]),
    ...failures,
    ...doubts,
    ...notes,
  ].join('\n');
}
