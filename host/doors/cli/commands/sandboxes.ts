import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { pause } from '../../../../bridge/lib/index.ts';
import { agent } from '../../../../bridge/protocol/index.ts';
import { Session } from '../../../ide/index.ts';
import { defaultLimits, type Node, type SandboxInfo, toSandboxName } from '../../../node/index.ts';
import { startOnFolder } from '../../../run/index.ts';
import { type CommandContext, withNode, withNodeHolding, withReadyNode } from '../context.ts';
import {
  addFolderOptions,
  beginOrigin,
  copySeed,
  type FolderOptions,
  planCopy,
  stopAndForget,
} from '../copied-folder.ts';
import { audioOption, displayOption, type DisplayOption, readDisplay } from '../options.ts';
import { print, printJson, withProgramName } from '../output.ts';
import { formatTable } from '../tables.ts';

interface UpOptions extends DisplayOption, FolderOptions {
  /** False: the view *Agent* stays hidden. */
  readonly agentView: boolean;
  readonly json?: true;
}

export function addUpCommand(program: Command): void {
  const command = program
    .command('up')
    .description('start an IDE on a copy of a folder and leave it running')
    .argument('<folder>', 'folder to copy into the workspace')
    .addOption(displayOption())
    .addOption(audioOption())
    .option('--no-agent-view', 'hide the view that shows the steps')
    .option('--json', 'print the sandbox as JSON');
  addFolderOptions(command).action((folder: string, options: UpOptions) =>
    startSandbox(resolve(folder), options),
  );
}

async function startSandbox(folder: string, options: UpOptions): Promise<void> {
  const plan = await planCopy(folder, options);
  await withReadyNode(async ({ node, signal }) => {
    const start = performance.now();
    await using draft = await beginOrigin(plan, options);
    const { sandbox, notes } = await startOnFolder(
      node,
      {
        name: toSandboxName(basename(folder)),
        role: 'ide',
        seeds: [copySeed(plan, draft)],
        keep: true,
        display: readDisplay(options),
        limits: defaultLimits,
        ...(options.image !== undefined && { root: options.image }),
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
    print({ id: sandbox.id, startMs, leftOut }, options.json ?? false, () =>
      startedText(sandbox.id, startMs),
    );
  });
}

function startedText(id: string, startMs: number): string {
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
  return withProgramName(commands.join('\n'));
}

interface DownOptions {
  readonly json?: true;
}

export function addReleaseCommand(program: Command): void {
  program
    .command('release')
    .description('release all keys and mouse buttons that are held down in a running sandbox')
    .argument('<sandbox>', 'id of a running sandbox')
    .option('--json', 'print as JSON')
    .action((id: string, { json = false }: { json?: boolean }) =>
      withNodeHolding(id, async ({ node, signal }) => {
        await using sandbox = await node.open(id, { signal });
        using session = new Session(sandbox);
        await session.release({ signal });
        if (json) printJson({ id });
      }),
    );
}

export function addDownCommand(program: Command): void {
  program
    .command('down')
    .description('stop running sandboxes and remove everything they left')
    .argument('<sandbox...>', 'ids of running sandboxes')
    .option('--json', 'print as JSON')
    .action(stopSandboxes);
}

async function stopSandboxes(ids: string[], { json }: DownOptions): Promise<void> {
  for (const id of ids) await withNodeHolding(id, ({ node }) => stopAndForget(node, id));
  if (json) printJson(ids.map((id) => ({ id })));
}

interface SandboxesOptions {
  readonly json?: true;
}

export function addSandboxesCommand(program: Command): void {
  const sandboxes = program.command('sandboxes').description('list, stop and sweep sandboxes');
  sandboxes
    .command('list', { isDefault: true })
    .description('list all sandboxes of this machine')
    .option('--json', 'print as JSON')
    .action((options: SandboxesOptions) =>
      withNode(async ({ node }) => showSandboxes(await measureSandboxes(node), options)),
    );
  sandboxes
    .command('stop')
    .description('stop sandboxes; with --all, every one')
    .argument('[sandbox...]', 'ids of sandboxes')
    .option('--all', 'stop every sandbox of this machine')
    .option('--json', 'print as JSON')
    .action(stopChosenSandboxes);
  sandboxes
    .command('sweep')
    .description('remove what the sandboxes of ended processes left behind')
    .option('--json', 'print as JSON')
    .action((options: SandboxesOptions) =>
      withNode(async ({ node }) => {
        const report = await node.sweep();
        print(
          report,
          options.json ?? false,
          () => `removed ${report.removed.length}: ${report.removed.join(' ') || 'nothing'}`,
        );
      }),
    );
}

async function stopChosenSandboxes(
  ids: string[],
  { all, json }: SandboxesOptions & { readonly all?: true },
): Promise<void> {
  if (all) ids = await withNode(stopAllSandboxes);
  else for (const id of ids) await withNodeHolding(id, ({ node }) => stopAndForget(node, id));
  if (json) printJson(ids.map((id) => ({ id })));
}

async function stopAllSandboxes({ node }: CommandContext): Promise<string[]> {
  const ids = (await node.list()).map(({ id }) => id);
  for (const id of ids) await stopAndForget(node, id);
  return ids;
}

/** A sandbox with the share of one core that it takes now, in percent; null when it does not run. */
interface MeasuredSandbox extends SandboxInfo {
  readonly cpuPercent: number | null;
}

/** Time over which processor time is measured, in milliseconds. */
const cpuSpanMs = 500;

async function measureSandboxes(node: Node): Promise<MeasuredSandbox[]> {
  const first = await node.list();
  const start = performance.now();
  if (first.length > 0) await pause(cpuSpanMs);
  const second = await node.list();
  const ms = performance.now() - start;
  const before = new Map(first.map(({ id, usage }) => [id, usage]));
  return second.map((info) => {
    const [from, to] = [before.get(info.id)?.cpuMs, info.usage?.cpuMs];
    const known = from !== undefined && to !== undefined;
    return { ...info, cpuPercent: known ? Math.round((100 * (to - from)) / ms) : null };
  });
}

function showSandboxes(list: readonly MeasuredSandbox[], options: SandboxesOptions): void {
  print(list, options.json ?? false, () => {
    if (list.length === 0) return 'no sandboxes';
    const rows = list.map(({ id, role, state, keep, owner, startedAt, usage, cpuPercent }) => {
      const holder = keep ? 'kept' : `process ${owner.pid}${owner.alive ? '' : ' (gone)'}`;
      const memory = usage
        ? `${toMebibytes(usage.memoryBytes)} of ${toMebibytes(usage.memoryLimitBytes)} MiB`
        : '-';
      const cpu = cpuPercent === null ? '-' : `${cpuPercent} %`;
      return [id, role, state, memory, cpu, holder, startedAt];
    });
    return formatTable([['SANDBOX', 'ROLE', 'STATE', 'MEMORY', 'CPU', 'OWNER', 'STARTED'], ...rows]);
  });
}

function toMebibytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}
