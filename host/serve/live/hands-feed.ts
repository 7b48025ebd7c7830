import { pause } from '../../../bridge/lib/index.ts';
import type { Sandbox } from '../../node/index.ts';
import type { Channel } from './channel.ts';
import type { Seat } from './seat.ts';

/** Milliseconds between two tries while the node can't be asked. */
const retryMs = 1000;

/** Tells a page who has control, at first and at each change. Rejects when the signal fires. */
export async function sendHands(sandbox: Sandbox, seat: Seat, signal: AbortSignal): Promise<never> {
  return follow(
    () => sandbox.lease.state({ signal }),
    (revision) => sandbox.lease.changed(revision, { signal }),
    (lease) => seat.show(lease),
    signal,
  );
}

/** Sends a page the questions that wait for an answer. Rejects when the signal fires. */
export async function sendQuestions(sandbox: Sandbox, channel: Channel, signal: AbortSignal): Promise<never> {
  return follow(
    () => sandbox.questions.open({ signal }),
    (revision) => sandbox.questions.changed(revision, { signal }),
    ({ questions }) =>
      channel.send({
        type: 'questions',
        questions: questions.map(({ id, from, wants, text, choices = [], at }) => ({
          id,
          from: from.name,
          wants,
          text,
          choices,
          at,
        })),
      }),
    signal,
  );
}

async function follow<T extends { readonly revision: number }>(
  first: () => Promise<T>,
  next: (revision: number) => Promise<T>,
  show: (state: T) => void,
  signal: AbortSignal,
): Promise<never> {
  let state: T | undefined;
  for (;;) {
    try {
      state = await (state ? next(state.revision) : first());
      show(state);
    } catch {
      signal.throwIfAborted();
      await pause(retryMs, signal);
    }
  }
}
