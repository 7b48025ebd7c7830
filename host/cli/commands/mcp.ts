import { resolve } from 'node:path';
import type { Command } from 'commander';
import { PwpError } from '../../../bridge/lib/index.ts';
import {
  chooseServedTools,
  chooseWindowTools,
  serveStdio,
  serveWindowStdio,
  type Pipe,
} from '../../serve/index.ts';
import { interruptSignal } from '../context.ts';
import { withSharedIde, type SharedIdeOptions } from '../shared-ide.ts';
import { toolOptions, sharedIdeOptions, type ToolOptions } from '../serving.ts';
import { takeStdout } from '../stdout.ts';
import { OpenWindow } from '../window-link.ts';

export function addMcp(program: Command): void {
  const command = program
    .command('mcp')
    .description('serve an IDE to one client of the Model Context Protocol, over standard input and output')
    .argument('[folder]', 'folder to copy into the workspace of a new IDE; or use --sandbox');
  toolOptions(sharedIdeOptions(command))
    .option('--socket <path>', "serve a person's own VS Code window instead, by the socket of its extension")
    .action(mcp);
}

type Options = SharedIdeOptions & ToolOptions & { readonly socket?: string };

async function mcp(folder: string | undefined, options: Options): Promise<void> {
  // A client that died has closed this, too. Writing must not fail: the sandbox has yet to be ended.
  process.stderr.on('error', () => undefined);
  const pipe = { input: process.stdin, output: takeStdout() };
  if (options.socket !== undefined) return mcpInWindow(options.socket, folder, options, pipe);
  const tools = chooseServedTools(options);
  await withSharedIde(folder, options, (ide, signal) => serveStdio(ide, tools, pipe, signal));
}

/** Opens the window before it answers the client, so that a wrong path is reported at once. */
async function mcpInWindow(
  socket: string,
  folder: string | undefined,
  options: Options,
  pipe: Pipe,
): Promise<void> {
  if (folder !== undefined || options.sandbox !== undefined)
    throw new PwpError('usage', 'mcp: --socket takes neither a folder nor --sandbox');
  const signal = interruptSignal();
  await using window = await OpenWindow.open(resolve(socket), { signal });
  const tools = chooseWindowTools(options, (name) => window.tools.has(name));
  await serveWindowStdio(window, tools, pipe, signal);
}
