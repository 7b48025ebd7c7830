import { pause, raceSignal } from '../../../../bridge/lib/index.ts';
import { agent } from '../../../../bridge/protocol/index.ts';
import { readSound } from '../../../ide/index.ts';
import type { Sandbox } from '../../../node/index.ts';
import type { PageChannel } from './page-channel.ts';
import type { ViewerConnection } from './viewer-connection.ts';

/** Milliseconds between two tries while the node can't be asked. */
const leaseRetryMs = 1000;

/** Tells a page who has control, at first and at each change. Rejects when the signal fires. */
export async function sendControl(
  sandbox: Sandbox,
  seat: ViewerConnection,
  signal: AbortSignal,
): Promise<never> {
  return followState(
    () => sandbox.lease.state({ signal }),
    (revision) => sandbox.lease.changed(revision, { signal }),
    (lease) => seat.show(lease),
    signal,
  );
}

/** Sends a page the questions that wait for an answer. Rejects when the signal fires. */
export async function sendQuestions(
  sandbox: Sandbox,
  channel: PageChannel,
  signal: AbortSignal,
): Promise<never> {
  return followState(
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

async function followState<T extends { readonly revision: number }>(
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
      await pause(leaseRetryMs, signal);
    }
  }
}

/** Milliseconds between two looks for new steps. A step without an effect does not change the screen. */
const stepsLookMs = 1000;

/** Sends the last steps, at first and whenever there are new ones. Rejects when the signal fires. */
export async function sendSteps(sandbox: Sandbox, channel: PageChannel, signal: AbortSignal): Promise<never> {
  let last = '';
  for (;;) {
    // The state reports an IDE that can't be asked.
    const steps = await sandbox.call(agent.steps, {}, { signal }).then(
      (answer) => answer.steps,
      () => undefined,
    );
    const newest = steps?.at(-1);
    const key = `${steps?.length} ${newest?.at} ${newest?.step}`;
    if (steps && key !== last) channel.send({ type: 'steps', steps });
    if (steps) last = key;
    await pause(stepsLookMs, signal);
  }
}

/** Milliseconds between two reads: sound is sent in pieces of at least this length. */
const soundRestMs = 100;
/** Milliseconds between two tries while the IDE can't be asked. */
const soundRetryMs = 1000;
/** Milliseconds that the sandbox may wait for a sound. */
const soundWaitMs = 500;

/** Sends the IDE's sound, except silence, as long as the page wants to hear it. */
export class SoundFeed {
  readonly #channel: PageChannel;
  /** Fires when the page no longer wants to hear it; undefined while it does not want to. */
  #hearing: AbortController | undefined;
  #wanted = Promise.withResolvers<void>();

  constructor(channel: PageChannel) {
    this.#channel = channel;
  }

  hear(on: boolean): void {
    if (on === (this.#hearing !== undefined)) return;
    this.#hearing?.abort();
    this.#hearing = on ? new AbortController() : undefined;
    if (on) this.#wanted.resolve();
    else this.#wanted = Promise.withResolvers();
  }

  /** Rejects when the signal fires. */
  async run(sandbox: Sandbox, signal: AbortSignal): Promise<void> {
    for (;;) {
      await raceSignal(this.#wanted.promise, signal);
      // It may have been wanted for a moment only.
      if (!this.#hearing) continue;
      const within = AbortSignal.any([signal, this.#hearing.signal]);
      await this.#send(sandbox, within).catch(() => signal.throwIfAborted());
    }
  }

  /** Sends sound from now on, until the signal fires. Sound that can't be read, e.g. during a restore, is lost. */
  async #send(sandbox: Sandbox, signal: AbortSignal): Promise<never> {
    let after = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const part = await readSound(sandbox, { after, waitMs: soundWaitMs, signal }).catch(() => undefined);
      signal.throwIfAborted();
      if (part && part.pcm.byteLength > 0) await this.#channel.sound(part.pcm);
      if (part) after = part.to;
      await pause(part ? soundRestMs : soundRetryMs, signal);
    }
  }
}
