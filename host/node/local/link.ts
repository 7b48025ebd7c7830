import { PwpError, raceSignal } from '../../../bridge/lib/index.ts';

/** Something that was connected and may end on its own. */
export interface Connection extends AsyncDisposable {
  /** Resolves when it is over; never rejects. */
  readonly closed: Promise<unknown>;
}

/** A connection that is made when it is first needed, and made again when it has ended meanwhile. */
export class Link<T extends Connection> {
  readonly #connect: (signal: AbortSignal) => Promise<T>;
  #current: Promise<T> | undefined;
  #over = false;

  /** @param connect makes a new connection, or rejects; not called again while one is open */
  constructor(connect: (signal: AbortSignal) => Promise<T>) {
    this.#connect = connect;
  }

  /** The connection. Callers that come while it is being made share the attempt, but not its time-out. */
  async get(signal: AbortSignal): Promise<T> {
    if (this.#over) throw new PwpError('sandbox-stopped', 'the sandbox is stopped or given up');
    if (!this.#current) return this.#open(signal);
    const shared = await raceSignal(this.#current, signal).catch(() => undefined);
    signal.throwIfAborted();
    return shared ?? this.get(signal);
  }

  /** Ends the open connection; the next `get` makes a new one. */
  async drop(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    await (await current?.catch(() => undefined))?.[Symbol.asyncDispose]();
  }

  /** Ends it for good. */
  async close(): Promise<void> {
    this.#over = true;
    await this.drop();
  }

  #open(signal: AbortSignal): Promise<T> {
    const attempt = this.#connect(signal);
    const forget = () => {
      if (this.#current === attempt) this.#current = undefined;
    };
    this.#current = attempt;
    attempt.then((connection) => connection.closed.then(forget), forget);
    return attempt;
  }
}
