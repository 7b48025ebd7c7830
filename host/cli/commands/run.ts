import { join } from 'node:path';
import { Option, type Command } from 'commander';
import {
  agentNames,
  chooseAgent,
  runEpisode,
  type AgentChoice,
  type EpisodeResult,
} from '../../agents/index.ts';
import { findTasks, type Task } from '../../tasks/index.ts';
import { withReadyNode, type Context } from '../context.ts';
import { addModelOptions, agentChoice, type ModelOptions } from '../model-options.ts';
import { narrate } from '../narrate.ts';
import {
  coldOption,
  count,
  displayOption,
  dollars,
  seedOption,
  type ColdOption,
  type DisplayOption,
  type SeedOption,
} from '../options.ts';
import { print, table } from '../output.ts';

interface Options extends DisplayOption, ColdOption, SeedOption, ModelOptions {
  readonly task: string[];
  readonly agent: string;
  readonly model?: string;
  readonly attempts: number;
  readonly limit: number;
  readonly maxTokens?: number;
  readonly maxCost?: number;
  readonly out: string;
  readonly video?: true;
  readonly json?: true;
}

export function addRun(program: Command): void {
  const command = program
    .command('run')
    .description('run an agent on tasks, grade and record each episode')
    .requiredOption('-t, --task <folder...>', 'task folders, or folders that contain them')
    .addOption(
      new Option(
        '-a, --agent <name>',
        `the agent to run: ${agentNames.join(', ')}, or a command, as in exec:./mine`,
      ).default('oracle-gui'),
    )
    .option('-k, --attempts <n>', 'number of episodes of each task', count, 1)
    .option('-l, --limit <n>', 'maximum number of steps of an episode', count, 100)
    .option('--max-tokens <n>', 'maximum number of tokens that the model takes in and puts out', count)
    .option('--max-cost <usd>', 'maximum cost of the model, if its price is known', dollars)
    .addOption(displayOption())
    .addOption(coldOption())
    .addOption(seedOption())
    .option('--out <folder>', 'folder for the records', 'runs')
    .option('--video', 'record a video of each episode, video.mkv in its record; needs ffmpeg')
    .option('--json', 'print as JSON');
  addModelOptions(command).action(run);
}

async function run(options: Options): Promise<void> {
  const tasks = await findTasks(options.task, { seed: options.seed });
  await using ending = new AsyncDisposableStack();
  const agent = await agentChoice(options.agent, options);
  if (agent.model) ending.use(agent.model);
  await withReadyNode(async (context) => {
    const results: EpisodeResult[] = [];
    for (const task of tasks) {
      for (let attempt = 1; attempt <= options.attempts; attempt++) {
        results.push(await runOne(context, task, agent, attempt, options));
      }
    }
    print(results, options.json ?? false, () => summary(results));
    if (results.some(({ reward }) => reward === null)) process.exitCode = 1;
  });
}

async function runOne(
  { node, signal }: Context,
  task: Task,
  agent: AgentChoice,
  attempt: number,
  options: Options,
): Promise<EpisodeResult> {
  return runEpisode({
    node,
    task,
    agent: await chooseAgent(agent, task),
    folder: join(
      options.out,
      stamp(),
      [task.id, options.agent, attempt].join('-').replaceAll(/[^\w.-]+/g, '-'),
    ),
    display: options.display,
    stepLimit: options.limit,
    ...(options.maxTokens !== undefined && { tokenLimit: options.maxTokens }),
    ...(options.maxCost !== undefined && { costLimit: options.maxCost }),
    video: options.video ?? false,
    cold: options.cold ?? false,
    signal,
    ...(options.json ? {} : { onEvent: narrate(process.stdout) }),
  });
}

/** One folder a run, sortable by time. */
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
    report,
  ]);
  const doubts = results.flatMap(({ task, doubts: why }) => why.map((line) => `${task}: suspect: ${line}`));
  return [table([['TASK', 'AGENT', 'SCORE', 'END', 'STEPS', 'REPORT'], ...rows]), ...doubts].join('\n');
}
