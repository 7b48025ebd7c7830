import { pause } from '../../../bridge/lib/index.ts';
import type { JobWorker } from './attempt-queue.ts';
import type { MachineRoom } from './worker-state.ts';

/** Milliseconds between two looks at the machine. */
const lookMs = 500;

interface IntakeOptions {
  /** Milliseconds after an attempt was taken until the next one is. */
  readonly spacingMs: number;
  /** What the machine has room for, besides attempts that are under way. */
  readonly measure: () => Promise<MachineRoom>;
  /** Called after each look, with what was seen. */
  readonly onLook: (room: MachineRoom) => Promise<void>;
}

/** Decides when a worker takes attempts: while its machine has room, and one after the other. */
export class Intake implements AsyncDisposable {
  readonly #worker: JobWorker;
  readonly #options: IntakeOptions;
  readonly #ended = new AbortController();
  readonly #looking: Promise<void>;
  #isShort = false;
  #tookAt = -Infinity;

  constructor(worker: JobWorker, options: IntakeOptions) {
    this.#worker = worker;
    this.#options = options;
    worker.on('active', () => this.#space());
    this.#looking = this.#look();
  }

  /** The machine is short of something. A request for attempts that was under way may still bring one. */
  get isShort(): boolean {
    return this.#isShort;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await this.#looking;
  }

  /** The next look sees what the attempt has taken of the machine, and not all boot at once. */
  #space(): void {
    if (this.#options.spacingMs === 0) return;
    this.#tookAt = performance.now();
    void this.#worker.pause(true);
  }

  async #look(): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      try {
        const room = await this.#options.measure();
        this.#isShort = room.waits !== null;
        // Both do nothing if it is so already.
        if (this.#isShort) await this.#worker.pause(true);
        else if (performance.now() - this.#tookAt >= this.#options.spacingMs) await this.#worker.resume();
        await this.#options.onLook(room);
      } catch {
        // What can't be measured or said now is so at the next look.
      }
      await pause(lookMs, signal).catch(() => undefined);
    }
  }
}
