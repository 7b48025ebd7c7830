import { clip } from '../../../bridge/lib/index.ts';
import type { Refusal, RefusalReason } from '../node.ts';
import type { Target } from './target.ts';

/** A program that tries forever must not fill memory and records: further refusals are not reported. */
const maxRefusals = 1000;

/** The refusals so far, kept for later listeners. */
export class Refusals {
  readonly #kept: Refusal[] = [];
  readonly #listeners = new Set<(refusal: Refusal) => void>();

  add({ host, port }: Target, why: RefusalReason): void {
    if (this.#kept.length >= maxRefusals) return;
    const refusal = { host: clip(host, 300), port, why, at: new Date().toISOString() };
    this.#kept.push(refusal);
    for (const listener of this.#listeners) listener(refusal);
  }

  /** Reports those so far at once, then each as it happens. */
  on(listener: (refusal: Refusal) => void): Disposable {
    this.#kept.forEach((refusal) => listener(refusal));
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }
}
