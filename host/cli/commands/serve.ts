import type { Command } from 'commander';
import { PwpError, raceSignal } from '../../../bridge/lib/index.ts';
import { McpSessions, chooseServedTools, inspectRoutes, openServer, type Server } from '../../serve/index.ts';
import { withSharedIde, type SharedIdeOptions } from '../shared-ide.ts';
import { print } from '../output.ts';
import { allowHostOption, port, type AllowHostOption } from '../options.ts';
import { clientConfig, sharedIdeOptions, toolOptions, type ToolOptions } from '../serving.ts';

interface Options extends SharedIdeOptions, ToolOptions, AllowHostOption {
  readonly mcp?: true;
  readonly port: number;
  readonly json?: true;
}

export function addServe(program: Command): void {
  const command = program
    .command('serve')
    .description('serve an IDE to programs on this machine, over HTTP; set PWP_TOKEN to choose the token')
    .argument('[folder]', 'folder to copy into the workspace of a new IDE; or use --sandbox')
    .option('--mcp', 'serve the Model Context Protocol to any number of clients')
    .option('--port <n>', 'port on 127.0.0.1; 0 for a free one', port, 0)
    .addOption(allowHostOption())
    .option('--json', 'print the addresses and the token as JSON');
  toolOptions(sharedIdeOptions(command)).action(serve);
}

async function serve(folder: string | undefined, options: Options): Promise<void> {
  if (!options.mcp) throw new PwpError('usage', 'serve: expected --mcp');
  const tools = chooseServedTools(options);
  await withSharedIde(folder, options, async (ide, signal, ended) => {
    await using sessions = new McpSessions(ide, tools);
    const watched = inspectRoutes({
      title: 'pwp serve',
      open: (within) => ide.sandbox(within),
      hasEnded: ended,
    });
    const routes = { ...watched, ...sessions.routes };
    await using server = await openServer(routes, options.port, {
      token: process.env.PWP_TOKEN,
      allowHosts: options.allowHost,
    });
    const { origin, token, url } = server;
    print({ url, mcp: `${origin}/mcp`, token }, options.json ?? false, () => hint(server));
    await raceSignal(new Promise<never>(() => undefined), signal).catch(() => undefined);
  });
}

/** The configuration for clients, and the address for people. */
function hint(server: Server): string {
  return `${clientConfig(server)}\nto watch: ${server.url}`;
}
