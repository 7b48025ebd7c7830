import { pause } from '../../../bridge/lib/index.ts';

/** Between two signs of life; milliseconds. Clients give up after a minute, and many count anew with each sign. */
const everyMs = 1000;

/**
 * Tells that a call goes on while it does: its seconds so far, since how much is left is known to nobody.
 * @param report undefined where the client did not ask for it
 * @param doing what it waits for, asked anew each time
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
