import { deadline } from '../../bridge/lib/index.ts';
import type { Service } from '../../bridge/protocol/index.ts';
import type { Sandbox } from '../node/index.ts';

/** The longest wait for a part of the desktop that died, in milliseconds; a restart takes about 10 s. */
const comeBackMs = 60_000;

/** The reports on parts of the desktop that died or came back, and the wait for their return. */
export class DesktopRecovery implements Disposable {
  readonly #sandbox: Sandbox;
  readonly #reports: Service[] = [];
  readonly #listening: Disposable;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
    this.#listening = sandbox.onService((service) => this.#reports.push(service));
  }

  /** The reports that were not taken yet, the oldest first. */
  get reports(): readonly Service[] {
    return this.#reports;
  }

  /** Each report is returned once. */
  take(): readonly Service[] {
    return this.#reports.splice(0);
  }

  /** Waits for a part that died: the next observation shows the IDE, and the step reports that it came back. */
  async recover(signal: AbortSignal): Promise<void> {
    const latest = new Map(this.#reports.map((service) => [service.name, service.state]));
    if ([...latest.values()].some((state) => state !== 'ready')) await this.comeBack(signal);
  }

  /** With a time limit: an agent may have disabled the extension, and the rest of the IDE works without it. */
  async comeBack(signal: AbortSignal): Promise<void> {
    using limit = deadline('the return of the desktop', comeBackMs, signal);
    try {
      await this.#sandbox.ready({ signal: limit.signal });
    } catch (error) {
      signal.throwIfAborted();
      if (!limit.signal.aborted) throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#listening[Symbol.dispose]();
  }
}
