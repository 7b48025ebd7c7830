import { deadline, type Deadline, PwpError } from '../../../bridge/lib/index.ts';
import type { EpisodeLimits } from '../agents/index.ts';
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

  /** The time is up; false if the episode ended earlier. */
  get isUp(): boolean {
    return this.signal.aborted && !this.#parent.aborted;
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

  /** Does what is not the agent's work: the clock does not run. */
  async pauseFor<T>(work: () => Promise<T>): Promise<T> {
    using held = this.hold();
    void held;
    return await work();
  }

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
  readonly #limits: Pick<EpisodeLimits, 'tokens' | 'costUsd'>;
  #tokens = 0;
  #costUsd = 0;

  constructor(limits: Pick<EpisodeLimits, 'tokens' | 'costUsd'>) {
    this.#limits = limits;
  }

  add({ promptTokens = 0, completionTokens = 0, costUsd = 0 }: RecordedTurn): void {
    this.#tokens += promptTokens + completionTokens;
    this.#costUsd += costUsd;
  }

  /** The limit that has been reached. */
  get limit(): 'token-limit' | 'cost-limit' | undefined {
    const { tokens, costUsd } = this.#limits;
    if (tokens !== null && this.#tokens >= tokens) return 'token-limit';
    return costUsd !== null && this.#costUsd >= costUsd ? 'cost-limit' : undefined;
  }
}
