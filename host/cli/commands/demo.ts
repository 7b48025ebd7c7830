import { join } from 'node:path';
import type { Command } from 'commander';
import { chooseAgent, runEpisode, type EpisodeResult } from '../../agents/index.ts';
import { packagedTasks } from '../../lib/index.ts';
import { loadTask } from '../../tasks/index.ts';
import { withReadyNode } from '../context.ts';
import { narrate } from '../narrate.ts';
import { coldOption, type ColdOption } from '../options.ts';
import { print } from '../output.ts';
import { stamp, summary } from './run.ts';
import { writeReport } from '../../report/index.ts';

/** One small setting and one edit: both solved by mouse and keyboard alone. */
const demoTasks = ['vscode/autosave-500', 'vscode/swap-text-test'] as const;

interface Options extends ColdOption {
  readonly out: string;
  readonly video?: boolean;
  readonly json?: boolean;
}

export function addDemo(program: Command): void {
  program
    .command('demo')
    .description('watch two tasks being solved by mouse and keyboard, graded and reported')
    .addOption(coldOption())
    .option('--out <folder>', 'folder for the records', 'runs')
    .option('--video', 'record a video of each episode, video.mkv in its record; needs ffmpeg')
    .option('--json', 'print the results as JSON')
    .action(demo);
}

async function demo({ out, video = false, cold = false, json = false }: Options): Promise<void> {
  await withReadyNode(async ({ node, signal }) => {
    const results: EpisodeResult[] = [];
    for (const id of demoTasks) {
      const task = await loadTask(join(packagedTasks(), id));
      const agent = await chooseAgent({ name: 'oracle-gui' }, task);
      const folder = join(out, `demo-${stamp()}`, id.replaceAll('/', '-'));
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
          ...(json ? {} : { onEvent: narrate(process.stdout) }),
        }),
      );
    }
    print(results, json, () => `\n${summary(results)}`);
    if (results.some(({ reward }) => reward !== 1)) process.exitCode = 1;
  });
}
