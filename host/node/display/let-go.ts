import { deadline, isTimeout, poll } from '../../../bridge/lib/index.ts';
import type { Player } from './player.ts';

/** Pause between two checks whether others play, in milliseconds. */
const lookMs = 20;

/**
 * Releases every key and button, once no other connection is in the middle of a batch.
 * @param waitMs milliseconds to wait for that at most
 */
export async function letGo(player: Player, waitMs: number, signal: AbortSignal): Promise<void> {
  using limit = deadline('the end of the input under way', waitMs, signal);
  // A display that can't be asked can't be released either, which says more.
  const probe = async () =>
    (await player.othersPlay().catch(() => false))
      ? ({ done: false, saw: 'input under way' } as const)
      : ({ done: true, value: undefined } as const);
  await poll('the end of the input under way', probe, { intervalMs: lookMs, signal: limit.signal }).catch(
    (error: unknown) => {
      signal.throwIfAborted();
      // A process that was stopped midway must not keep everyone waiting.
      if (!isTimeout(error)) throw error;
    },
  );
  await player.play([{ kind: 'release' }], signal);
}
