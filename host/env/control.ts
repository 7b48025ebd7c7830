import { neverAborted, type Cancellable } from '../../bridge/lib/index.ts';
import type {
  HandOver,
  InputCommand,
  InputResult,
  LeaseState,
  Person,
  Sandbox,
  TakeOptions,
} from '../node/index.ts';
import { noteTurn } from './hand-back/index.ts';

/**
 * Takes control for a person, and notes the state of the IDE by which agents are told later what the person changed.
 * Errors: those of `Lease.take`.
 */
export async function takeControl(
  sandbox: Sandbox,
  person: Person,
  { signal = neverAborted, ...options }: TakeOptions & Cancellable = {},
): Promise<Control> {
  const { hold, state } = await sandbox.lease.take(person, { ...options, signal });
  try {
    await noteTurn(sandbox, state, signal);
    return new Control(sandbox, person, hold, state);
  } catch (error) {
    await sandbox.lease.giveBack(hold);
    throw error;
  }
}

/**
 * A person's control of a sandbox. Disposing it gives it back. It ends by itself after its time to live without input or
 * {@link Control.renew}: who serves a page renews it for as long as that page is there.
 */
export class Control implements AsyncDisposable {
  readonly person: Person;
  /** Resolves when it is over: given back, taken, revoked, expired; null where the sandbox has ended. Never rejects. */
  readonly over: Promise<HandOver | null>;
  readonly #sandbox: Sandbox;
  readonly #hold: string;
  readonly #disposed = new AbortController();

  /** Use {@link takeControl}. */
  constructor(sandbox: Sandbox, person: Person, hold: string, taken: LeaseState) {
    this.#sandbox = sandbox;
    this.person = person;
    this.#hold = hold;
    this.over = this.#untilOver(taken).catch(() => null);
  }

  /** Plays the person's input. Errors: `control-lost`, `display-lost`. */
  input(
    commands: readonly InputCommand[],
    { signal = neverAborted }: Cancellable = {},
  ): Promise<InputResult> {
    return this.#sandbox.input(commands, { hold: this.#hold, signal });
  }

  /** Begins the time to live again; input does so, too. Errors: `control-lost`. */
  renew(options: Cancellable = {}): Promise<void> {
    return this.#sandbox.lease.renew(this.#hold, options);
  }

  /** Whether agents may look meanwhile. Errors: `control-lost`. */
  letWatch(on: boolean, options: Cancellable = {}): Promise<void> {
    return this.#sandbox.lease.letWatch(this.#hold, on, options);
  }

  /** Gives control back. Idempotent. */
  giveBack(options: Cancellable = {}): Promise<void> {
    return this.#sandbox.lease.giveBack(this.#hold, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.giveBack();
      await this.over;
    } finally {
      this.#disposed.abort();
    }
  }

  async #untilOver(taken: LeaseState): Promise<HandOver | null> {
    const { signal } = this.#disposed;
    let state = taken;
    while (state.turns === taken.turns) state = await this.#sandbox.lease.changed(state.revision, { signal });
    return state.last;
  }
}
