import { Readable } from 'node:stream';
import { collectCauses, describeError, PwpError } from '../../../bridge/lib/index.ts';
import type { LiveLine, OpenState } from '../web/index.ts';

/** A state of an attempt as a live IDE, with a page for it. Disposing it ends the sandbox. */
export interface LiveState extends AsyncDisposable {
  readonly url: string;
  readonly sandbox: string;
  /** Whether it is the recorded state, in words. */
  readonly words: string;
}

/** The step at which to open an attempt. */
export interface LivePlace {
  /** Folder of its record, absolute. */
  readonly folder: string;
  readonly step: number;
}

/** Opens a step. Reports its progress, and leaves nothing behind if it fails. */
export type OpenLive = (
  place: LivePlace,
  say: (words: string) => void,
  signal: AbortSignal,
) => Promise<LiveState>;

/** The maximum number of open IDEs. Each takes the memory of an IDE. */
const mostOpenStates = 3;

/** The live IDEs of a page: one is opened at a time, a few may be open. Disposing this ends them all. */
export class LiveStates implements AsyncDisposable {
  readonly #openLive: OpenLive;
  readonly #open = new Map<string, { readonly state: LiveState; readonly about: OpenState }>();
  #starting: { readonly stop: AbortController; readonly over: Promise<void> } | undefined;

  constructor(openLive: OpenLive) {
    this.#openLive = openLive;
  }

  /** The open IDEs, the oldest first. */
  get open(): OpenState[] {
    return [...this.#open.values()].map(({ about }) => about);
  }

  /**
   * Opens a state; its progress comes as lines, the last of which has the address or the failure. It is cancelled if the
   * signal fires before. Errors: `usage` while another one is being opened, or if too many are open.
   * @param id of the attempt
   */
  start(id: string, place: LivePlace, signal: AbortSignal): AsyncIterable<LiveLine> {
    if (this.#starting) throw new PwpError('usage', 'another state is being opened: wait until it is open');
    if (this.#open.size >= mostOpenStates)
      throw new PwpError('usage', `${mostOpenStates} states are open: end one of them first`);
    const lines = new Readable({ objectMode: true, read: () => undefined });
    const add = (line: LiveLine) => void lines.push(line);
    const stop = new AbortController();
    const within = AbortSignal.any([signal, stop.signal]);
    const over = this.#start(id, place, (text) => add({ kind: 'progress', text }), within)
      .then(add, (error: unknown) =>
        add({ kind: 'failed', text: [error, ...collectCauses(error)].map(describeError).join(': ') }),
      )
      .finally(() => {
        this.#starting = undefined;
        lines.push(null);
      });
    this.#starting = { stop, over };
    return lines;
  }

  /** Ends an IDE, and discards everything that was done in it. */
  async end(sandbox: string): Promise<void> {
    const found = this.#open.get(sandbox);
    this.#open.delete(sandbox);
    await found?.state[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#starting?.stop.abort(new PwpError('cancelled', 'the page ends'));
    await this.#starting?.over;
    await Promise.all([...this.#open.keys()].map((sandbox) => this.end(sandbox)));
  }

  async #start(
    id: string,
    place: LivePlace,
    say: (words: string) => void,
    signal: AbortSignal,
  ): Promise<LiveLine> {
    const state = await this.#openLive(place, say, signal);
    const { url, sandbox, words } = state;
    if (signal.aborted) {
      await state[Symbol.asyncDispose]();
      signal.throwIfAborted();
    }
    const about = { id, step: place.step, url, sandbox, words };
    this.#open.set(sandbox, { state, about });
    return { kind: 'open', ...about };
  }
}
