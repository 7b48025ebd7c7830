import type { Command } from 'commander';
import { raceSignal } from '../../../bridge/lib/index.ts';
import { openServer, watchRoutes } from '../../serve/index.ts';
import { withNodeOf } from '../context.ts';
import { hasEnded } from '../has-ended.ts';
import { print } from '../output.ts';
import { allowHostOption, port, type AllowHostOption } from '../options.ts';

interface Options extends AllowHostOption {
  readonly port: number;
  readonly json?: true;
}

export function addWatch(program: Command): void {
  program
    .command('watch')
    .description('show the screen of a running sandbox live in a browser on this machine')
    .argument('<sandbox>', 'id of a running sandbox')
    .option('--port <n>', 'port on 127.0.0.1; 0 for a free one', port, 0)
    .addOption(allowHostOption())
    .option('--json', 'print the address as JSON')
    .action(watch);
}

async function watch(id: string, options: Options): Promise<void> {
  await withNodeOf(id, async ({ node, signal }) => {
    await using sandbox = await node.open(id, { signal });
    const open = () => Promise.resolve(sandbox);
    const routes = watchRoutes({ title: id, open, hasEnded: () => hasEnded(node, id) });
    await using server = await openServer(routes, options.port, { allowHosts: options.allowHost });
    print({ id, url: server.url }, options.json ?? false, () => server.url);
    const forever = new Promise<never>(() => undefined);
    await raceSignal(forever, signal).catch(() => undefined);
  });
}
