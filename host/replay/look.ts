import { deadline, poll } from '../../bridge/lib/index.ts';
import type { Environment, Observation } from '../env/index.ts';
import type { EpisodeHistory, EventOf } from '../record/index.ts';
import { compare, differenceText, screenAt, type Comparison, type RecordedMoment } from './compare.ts';

/** After a difference, late changes have this many milliseconds to appear: VS Code writes settings after a second. */
const lateMs = 2500;
const againMs = 250;

/**
 * Compares the current state; after a difference, compares again until it is gone or late changes are no longer possible.
 * A checkpoint has every process as it was, so its screen is the one right after the restore: changes that were pending
 * then appear only now.
 */
export function comparer(env: Environment, { folder, events }: EpisodeHistory, signal: AbortSignal) {
  const firstState = events.find(
    (event): event is EventOf<'state'> => event.event === 'state' && event.files !== null,
  );
  return async (
    observation: RecordedMoment['observation'],
    state: RecordedMoment['state'],
    restored: Uint8Array | null = null,
  ): Promise<Looked> => {
    const recorded = { folder, observation, state, firstState };
    const wasThere = restored !== null && (await screenAt(recorded, restored)) === null;
    const seen = async (now: Observation) =>
      lookedAt(await compare(recorded, now, await env.fingerprint({ signal })), wasThere);
    let found = await seen(env.observation);
    if (found.differences.length === 0) return found;
    using limit = deadline('what is late', lateMs, signal);
    const again = async () => {
      found = await seen(await env.look({ signal }));
      return found.differences.length === 0
        ? ({ done: true, value: found } as const)
        : ({ done: false, saw: '' } as const);
    };
    return await poll('the recorded state', again, { intervalMs: againMs, signal: limit.signal }).catch(
      () => {
        signal.throwIfAborted();
        return found;
      },
    );
  };
}

/** The result of comparing a state. */
export interface Looked extends Comparison {
  readonly notes: readonly string[];
}

/** @param wasThere whether the recorded screen was there before late changes appeared */
export function lookedAt({ differences, notCompared }: Comparison, wasThere: boolean): Looked {
  const late = wasThere ? differences.filter(({ what }) => what === 'screen') : [];
  return {
    differences: differences.filter((one) => !late.includes(one)),
    notCompared,
    notes: late.map((one) => `as recorded when it was restored; since then ${differenceText(one)}`),
  };
}
