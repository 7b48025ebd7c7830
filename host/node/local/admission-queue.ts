import { pause, raceSignal } from '../../../bridge/lib/index.ts';

/** Other processes use memory too: the head of the queue asks again after this time, in milliseconds. */
const askAgainMs = 500;

/** A start that was admitted. Dispose it when its sandbox is gone. */
export interface Admission extends Disposable {
  /** The expected memory use of its sandbox, in MiB. */
  readonly needMb: number;
  /** Id of its sandbox, once there is one. */
  id?: string;
}

interface Waiter {
  readonly needMb: number;
  readonly admit: (place: Admission) => void;
}

export interface AdmissionQueueOptions {
  /** MiB that are free for one more sandbox, beyond what the admitted ones are still going to use. */
  readonly roomMb: (places: readonly Admission[]) => Promise<number>;
  /** Called with the number of waiting starts when one begins to wait. */
  readonly onWait?: (waiting: number) => void;
}

/** Starts that wait for free memory: first come, first served, without overtaking. */
export class AdmissionQueue {
  readonly #options: AdmissionQueueOptions;
  readonly #admitted = new Set<Admission>();
  readonly #waiters: Waiter[] = [];
  #wake = new AbortController();
  #serving = false;

  constructor(options: AdmissionQueueOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiters.length;
  }

  get admitted(): readonly Admission[] {
    return [...this.#admitted];
  }

  roomMb(): Promise<number> {
    return this.#options.roomMb(this.admitted);
  }

  /** Waits for its turn and for room. Rejects with the signal's reason, and then leaves the queue. */
  async admit(needMb: number, signal: AbortSignal): Promise<Admission> {
    signal.throwIfAborted();
    const { promise, resolve } = Promise.withResolvers<Admission>();
    const waiter: Waiter = { needMb, admit: resolve };
    this.#waiters.push(waiter);
    this.#serve();
    try {
      return await raceSignal(promise, signal);
    } catch (error) {
      this.#leave(waiter, promise);
      throw error;
    }
  }

  /** Without waiting, for a start that must be admitted before others can leave. */
  admitNow(needMb: number): Admission {
    const place: Admission = {
      needMb,
      [Symbol.dispose]: () => {
        if (this.#admitted.delete(place)) this.#wake.abort();
      },
    };
    this.#admitted.add(place);
    return place;
  }

  #leave(waiter: Waiter, promise: Promise<Admission>): void {
    const at = this.#waiters.indexOf(waiter);
    if (at >= 0) this.#waiters.splice(at, 1);
    // Admitted at the very moment at which it gave up.
    else void promise.then((place) => place[Symbol.dispose]());
    this.#wake.abort();
  }

  #serve(): void {
    if (this.#serving) return;
    this.#serving = true;
    void this.#serveAll().finally(() => (this.#serving = false));
  }

  async #serveAll(): Promise<void> {
    let reported = 0;
    for (let head = this.#waiters[0]; head; head = this.#waiters[0]) {
      this.#wake = new AbortController();
      const fits = await this.#fits(head.needMb);
      if (head !== this.#waiters[0]) continue;
      if (fits) {
        this.#waiters.shift();
        head.admit(this.admitNow(head.needMb));
        continue;
      }
      if (this.waiting !== reported) this.#options.onWait?.((reported = this.waiting));
      await pause(askAgainMs, this.#wake.signal).catch(() => undefined);
    }
  }

  /** One always fits: if the machine really is too small, its own error says so better than an endless wait. */
  async #fits(needMb: number): Promise<boolean> {
    if (this.#admitted.size === 0) return true;
    return (await this.roomMb()) >= needMb;
  }
}
