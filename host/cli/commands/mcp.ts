import type { Command } from 'commander';
import { chooseServedTools, serveStdio } from '../../serve/index.ts';
import { withSharedIde, type SharedIdeOptions } from '../shared-ide.ts';
import { toolOptions, sharedIdeOptions, type ToolOptions } from '../serving.ts';
import { takeStdout } from '../stdout.ts';

export function addMcp(program: Command): void {
  const command = program
    .command('mcp')
    .description('serve an IDE to one client of the Model Context Protocol, over standard input and output')
    .argument('[folder]', 'folder to copy into the workspace of a new IDE; or use --sandbox');
  toolOptions(sharedIdeOptions(command)).action(mcp);
}

async function mcp(folder: string | undefined, options: SharedIdeOptions & ToolOptions): Promise<void> {
  // A client that died has closed this, too: nobody reads it, and the sandbox has yet to be ended.
  process.stderr.on('error', () => undefined);
  const pipe = { input: process.stdin, output: takeStdout() };
  const tools = chooseServedTools(options);
  await withSharedIde(folder, options, (ide, signal) => serveStdio(ide, tools, pipe, signal));
}
