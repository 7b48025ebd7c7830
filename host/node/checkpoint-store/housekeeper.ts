import { pause } from '../../../bridge/lib/index.ts';
import { acquireLock } from '../../lib/index.ts';
import { isFlushed } from './checksums.ts';
import { chooseToEvict, chooseToPack, computeFairShare, type EvictionCandidate } from './eviction.ts';
import { flushCheckpoint, packCheckpoint, removeRawForm } from './packing.ts';
import { removeCheckpoint, type StoreFiles } from './store-files.ts';

interface CheckpointBudget {
  /** All checkpoints together, in bytes. Undefined: a fair share of what the disk has free. */
  readonly totalBytes: number | undefined;
  /** Those that are kept raw, in bytes. Undefined: a quarter of all, {@link mostHotBytes} at most. */
  readonly hotBytes: number | undefined;
  /** Work begins when no checkpoint was taken or used for this long, at the latest after eight times that. */
  readonly quietMs: number;
}

/** @param what the work that failed, e.g. `packing ck-0123abcd` */
export type OnStoreProblem = (error: unknown, what: string) => void | Promise<void>;

/** A dozen IDEs: more would not stay in the page cache, and then raw ones are no faster. */
const mostHotBytes = 8 * 2 ** 30;

/**
 * Does the store's own work in the background, one thing at a time. One round at a time, in all processes: after a wait
 * there is little left to do.
 */
export class Housekeeper {
  readonly #files: StoreFiles;
  readonly #budget: CheckpointBudget;
  readonly #onProblem: OnStoreProblem;
  readonly #stop = new AbortController();
  /** Could not be packed: damaged, or the disk is full. */
  readonly #hopeless = new Set<string>();
  #asked = false;
  #running: Promise<void> | null = null;
  #busy = 0;
  /** By performance.now(), which no change of the clock moves. */
  #lastUse = -Infinity;

  constructor(files: StoreFiles, budget: CheckpointBudget, onProblem: OnStoreProblem) {
    this.#files = files;
    this.#budget = budget;
    this.#onProblem = onProblem;
  }

  /** Counts as a caller that waits for the disk until the result is disposed. */
  defer(): Disposable {
    this.#busy++;
    let deferred = true;
    return {
      [Symbol.dispose]: () => {
        if (deferred) this.#busy--;
        deferred = false;
        this.#lastUse = performance.now();
        this.ask();
      },
    };
  }

  /** Something has changed: look again, soon. */
  ask(): void {
    this.#asked = true;
    if (this.#running || this.#stop.signal.aborted) return;
    this.#running = this.#rounds().finally(() => {
      this.#running = null;
      if (this.#asked) this.ask();
    });
  }

  /** Resolves when there is nothing left to do. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error('the store was closed'));
    await this.#running;
  }

  async #rounds(): Promise<void> {
    const { signal } = this.#stop;
    while (this.#asked && !signal.aborted) {
      this.#asked = false;
      try {
        await this.#quiet();
        await this.#round(signal);
      } catch (error) {
        if (!signal.aborted) await this.#onProblem(error, 'looking after the checkpoints');
      }
    }
  }

  /** Waits until the disk was not needed for a while, but not forever: a user who never pauses needs the space, too. */
  async #quiet(): Promise<void> {
    const { quietMs } = this.#budget;
    const latest = performance.now() + 8 * quietMs;
    for (;;) {
      const now = performance.now();
      const quietAt = this.#busy > 0 ? now + quietMs : this.#lastUse + quietMs;
      const wait = Math.min(quietAt, latest) - now;
      if (wait <= 0) return;
      await pause(wait, this.#stop.signal);
    }
  }

  async #round(signal: AbortSignal): Promise<void> {
    await using stack = new AsyncDisposableStack();
    stack.use(await acquireLock(this.#files.paths.background, { signal }));
    for (const kept of await this.#files.all()) {
      if (kept.packed || !kept.sums || isFlushed(kept.sums)) continue;
      await this.#quiet();
      await this.#try(`writing ${kept.id} through to the disk`, () =>
        flushCheckpoint(this.#files, kept, { idle: true, signal }),
      );
    }
    await this.#whileTrue(signal, () => this.#coolOne(signal));
    await this.#whileTrue(signal, () => this.#evictOne(signal));
  }

  async #whileTrue(signal: AbortSignal, step: () => Promise<boolean>): Promise<void> {
    while (!signal.aborted && (await step())) await this.#quiet();
  }

  /** Packs the coldest raw one where there are too many. Returns whether there may be more to do. */
  async #coolOne(signal: AbortSignal): Promise<boolean> {
    const all = (await this.#files.candidates()).filter(({ id }) => !this.#hopeless.has(id));
    const { total, hot } = await this.#limits(all);
    if (sumBytes(all, 'rawBytes') <= hot && sumUsedBytes(all) <= total) return false;
    const one = chooseToPack(all);
    if (!one) return false;
    const cooled = await this.#try(`packing ${one.id}`, async () => {
      await packCheckpoint(this.#files, one.id, { idle: true, signal });
      await removeRawForm(this.#files, one.id, signal);
    });
    if (!cooled) this.#hopeless.add(one.id);
    return true;
  }

  async #evictOne(signal: AbortSignal): Promise<boolean> {
    const all = await this.#files.candidates();
    if (sumUsedBytes(all) <= (await this.#limits(all)).total) return false;
    const one = chooseToEvict(all);
    if (!one) return false;
    return this.#try(`removing ${one.id}`, () => removeCheckpoint(this.#files, one.id, signal));
  }

  async #limits(all: readonly EvictionCandidate[]): Promise<{ total: number; hot: number }> {
    const total =
      this.#budget.totalBytes ?? (await computeFairShare(this.#files.paths.folder, sumUsedBytes(all)));
    return { total, hot: this.#budget.hotBytes ?? Math.min(total / 4, mostHotBytes) };
  }

  /** A failure with one checkpoint does not keep the work from the others. */
  async #try(what: string, step: () => Promise<unknown>): Promise<boolean> {
    try {
      await step();
      return true;
    } catch (error) {
      if (!this.#stop.signal.aborted) await this.#onProblem(error, what);
      return false;
    }
  }
}

function sumUsedBytes(all: readonly EvictionCandidate[]): number {
  return sumBytes(all, 'rawBytes') + sumBytes(all, 'packBytes');
}

function sumBytes(all: readonly EvictionCandidate[], field: 'rawBytes' | 'packBytes'): number {
  return all.reduce((total, one) => total + one[field], 0);
}
