import { describeError, isTimeout, PwpError } from './errors.ts';

/** An abort signal that fires after a time, or with its parent. Dispose it when the operation has ended. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * One deadline for one operation, passed down to everything that it calls.
 * @param operation names the operation in the time-out error, e.g. `start of sandbox ab12`
 * @param ms milliseconds until the signal fires with a `timeout` error
 * @param parent a signal that ends the operation earlier
 */
export function deadline(operation: string, ms: number, parent?: AbortSignal): Deadline {
  const controller = new AbortController();
  const onParent = () => controller.abort(parent?.reason);
  const timer = setTimeout(() => {
    controller.abort(new PwpError('timeout', `${operation} took longer than ${ms} ms`));
  }, ms);
  if (parent?.aborted) onParent();
  parent?.addEventListener('abort', onParent, { once: true });
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(timer);
      parent?.removeEventListener('abort', onParent);
    },
  };
}

/** Waits `ms` milliseconds, or rejects with the signal's reason as soon as it fires. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(readAbortReason(signal));
    };
    if (signal?.aborted) {
      reject(readAbortReason(signal));
      return;
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/** Settles as `promise` does, or rejects with the signal's reason as soon as it fires. */
export function raceSignal<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(readAbortReason(signal));
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

function readAbortReason(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new PwpError('cancelled', 'the operation was cancelled');
}

/** The last parameter of every function that takes time. */
export interface Cancellable {
  /** Ends the operation early, which then rejects with the signal's reason. Default: nothing ends it. */
  readonly signal?: AbortSignal | undefined;
}

/** The signal of an operation that is never cancelled. */
export const neverAborted: AbortSignal = new AbortController().signal;

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
      if (!signal.aborted) last = { saw: describeError(cause), cause };
    }
    try {
      await pause(intervalMs, signal);
    } catch (reason) {
      if (!isTimeout(reason)) throw reason;
      const message = `gave up waiting for ${what}: ${describeError(reason)}; last seen: ${last.saw}`;
      throw new PwpError('timeout', message, { cause: last.cause ?? reason });
    }
  }
}
