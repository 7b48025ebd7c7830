import { PwpError } from './errors.ts';

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
      reject(reasonOf(signal));
    };
    if (signal?.aborted) {
      reject(reasonOf(signal));
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
    const end = () => reject(reasonOf(signal));
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new PwpError('cancelled', 'the operation was cancelled');
}
