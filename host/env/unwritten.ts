import { deadline, messageOf } from '../../bridge/lib/index.ts';
import type { Session } from './session.ts';

/** The longest that the IDE may take to come back, write delayed changes and settle before it is graded. */
const flushMs = 60_000;

/** Why the IDE may not have written all of its changes; undefined if it had enough time. */
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
