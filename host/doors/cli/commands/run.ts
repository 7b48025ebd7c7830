import { join } from 'node:path';
import type { Command } from 'commander';
import { packagedTasksFolder } from '../../../lib/index.ts';
import { agentNames, attemptSettings, checkStudy } from '../../../run/index.ts';
import type { ServedAgentOptions } from '../open-agents.ts';
import { allowHostOption, parsePort } from '../options.ts';
import { formatStartTime } from '../progress.ts';
import { addSettings } from '../setting-options.ts';
import { addStudyOptions, composeStudy, playStudy, type StudyCommandOptions } from '../study-run.ts';

type RunCommandOptions = StudyCommandOptions & ServedAgentOptions;

/** `pwp run` is `pwp eval` with an agent by default, a new folder for each run, and each step on the terminal. */
export function addRunCommand(program: Command): void {
  const command = program
    .command('run')
    .description('run an agent on tasks, show each step, grade and record each attempt')
    .option('--serve', 'wait for a client of the Model Context Protocol, which is the agent of one episode')
    .option('--port <n>', 'port on 127.0.0.1 for --serve; 0 for a free one', parsePort, 0)
    .addOption(allowHostOption());
  addStudyOptions(
    command,
    {
      except: ['suppress'],
      required: ['tasks'],
      help: {
        out: 'folder of the run; one that exists is continued. Default: a new one in runs',
        parallel: 'attempts at a time; default: 1',
      },
    },
    {
      agent: `the agents to run: ${agentNames.join(', ')}, or a command, as in exec:./mine; default: oracle-gui, with --serve assisted`,
    },
  ).action(runTasks);
}

async function runTasks(options: RunCommandOptions): Promise<void> {
  const { agent = [options.serve ? 'assisted' : 'oracle-gui'] } = options;
  const usual = { out: join('runs', formatStartTime()), parallel: 1 };
  const study = await composeStudy(undefined, { ...options, agent }, usual);
  await playStudy(study, options, { narrates: true, served: options.serve && options });
}

/** One small setting and one edit: both solved by mouse and keyboard alone. */
const demoTasks = ['vscode/autosave-500', 'vscode/swap-text-test'] as const;

interface DemoOptions extends Pick<StudyCommandOptions, 'json'> {
  readonly out: string;
  readonly cold?: boolean;
  readonly video?: boolean;
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

async function runDemo({ out, cold, video, json }: DemoOptions): Promise<void> {
  const tasks = demoTasks.map((id) => join(packagedTasksFolder(), id));
  const folder = join(out, `demo-${formatStartTime()}`);
  const set = { tasks, agents: [{ agent: 'oracle-gui' }], out: folder, parallel: 1, cold, video };
  const done = await playStudy(checkStudy(set, 'the demo'), { ...(json && { json }) }, { narrates: true });
  if (done?.results.some(({ reward }) => reward !== 1)) process.exitCode = 1;
}
