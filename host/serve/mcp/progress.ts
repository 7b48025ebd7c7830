import type { ServerNotification } from '@modelcontextprotocol/sdk/types.js';
import { pause } from '../../../bridge/lib/index.ts';

/** Milliseconds between two notifications. Clients give up after a minute, and many restart that time with each. */
const everyMs = 1000;

/** The parts of a call besides its arguments. */
export interface CallExtra {
  readonly signal: AbortSignal;
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined;
  readonly sendNotification: (notification: ServerNotification) => Promise<void>;
}

/** Sends progress to a client that requested it. */
export function progressReporter({ _meta: meta, sendNotification }: CallExtra) {
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (progress: number, message: string) =>
    sendNotification({ method: 'notifications/progress', params: { progressToken, progress, message } });
}

/**
 * Reports progress while a call runs: its seconds so far, since the remaining time is unknown.
 * @param report undefined if the client did not ask for it
 * @param doing returns what the call waits for at the moment
 */
export async function withProgress<T>(
  report: ((progress: number, message: string) => Promise<void>) | undefined,
  doing: () => string,
  run: () => Promise<T>,
): Promise<T> {
  if (!report) return run();
  const over = new AbortController();
  const ticking = tick(report, doing, over.signal);
  try {
    return await run();
  } finally {
    over.abort();
    await ticking;
  }
}

async function tick(
  report: (progress: number, message: string) => Promise<void>,
  doing: () => string,
  over: AbortSignal,
): Promise<void> {
  try {
    for (let seconds = 1; ; seconds += 1) {
      await pause(everyMs, over);
      await report(seconds, `${doing()}: ${seconds} s`);
    }
  } catch {
    // The call is over, or its client is gone: then the call is cancelled, too.
  }
}
