import type { Command } from 'commander';
import { pause } from '../../../bridge/lib/index.ts';
import type { Node, SandboxInfo } from '../../node/index.ts';
import { stopAndForget } from '../changes.ts';
import { withNode, withNodeOf, type Context } from '../context.ts';
import { print } from '../output.ts';
import { table } from '../table.ts';

interface Options {
  readonly json?: true;
}

export function addSandboxes(program: Command): void {
  const sandboxes = program.command('sandboxes').description('list, stop and sweep sandboxes');
  sandboxes
    .command('list', { isDefault: true })
    .description('list all sandboxes of this machine')
    .option('--json', 'print as JSON')
    .action((options: Options) => withNode(async ({ node }) => show(await measured(node), options)));
  sandboxes
    .command('stop')
    .description('stop sandboxes; with --all, every one')
    .argument('[sandbox...]', 'ids of sandboxes')
    .option('--all', 'stop every sandbox of this machine')
    .option('--json', 'print as JSON')
    .action(stop);
  sandboxes
    .command('sweep')
    .description('remove what the sandboxes of ended processes left behind')
    .option('--json', 'print as JSON')
    .action((options: Options) =>
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

async function stop(ids: string[], { all, json }: Options & { readonly all?: true }): Promise<void> {
  if (all) ids = await withNode(stopAll);
  else for (const id of ids) await withNodeOf(id, ({ node }) => stopAndForget(node, id));
  if (json)
    print(
      ids.map((id) => ({ id })),
      true,
      String,
    );
}

async function stopAll({ node }: Context): Promise<string[]> {
  const ids = (await node.list()).map(({ id }) => id);
  for (const id of ids) await stopAndForget(node, id);
  return ids;
}

/** A sandbox with the share of one core that it takes now, in percent; null when it does not run. */
interface Measured extends SandboxInfo {
  readonly cpuPercent: number | null;
}

/** Time over which processor time is measured, in milliseconds. */
const spanMs = 500;

async function measured(node: Node): Promise<Measured[]> {
  const first = await node.list();
  const start = performance.now();
  if (first.length > 0) await pause(spanMs);
  const second = await node.list();
  const ms = performance.now() - start;
  const before = new Map(first.map(({ id, usage }) => [id, usage]));
  return second.map((info) => {
    const [from, to] = [before.get(info.id)?.cpuMs, info.usage?.cpuMs];
    const known = from !== undefined && to !== undefined;
    return { ...info, cpuPercent: known ? Math.round((100 * (to - from)) / ms) : null };
  });
}

function show(list: readonly Measured[], options: Options): void {
  print(list, options.json ?? false, () => {
    if (list.length === 0) return 'no sandboxes';
    const rows = list.map(({ id, role, state, keep, owner, startedAt, usage, cpuPercent }) => {
      const holder = keep ? 'kept' : `process ${owner.pid}${owner.alive ? '' : ' (gone)'}`;
      const memory = usage ? `${mib(usage.memoryBytes)} of ${mib(usage.memoryLimitBytes)} MiB` : '-';
      const cpu = cpuPercent === null ? '-' : `${cpuPercent} %`;
      return [id, role, state, memory, cpu, holder, startedAt];
    });
    return table([['SANDBOX', 'ROLE', 'STATE', 'MEMORY', 'CPU', 'OWNER', 'STARTED'], ...rows]);
  });
}

function mib(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}
