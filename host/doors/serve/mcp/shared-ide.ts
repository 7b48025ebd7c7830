import { raceSignal, SerialQueue } from '../../../../bridge/lib/index.ts';
import type { Sandbox } from '../../../node/index.ts';

/**
 * The one IDE that all clients of a server work in. It may still be starting: a client gets its list of tools at once,
 * and its first call waits.
 */
export class SharedIde {
  readonly #sandbox: Promise<Sandbox>;
  #ready = false;
  readonly #calls = new SerialQueue();

  /** @param sandbox an IDE that is ready; does not own it */
  constructor(sandbox: Promise<Sandbox>) {
    this.#sandbox = sandbox;
    // Each caller gets the failure. It must not end the process before the first call.
    sandbox.then(
      () => (this.#ready = true),
      () => undefined,
    );
  }

  get ready(): boolean {
    return this.#ready;
  }

  /** The sandbox, as soon as it is ready. Rejects with the reason if it fails to start. */
  sandbox(signal: AbortSignal): Promise<Sandbox> {
    return raceSignal(this.#sandbox, signal);
  }

  /** One after another, first come, first served: there is one mouse, one keyboard, one newest observation. */
  inTurn<T>(run: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#calls.run(run, signal);
  }
}
