import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { agent } from '../../../bridge/protocol/index.ts';
import { startOnFolder } from '../../env/index.ts';
import { defaultLimits, sandboxName } from '../../node/index.ts';
import { withReadyNode } from '../context.ts';
import { beginOrigin, copySeed, folderOptions, planCopy, type FolderOptions } from '../copied-folder.ts';
import { audioOption, displayOf, displayOption, type DisplayOption } from '../options.ts';
import { print } from '../output.ts';
import { asTyped } from '../program-name.ts';

interface Options extends DisplayOption, FolderOptions {
  /** False: the view *Agent* stays hidden. */
  readonly agentView: boolean;
  readonly json?: true;
}

export function addUp(program: Command): void {
  const command = program
    .command('up')
    .description('start an IDE on a copy of a folder and leave it running')
    .argument('<folder>', 'folder to copy into the workspace')
    .addOption(displayOption())
    .addOption(audioOption())
    .option('--no-agent-view', 'hide the view that shows the steps')
    .option('--json', 'print the sandbox as JSON');
  folderOptions(command).action((folder: string, options: Options) => up(resolve(folder), options));
}

async function up(folder: string, options: Options): Promise<void> {
  const plan = await planCopy(folder, options);
  await withReadyNode(async ({ node, signal }) => {
    const start = performance.now();
    await using draft = await beginOrigin(plan, options);
    const { sandbox, notes } = await startOnFolder(
      node,
      {
        name: sandboxName(basename(folder)),
        role: 'ide',
        seeds: [copySeed(plan, draft)],
        keep: true,
        display: displayOf(options),
        limits: defaultLimits,
      },
      { signal },
    );
    for (const note of notes) process.stderr.write(`${note}\n`);
    try {
      await draft.commit(sandbox.id);
      if (options.agentView) await sandbox.call(agent.show, { shown: true }, { signal });
    } catch (error) {
      await sandbox.stop();
      throw error;
    }
    const startMs = Math.round(performance.now() - start);
    const { leftOut } = plan;
    print({ id: sandbox.id, startMs, leftOut }, options.json ?? false, () => hint(sandbox.id, startMs));
  });
}

function hint(id: string, startMs: number): string {
  const commands = [
    `${id} is ready after ${(startMs / 1000).toFixed(1)} s`,
    `  pwp step ${id} 'xdotool key F1'`,
    `  pwp observe ${id} --screenshot screen.png --marks marks.png`,
    `  pwp inspect ${id}`,
    `  pwp watch ${id}`,
    `  pwp diff ${id}`,
    `  pwp pull ${id}`,
    `  pwp down ${id}`,
  ];
  return asTyped(commands.join('\n'));
}
