import { deadline, poll } from '../../bridge/lib/index.ts';
import type { Environment, Observation } from '../env/index.ts';
import type { EpisodeHistory, EventOf } from '../record/index.ts';
import { compare, differenceText, screenAt, type Comparison, type RecordedMoment } from './compare.ts';

/** After a difference, what is late has this long to come, in milliseconds: VS Code writes settings after a second. */
const lateMs = 2500;
const againMs = 250;

/**
 * Compares the state as it is now; after a difference once more, until it has gone or nothing late can come. A checkpoint
 * has every process as it was, so its screen is the one at once after the restore: what was late then comes only now.
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

/** What a state was found to be. */
export interface Looked extends Comparison {
  readonly notes: readonly string[];
}

/** @param wasThere the recorded screen was there, before what was late has come */
export function lookedAt({ differences, notCompared }: Comparison, wasThere: boolean): Looked {
  const late = wasThere ? differences.filter(({ what }) => what === 'screen') : [];
  return {
    differences: differences.filter((one) => !late.includes(one)),
    notCompared,
    notes: late.map((one) => `as recorded when it was restored; since then ${differenceText(one)}`),
  };
}
