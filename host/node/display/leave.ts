import { poll } from '../../../bridge/lib/index.ts';

/** Whether a batch may be played: others may have a say in it, too. */
export interface Leave {
  /** Asked when every other connection can see that the batch is under way. Throws where the batch may not begin. */
  begin(): void;
  /** Asked again and again while the batch is played. Throws where the batch has to stop midway. */
  goOn(): void;
}

/** Pause between two checks whether a batch may go on, in milliseconds. */
const askMs = 200;

/** A signal that fires with the caller's, or when a batch may not go on. Dispose it when the batch has ended. */
export function whileAllowed(
  leave: Leave | undefined,
  signal: AbortSignal,
): Disposable & { readonly signal: AbortSignal } {
  if (!leave) return { signal, [Symbol.dispose]: () => undefined };
  const [ended, withdrawn] = [new AbortController(), new AbortController()];
  const ask = () => {
    try {
      leave.goOn();
      return { done: false, saw: 'leave' } as const;
    } catch (reason) {
      withdrawn.abort(reason);
      return { done: true, value: undefined } as const;
    }
  };
  const asking = poll('the end of leave to play', ask, { intervalMs: askMs, signal: ended.signal });
  asking.catch(() => undefined);
  return {
    signal: AbortSignal.any([signal, withdrawn.signal]),
    [Symbol.dispose]: () => ended.abort(),
  };
}
