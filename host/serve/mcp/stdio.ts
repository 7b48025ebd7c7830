import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { raceSignal } from '../../../bridge/lib/index.ts';
import { ClientConnection } from './client-connection.ts';
import type { RegistryContext } from './served-tool.ts';
import type { ServedTools } from './served-tools.ts';
import type { SharedIde } from './shared-ide.ts';
import { connectToWindow, type WindowLink } from './window/index.ts';

/** The two ends of a pipe to a client. */
export interface Pipe {
  readonly input: Readable;
  readonly output: Writable;
}

/** Serves the client at the other end of a pipe until it closes the pipe or the signal fires. */
export async function serveStdio(
  ide: SharedIde,
  tools: ServedTools,
  pipe: Pipe,
  signal: AbortSignal,
): Promise<void> {
  using client = new ClientConnection(ide, tools);
  await servePipe((transport) => client.connect(transport), pipe, signal);
}

/** As {@link serveStdio}, in a person's own window. */
export async function serveWindowStdio(
  link: WindowLink,
  tools: ServedTools<RegistryContext>,
  pipe: Pipe,
  signal: AbortSignal,
): Promise<void> {
  await servePipe((transport) => connectToWindow(link, tools, transport), pipe, signal);
}

async function servePipe(
  connect: (transport: Transport) => Promise<McpServer>,
  { input, output }: Pipe,
  signal: AbortSignal,
): Promise<void> {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  // A client that is gone has closed its pipes: a failed write means that it has ended, and is not an error.
  const gone = Promise.race([once(input, 'end'), once(input, 'close'), failed(input), failed(output)]);
  const transport = new StdioServerTransport(input, output, { maxBufferSize: longestMessage });
  const server = await connect(transport);
  try {
    await raceSignal(gone, signal).catch(() => undefined);
  } finally {
    await server.close();
  }
}

/** Enough for the largest file, escaped; in bytes. */
export const longestMessage = 64 * 1024 * 1024;

function failed(stream: NodeJS.EventEmitter): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  // Not `once`: an error without a listener ends the process.
  stream.on('error', resolve);
  return promise;
}
