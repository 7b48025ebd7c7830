import { SerialQueue } from '../../../bridge/lib/index.ts';
import { pauseContainer, resumeContainer, stateOf } from './runc.ts';

/** Stops a container's processes for as long as any holder in this process wants it. An ended one counts as frozen. */
export class Freezer {
  readonly #id: string;
  #holders = 0;
  /** Pausing and resuming happen one after the other, in the order of the calls. */
  readonly #changes = new SerialQueue();

  constructor(id: string) {
    this.#id = id;
  }

  /** Resolves when everything is frozen; resumes when the last holder is disposed. */
  async freeze(): Promise<AsyncDisposable> {
    await this.#changes.run(async () => {
      if (this.#holders === 0 && !(await hasEnded(this.#id))) await pauseContainer(this.#id);
      this.#holders += 1;
    });
    let released: Promise<void> | undefined;
    return { [Symbol.asyncDispose]: () => (released ??= this.#changes.run(() => this.#release())) };
  }

  async #release(): Promise<void> {
    this.#holders -= 1;
    if (this.#holders === 0) await resumeContainer(this.#id);
  }
}

/** Its first process has ended, and the kernel has ended all others before. */
export async function hasEnded(id: string): Promise<boolean> {
  return (await stateOf(id))?.status === 'stopped';
}
