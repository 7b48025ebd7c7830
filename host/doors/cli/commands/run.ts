import { join } from 'node:path';
import type { Command } from 'commander';
import { packagedTasksFolder } from '../../../lib/index.ts';
import { defaultDisplay } from '../../../node/index.ts';
import { writeReport } from '../../report/index.ts';
import {
  agentSettings,
  attemptSettings,
  chooseAgent,
  type EpisodeResult,
  limitSettings,
  type OpenedAgent,
  requirePrice,
  runConfig,
  runEpisode,
  taskSettings,
} from '../../../run/index.ts';
import { chooseTasks, loadTask, type Task, withVariants } from '../../../tasks/index.ts';
import { type CommandContext, withReadyNode } from '../context.ts';
import { checkServedAgent, openAgentFromOptions, waitForServedAgent } from '../open-agents.ts';
import { allowHostOption, parseCount, parsePort } from '../options.ts';
import { print } from '../output.ts';
import { narrateEpisode, warnOfLeftOutRecords } from '../progress.ts';
import { addSettings, givenSettings, type GivenSettings } from '../setting-options.ts';
import { formatTable } from '../tables.ts';

interface RunCommandOptions
  extends
    GivenSettings<typeof taskSettings.shape>,
    GivenSettings<typeof agentSettings.shape>,
    GivenSettings<typeof limitSettings.shape>,
    GivenSettings<typeof attemptSettings.shape> {
  readonly task: string[];
  readonly serve?: true;
  readonly port: number;
  readonly allowHost?: readonly string[];
  readonly attempts: number;
  readonly checkpointEvery?: number;
  readonly out: string;
  readonly json?: true;
}

export function addRunCommand(program: Command): void {
  const command = program
    .command('run')
    .description('run an agent on tasks, grade and record each episode')
    .option('--serve', 'wait for a client of the Model Context Protocol, which is the agent of one episode')
    .option('--port <n>', 'port on 127.0.0.1 for --serve; 0 for a free one', parsePort, 0)
    .addOption(allowHostOption())
    .option('-k, --attempts <n>', 'number of episodes of each task', parseCount, 1)
    .option('--out <folder>', 'folder for the records', 'runs')
    .option('--json', 'print as JSON');
  addSettings(command, taskSettings.shape, { required: ['tasks'] });
  addSettings(command, agentSettings.shape);
  addSettings(command, limitSettings.shape);
  addSettings(command, attemptSettings.shape, { except: ['suppress'] });
  addSettings(command, runConfig.shape, { only: ['checkpointEvery'] }).action(runTasks);
}

async function runTasks(options: RunCommandOptions): Promise<void> {
  const found = await chooseTasks({ ...options, names: options.task });
  const { tasks: named } = found;
  warnOfLeftOutRecords(found);
  const { serve = false, agent: name = serve ? 'assisted' : 'oracle-gui' } = options;
  const asked = { ...options, agent: name };
  if (serve) checkServedAgent(asked, named.length * options.attempts);
  await using ending = new AsyncDisposableStack();
  const chosen = serve ? undefined : await openAgentFromOptions(name, options);
  if (chosen?.model) {
    ending.use(chosen.model);
    if (options.maxCost !== undefined) requirePrice(chosen.model);
  }
  await withReadyNode(async (context) => {
    const agent = chosen ?? (await waitForServedAgent(asked, ending, context.signal));
    const tasks = await withVariants(named, context);
    const results: EpisodeResult[] = [];
    for (const task of tasks) {
      for (let attempt = 1; attempt <= options.attempts; attempt++) {
        results.push(await runAttempt(context, task, agent, attempt, options));
      }
    }
    print(results, options.json ?? false, () => summarizeEpisodes(results));
    if (results.some(({ reward, end }) => reward === null || end === 'agent-failed')) process.exitCode = 1;
  });
}

async function runAttempt(
  { node, signal }: CommandContext,
  task: Task,
  agent: OpenedAgent,
  attempt: number,
  options: RunCommandOptions,
): Promise<EpisodeResult> {
  const name = [task.id, agent.name, attempt].join('-').replaceAll(/[^\w.-]+/g, '-');
  const folder = join(options.out, formatStartTime(), name);
  return runEpisode({
    node,
    task,
    agent: await chooseAgent(agent, task),
    folder,
    ...givenSettings(options, limitSettings.shape),
    display: {
      ...(options.display ?? task.config.pwp.display ?? defaultDisplay),
      ...givenSettings(options, { audio: attemptSettings.shape.audio }),
    },
    checkpointEvery: options.checkpointEvery,
    video: options.video ?? false,
    cold: options.cold ?? false,
    writeReport,
    signal,
    ...(options.json ? {} : { onEvent: narrateEpisode(process.stdout) }),
  });
}

/** A name for the folder of one run; names sort by time. */
const programStart = new Date();
export function formatStartTime(): string {
  return programStart.toISOString().replaceAll(/[:.]/g, '-');
}

export function summarizeEpisodes(results: readonly EpisodeResult[]): string {
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
    formatTable([['TASK', 'AGENT', 'SCORE', 'END', 'STEPS', 'REPORT'], ...rows]),
    ...failures,
    ...doubts,
    ...notes,
  ].join('\n');
}

/** One small setting and one edit: both solved by mouse and keyboard alone. */
const demoTasks = ['vscode/autosave-500', 'vscode/swap-text-test'] as const;

interface DemoOptions {
  readonly cold?: boolean;
  readonly out: string;
  readonly video?: boolean;
  readonly json?: boolean;
}

export function addDemoCommand(program: Command): void {
  const command = program
    .command('demo')
    .description('watch two tasks being solved by mouse and keyboard, graded and reported')
    .option('--out <folder>', 'folder for the records', 'runs')
    .option('--json', 'print the results as JSON')
    .action(runDemo);
  addSettings(command, attemptSettings.shape, { only: ['cold', 'video'] });
}

async function runDemo({ out, video = false, cold = false, json = false }: DemoOptions): Promise<void> {
  await withReadyNode(async ({ node, signal }) => {
    const results: EpisodeResult[] = [];
    for (const id of demoTasks) {
      const task = await loadTask(join(packagedTasksFolder(), id));
      const agent = await chooseAgent({ agent: 'oracle-gui' }, task);
      const folder = join(out, `demo-${formatStartTime()}`, id.replaceAll('/', '-'));
      results.push(
        await runEpisode({
          node,
          task,
          agent,
          folder,
          video,
          cold,
          writeReport,
          signal,
          ...(json ? {} : { onEvent: narrateEpisode(process.stdout) }),
        }),
      );
    }
    print(results, json, () => `\n${summarizeEpisodes(results)}`);
    if (results.some(({ reward }) => reward !== 1)) process.exitCode = 1;
  });
}
