import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { messageOf, pause, raceSignal } from '../../../bridge/lib/index.ts';
import type { Sandbox } from '../../node/index.ts';
import { look } from './look.ts';

/** Milliseconds between two looks at most often: each costs the page a few, which a busy IDE needs itself. */
const restMs = 500;
/** Between two tries while the IDE can't be asked, e.g. because it is being restarted; milliseconds. */
const retryMs = 1000;
/** What is waited for is any change at all: the smallest picture tells it. */
const tiny = { format: 'jpeg', within: { width: 16, height: 16 } } as const;

/**
 * Sends what the IDE shows and knows as server-sent events: at first, and whenever its screen has changed. `look` events
 * hold a {@link Look}, `trouble` events a message.
 */
export async function sendLooks(
  response: ServerResponse,
  open: (signal: AbortSignal) => Promise<Sandbox>,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  let after: number | undefined;
  let last = '';
  while (!signal.aborted) {
    try {
      const sandbox = await open(signal);
      const { serial } = await sandbox.picture({ ...tiny, after }, signal);
      // What has just changed is still changing.
      await pause(restMs, signal);
      const data = JSON.stringify(await look(sandbox, signal));
      if (data !== last) await send(response, 'look', data, signal);
      [last, after] = [data, serial];
    } catch (error) {
      signal.throwIfAborted();
      [last, after] = ['', undefined];
      await send(response, 'trouble', JSON.stringify(messageOf(error)), signal);
      await pause(retryMs, signal);
    }
  }
}

async function send(
  response: ServerResponse,
  event: string,
  data: string,
  signal: AbortSignal,
): Promise<void> {
  if (!response.write(`event: ${event}\ndata: ${data}\n\n`))
    await raceSignal(once(response, 'drain'), signal);
}
