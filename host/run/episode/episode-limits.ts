import { deadline, type Deadline, PwpError } from '../../../bridge/lib/index.ts';
import type { RecordedTurn } from '../record/index.ts';

/** The time limit of an episode. The clock stops while its agent is held up by others. */
export class EpisodeClock implements Disposable {
  readonly #operation: string;
  readonly #ms: number;
  readonly #parent: AbortSignal;
  readonly #controller = new AbortController();
  #leftMs: number;
  #startedAt = 0;
  /** While it runs. */
  #running: Deadline | undefined;
  #holds = 0;
  #over = false;

  /**
   * @param operation names the episode in the error with which the signal fires, of code `timeout`
   * @param ms the limit in milliseconds
   * @param parent ends the episode earlier
   */
  constructor(operation: string, ms: number, parent: AbortSignal) {
    this.#operation = operation;
    this.#ms = ms;
    this.#leftMs = ms;
    this.#parent = parent;
    if (parent.aborted) this.#end();
    parent.addEventListener('abort', this.#end, { once: true });
    this.#run();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Stops the clock until the result is disposed. Holds may overlap. */
  readonly hold = (): Disposable => {
    if (this.#holds === 0) this.#stop();
    this.#holds += 1;
    let held = true;
    return {
      [Symbol.dispose]: () => {
        if (!held) return;
        held = false;
        this.#holds -= 1;
        if (this.#holds === 0) this.#run();
      },
    };
  };

  [Symbol.dispose](): void {
    this.#over = true;
    this.#stop();
    this.#parent.removeEventListener('abort', this.#end);
  }

  readonly #end = (): void => this.#controller.abort(this.#parent.reason);

  #run(): void {
    if (this.#over) return;
    this.#startedAt = performance.now();
    const running = deadline(this.#operation, this.#leftMs);
    running.signal.addEventListener('abort', () => this.#expire(), { once: true });
    this.#running = running;
  }

  #stop(): void {
    this.#running?.[Symbol.dispose]();
    this.#running = undefined;
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#startedAt));
  }

  #expire(): void {
    this.#controller.abort(new PwpError('timeout', `${this.#operation} took longer than ${this.#ms} ms`));
  }
}

/** A model's usage, against the limits of an episode. */
export class EpisodeUsage {
  readonly #tokenLimit: number;
  readonly #costLimit: number;
  #tokens = 0;
  #cost = 0;

  constructor(limits: { readonly tokenLimit: number | undefined; readonly costLimit: number | undefined }) {
    this.#tokenLimit = limits.tokenLimit ?? Infinity;
    this.#costLimit = limits.costLimit ?? Infinity;
  }

  add({ promptTokens = 0, completionTokens = 0, costUsd = 0 }: RecordedTurn): void {
    this.#tokens += promptTokens + completionTokens;
    this.#cost += costUsd;
  }

  /** The limit that has been reached. */
  get limit(): 'token-limit' | 'cost-limit' | undefined {
    if (this.#tokens >= this.#tokenLimit) return 'token-limit';
    return this.#cost >= this.#costLimit ? 'cost-limit' : undefined;
  }
}
