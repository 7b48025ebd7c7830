import { pause } from './deadline.ts';
import { PwpError, isTimeout, messageOf } from './errors.ts';

/** A probe's answer: done with a value, or not yet, with its observation. */
export type Probe<T> =
  { readonly done: true; readonly value: T } | { readonly done: false; readonly saw: string };

/**
 * Repeats a probe until it is done. For things that send no event: prefer an event if one exists.
 * A probe that throws counts as not yet. Errors: `timeout` if the signal's reason is that time is up, with the last
 * observation, caused by what the probe threw last, else by that reason; any other reason of the signal, as it is.
 * @param what names the awaited condition
 * @param intervalMs pause between two probes
 */
export async function poll<T>(
  what: string,
  probe: () => Probe<T> | Promise<Probe<T>>,
  { intervalMs, signal }: { intervalMs: number; signal: AbortSignal },
): Promise<T> {
  let last: { readonly saw: string; readonly cause?: unknown } = { saw: 'nothing yet' };
  for (;;) {
    try {
      const answer = await probe();
      if (answer.done) return answer.value;
      last = answer;
    } catch (cause) {
      // A probe that the signal interrupted has seen less than the one before.
      if (!signal.aborted) last = { saw: messageOf(cause), cause };
    }
    try {
      await pause(intervalMs, signal);
    } catch (reason) {
      if (!isTimeout(reason)) throw reason;
      const message = `gave up waiting for ${what}: ${messageOf(reason)}; last seen: ${last.saw}`;
      throw new PwpError('timeout', message, { cause: last.cause ?? reason });
    }
  }
}
