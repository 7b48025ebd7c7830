import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { messageOf, pause, raceSignal } from '../../../bridge/lib/index.ts';
import type { IdeState } from '../../env/index.ts';
import type { Sandbox } from '../../node/index.ts';
import type { HasEnded } from '../screen.ts';
import { Follower } from './changes.ts';
import { look } from './look.ts';

/** Minimum milliseconds between two reads: each takes the page a few, which a busy IDE needs itself. */
const restMs = 500;
/** Between two tries while the IDE can't be asked, e.g. because it is being restarted; milliseconds. */
const retryMs = 1000;

interface Sources {
  readonly open: (signal: AbortSignal) => Promise<Sandbox>;
  readonly hasEnded: HasEnded | undefined;
}

/**
 * Sends the screen and the state of the IDE as server-sent events: at first, and whenever one of them has changed.
 * `look` events hold a {@link Look}, `trouble` events a message; `ended` is the last one, of a sandbox that is no more.
 */
export async function sendLooks(
  response: ServerResponse,
  { open, hasEnded }: Sources,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const follower = new Follower();
  let state: IdeState = {};
  let last = '';
  while (!signal.aborted) {
    try {
      const sandbox = await open(signal);
      await follower.wait(sandbox, signal);
      // After a change, more changes usually follow.
      await pause(restMs, signal);
      const changed = await follower.changed(sandbox, signal);
      const seen = await look(sandbox, { changed, before: state }, signal);
      const data = JSON.stringify(seen);
      if (data !== last) await send(response, 'look', data, signal);
      [last, state] = [data, seen.state];
    } catch (error) {
      signal.throwIfAborted();
      follower.forget();
      last = '';
      if (await hasEnded?.(signal)) return await sendEnd(response, signal);
      await send(response, 'trouble', JSON.stringify(messageOf(error)), signal);
      await pause(retryMs, signal);
    }
  }
}

async function sendEnd(response: ServerResponse, signal: AbortSignal): Promise<void> {
  await send(response, 'ended', 'null', signal);
  response.end();
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
