import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { raceSignal } from '../../../bridge/lib/index.ts';
import { ClientConnection } from './client-connection.ts';
import type { SharedIde } from './shared-ide.ts';
import type { ServedTools } from './served-tools.ts';

/** The two ends of a pipe to a client. */
export interface Pipe {
  readonly input: Readable;
  readonly output: Writable;
}

/** Serves the client at the other end of a pipe until it closes it or the signal fires. */
export async function serveStdio(
  ide: SharedIde,
  tools: ServedTools,
  { input, output }: Pipe,
  signal: AbortSignal,
): Promise<void> {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  // The pipes of a client that is gone are closed: a failed write means that it has ended, and is not an error.
  const gone = Promise.race([once(input, 'end'), once(input, 'close'), failed(input), failed(output)]);
  using client = new ClientConnection(ide, tools);
  const transport = new StdioServerTransport(input, output, { maxBufferSize: longestMessage });
  const server = await client.connect(transport);
  try {
    await raceSignal(gone, signal).catch(() => undefined);
  } finally {
    await server.close();
  }
}

/** Bytes: a file at its largest, escaped. */
export const longestMessage = 64 * 1024 * 1024;

function failed(stream: NodeJS.EventEmitter): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  // Not `once`: an error without a listener ends the process.
  stream.on('error', resolve);
  return promise;
}
