import { pause } from '../../bridge/lib/index.ts';
import type { Sandbox } from '../../host/node/index.ts';

/**
 * Takes pictures at fixed times after input, as a client that sleeps would see them. Times count from the moment at which
 * all input was played: if its parts wait for each other, settling begins more than once, and the last time counts.
 */
export class AfterInput {
  readonly sandbox: Sandbox;
  readonly #times: readonly number[];
  readonly #signal: AbortSignal;
  #stop = new AbortController();
  #pictures: Promise<Uint8Array>[] = [];

  /** @param times milliseconds */
  constructor(sandbox: Sandbox, times: readonly number[], signal: AbortSignal) {
    this.#times = times;
    this.#signal = signal;
    this.sandbox = this.#watched(sandbox);
  }

  /** Pictures after the newest input, when the last one is taken. */
  pictures(): Promise<Uint8Array[]> {
    return Promise.all(this.#pictures);
  }

  /** The same sandbox, which notes when settling begins. */
  #watched(sandbox: Sandbox): Sandbox {
    return new Proxy(sandbox, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]): unknown => {
          if (name === 'settle') this.#begin(target);
          return Reflect.apply(value, target, given);
        };
      },
    });
  }

  #begin(sandbox: Sandbox): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    const signal = AbortSignal.any([this.#signal, this.#stop.signal]);
    this.#pictures = this.#times.map(async (ms) => {
      await pause(ms, signal);
      return (await sandbox.picture({ signal })).bytes;
    });
    for (const picture of this.#pictures) picture.catch(() => undefined);
  }
}
