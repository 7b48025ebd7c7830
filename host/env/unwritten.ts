import { deadline, messageOf } from '../../bridge/lib/index.ts';
import type { Session } from './session.ts';

/** The IDE has this long to come back, to write what it writes late and to come to rest before it is graded. */
const flushMs = 60_000;

/** Why the IDE may not have written all that it had; undefined if it had its time for that. */
export async function whyUnwritten(
  session: Pick<Session, 'flush'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  using limit = deadline('the IDE to write its files', flushMs, signal);
  try {
    await session.flush({ signal: limit.signal });
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    return messageOf(error).split('\n', 1)[0];
  }
}
