import { describeError, pause } from '../../../../bridge/lib/index.ts';
import { dom, ide, type StatePart } from '../../../../bridge/protocol/index.ts';
import { type IdeState, readIdeState } from '../../../ide/index.ts';
import type { Sandbox } from '../../../node/index.ts';
import type { LiveLook } from '../../web/index.ts';
import type { PageChannel } from './page-channel.ts';
import type { ScreenSource } from './screen-feed.ts';

/** Minimum milliseconds between two reads: each costs the page a few, which a busy IDE needs itself. */
const lookRestMs = 500;
/** Milliseconds between two tries while the IDE can't be asked, e.g. because it is being restarted. */
const lookRetryMs = 1000;

/** Sends marks and state: at first, and whenever one of them has changed. */
export class LookFeed {
  readonly #source: ScreenSource<Sandbox>;
  readonly #channel: PageChannel;
  readonly #follower = new IdeFollower();
  #state: IdeState = {};
  #lastLook = '';

  constructor(source: ScreenSource<Sandbox>, channel: PageChannel) {
    this.#source = source;
    this.#channel = channel;
  }

  /** Resolves when the sandbox has ended; rejects when the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        await this.#next(signal);
      } catch (error) {
        signal.throwIfAborted();
        this.#follower.forget();
        this.#lastLook = '';
        if (await this.#source.hasEnded?.(signal)) return;
        this.#channel.send({ type: 'trouble', text: describeError(error) });
        await pause(lookRetryMs, signal);
      }
    }
  }

  async #next(signal: AbortSignal): Promise<void> {
    const sandbox = await this.#source.open(signal);
    await this.#follower.wait(sandbox, signal);
    // After a change, more changes usually follow.
    await pause(lookRestMs, signal);
    const changed = await this.#follower.changed(sandbox, signal);
    const seen = await readPageLook(sandbox, { changed, before: this.#state }, signal);
    this.#state = seen.state;
    const text = JSON.stringify(seen);
    if (text !== this.#lastLook) this.#channel.send({ type: 'look', look: seen });
    this.#lastLook = text;
  }
}

/**
 * Reads without side effects: takes no observation number, so that an agent's marks stay valid while people watch.
 * @param changed parts of the state to read again
 */
async function readPageLook(
  sandbox: Sandbox,
  { changed, before }: { readonly changed: readonly StatePart[]; readonly before: IdeState },
  signal: AbortSignal,
): Promise<LiveLook> {
  const [seen, state] = await Promise.all([
    sandbox.call(dom.glance, {}, { signal }),
    readIdeState((method, params) => sandbox.call(method, params, { signal }), changed, before),
  ]);
  const { width, height } = sandbox.display;
  return { sandbox: sandbox.id, width, height, seen, state };
}

/** Milliseconds that one call waits for a change of the state, before it is repeated. */
const changeWaitMs = 60_000;
/** Any change of the screen counts, and the smallest picture is enough to see it. */
const smallestPicture = { format: 'jpeg', within: { width: 16, height: 16 } } as const;

/** Follows the screen and the state of one IDE. */
class IdeFollower {
  #serial: number | undefined;
  #cursor: string | undefined;

  /** Waits until the screen or the state differs from when {@link changed} last answered. */
  async wait(sandbox: Sandbox, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const within = AbortSignal.any([signal, over.signal]);
    const screen = this.#screen(sandbox, within);
    const state = sandbox.call(ide.changes, { ...this.#after, waitMs: changeWaitMs }, { signal: within });
    try {
      await Promise.race([screen, state]);
    } finally {
      over.abort();
      await Promise.allSettled([screen, state]);
    }
  }

  /** Parts of the state that have changed since the previous call. */
  async changed(sandbox: Sandbox, signal: AbortSignal): Promise<readonly StatePart[]> {
    const { cursor, changed } = await sandbox.call(ide.changes, { ...this.#after, waitMs: 0 }, { signal });
    this.#cursor = cursor;
    return changed;
  }

  /** Counts everything as changed again. */
  forget(): void {
    this.#serial = undefined;
    this.#cursor = undefined;
  }

  async #screen(sandbox: Sandbox, signal: AbortSignal): Promise<void> {
    const { serial } = await sandbox.picture({ ...smallestPicture, after: this.#serial, signal });
    this.#serial = serial;
  }

  get #after(): { after?: string } {
    return this.#cursor === undefined ? {} : { after: this.#cursor };
  }
}
