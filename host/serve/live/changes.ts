import { ide, type StatePart } from '../../../bridge/protocol/index.ts';
import type { Sandbox } from '../../node/index.ts';

/** Milliseconds that one call waits for a change of the state, before it is repeated. */
const waitMs = 60_000;
/** Any change of the screen counts, and the smallest picture is enough to see it. */
const tiny = { format: 'jpeg', within: { width: 16, height: 16 } } as const;

/** Follows the screen and the state of one IDE. */
export class Follower {
  #serial: number | undefined;
  #cursor: string | undefined;

  /** Waits until the screen or the state differs from when {@link changed} last answered. */
  async wait(sandbox: Sandbox, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const within = AbortSignal.any([signal, over.signal]);
    const screen = this.#screen(sandbox, within);
    const state = sandbox.call(ide.changes, { ...this.#after, waitMs }, { signal: within });
    try {
      await Promise.race([screen, state]);
    } finally {
      over.abort();
      await Promise.allSettled([screen, state]);
    }
  }

  /** Parts of the state that have changed since the previous call. */
  async changed(sandbox: Sandbox, signal: AbortSignal): Promise<readonly StatePart[]> {
    const { cursor, changed } = await sandbox.call(ide.changes, { ...this.#after, waitMs: 0 }, { signal });
    this.#cursor = cursor;
    return changed;
  }

  /** Counts everything as changed again. */
  forget(): void {
    this.#serial = undefined;
    this.#cursor = undefined;
  }

  async #screen(sandbox: Sandbox, signal: AbortSignal): Promise<void> {
    const { serial } = await sandbox.picture({ ...tiny, after: this.#serial, signal });
    this.#serial = serial;
  }

  get #after(): { after?: string } {
    return this.#cursor === undefined ? {} : { after: this.#cursor };
  }
}
