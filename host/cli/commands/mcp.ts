import type { Command } from 'commander';
import { chooseOffers, serveStdio } from '../../serve/index.ts';
import { withDesk, type DeskOptions } from '../desk.ts';
import { toolOptions, deskOptions, type ToolOptions } from '../serving.ts';
import { takeStdout } from '../stdout.ts';

export function addMcp(program: Command): void {
  const command = program
    .command('mcp')
    .description('serve an IDE to one client of the Model Context Protocol, over standard input and output')
    .argument('[folder]', 'folder to copy into the workspace of a new IDE; or give --sandbox');
  toolOptions(deskOptions(command)).action(mcp);
}

async function mcp(folder: string | undefined, options: DeskOptions & ToolOptions): Promise<void> {
  // A client that died has closed this, too: nobody reads it, and the sandbox has yet to be ended.
  process.stderr.on('error', () => undefined);
  const pipe = { input: process.stdin, output: takeStdout() };
  const offers = chooseOffers(options);
  await withDesk(folder, options, (desk, signal) => serveStdio(desk, offers, pipe, signal));
}
