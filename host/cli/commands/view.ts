import type { Command } from 'commander';
import { raceSignal } from '../../../bridge/lib/index.ts';
import { openServer } from '../../serve/index.ts';
import { LiveStates, viewRoutes } from '../../view/index.ts';
import { interruptSignal } from '../context.ts';
import { LiveOpener } from '../live-state.ts';
import { allowHostOption, port, type AllowHostOption } from '../options.ts';
import { print } from '../output.ts';
import { asTyped } from '../program-name.ts';

interface Options extends AllowHostOption {
  readonly task?: string[];
  readonly port: number;
  readonly json?: true;
}

const examples = `
Examples:
  pwp view studies/first
  PWP_TOKEN=… pwp view studies --port 8123
    links stay valid when it is started again`;

export function addView(program: Command): void {
  program
    .command('view')
    .description('look at studies and records in a browser on this machine, also while they run')
    .argument('[folder]', 'a study, a record, or a folder that contains some', '.')
    .option(
      '-t, --task <folder...>',
      "folders of tasks whose steps are opened live; default: the project's own tasks",
    )
    .option('--port <n>', 'port on 127.0.0.1; 0 for a free one', port, 0)
    .addOption(allowHostOption())
    .option('--json', 'print the address as JSON')
    .addHelpText('after', asTyped(examples))
    .action(view);
}

async function view(folder: string, options: Options): Promise<void> {
  const signal = interruptSignal();
  await using opener = new LiveOpener(options.task, signal);
  await using live = new LiveStates(opener.open);
  const routes = await viewRoutes(folder, live);
  await using server = await openServer(routes, options.port, {
    token: process.env.PWP_TOKEN,
    allowHosts: options.allowHost,
  });
  const { url } = server;
  print({ folder, url }, options.json ?? false, () => url);
  await raceSignal(new Promise<never>(() => undefined), signal).catch(() => undefined);
}
