import type { Turn } from '../record/index.ts';

/** A model's usage, against the limits of an episode. */
export class Spent {
  readonly #tokenLimit: number;
  readonly #costLimit: number;
  #tokens = 0;
  #cost = 0;

  constructor(limits: { readonly tokenLimit: number | undefined; readonly costLimit: number | undefined }) {
    this.#tokenLimit = limits.tokenLimit ?? Infinity;
    this.#costLimit = limits.costLimit ?? Infinity;
  }

  add({ promptTokens = 0, completionTokens = 0, costUsd = 0 }: Turn): void {
    this.#tokens += promptTokens + completionTokens;
    this.#cost += costUsd;
  }

  /** The limit that has been reached. */
  get limit(): 'token-limit' | 'cost-limit' | undefined {
    if (this.#tokens >= this.#tokenLimit) return 'token-limit';
    return this.#cost >= this.#costLimit ? 'cost-limit' : undefined;
  }
}
