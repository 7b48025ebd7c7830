import { describeError } from '../../../bridge/lib/index.ts';
import { type AttemptQueue, describeQueue, redactAddress } from '../../run/index.ts';
import { type Routes, sendPage } from '../serve/index.ts';
import type { BoardData } from '../web/index.ts';
import { sendJson } from './view-folder.ts';

/** The most often that a queue is looked at, however many pages show it, in milliseconds. */
const keptMs = 1500;

/** A page (`/queue`) of a queue, and its data. Nothing in the queue is changed. */
export function queueRoutes(queue: AttemptQueue, address: string): Routes {
  let seen: { readonly at: number; readonly state: Promise<BoardData> } | undefined;
  const look = (): Promise<BoardData> => {
    const at = performance.now();
    if (!seen || at - seen.at > keptMs)
      seen = { at, state: describeQueue(queue).then((state) => ({ ...state, now: Date.now() })) };
    return seen.state;
  };
  return {
    '/queue': (_, response) => sendPage(response, 'queue', redactAddress(address)),
    '/data/queue': async (_, response) => {
      try {
        sendJson(response, await look());
      } catch (error) {
        seen = undefined;
        response
          .writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8' })
          .end(`The queue does not answer: ${describeError(error)}`);
      }
    },
  };
}
