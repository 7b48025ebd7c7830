import type { Cancellable } from '../../bridge/lib/index.ts';
import type { HandOver, InputCommand, InputResult, Person, Sandbox, TakeOptions } from '../node/index.ts';

/**
 * A person's control of a sandbox. Disposing it gives it back. It ends by itself after its time to live without input or
 * {@link Control.renew}: who serves a page renews it for as long as that page is there.
 */
export interface Control extends AsyncDisposable {
  readonly person: Person;
  /** Plays the person's input, and records it as steps of theirs. Errors: `control-lost`, `display-lost`. */
  input(commands: readonly InputCommand[], options?: ControlInputOptions): Promise<InputResult>;
  /** Errors: `control-lost`. */
  renew(options?: Cancellable): Promise<void>;
  /** Whether agents may look meanwhile. Errors: `control-lost`. */
  letWatch(on: boolean, options?: Cancellable): Promise<void>;
  /** Gives control back. Idempotent. */
  giveBack(options?: Cancellable): Promise<void>;
  /** Resolves when it is over: given back, taken, revoked, expired. Never rejects. */
  readonly over: Promise<HandOver | null>;
}

export interface ControlInputOptions extends Cancellable {
  /** Records that something was typed, and not what. Typing into a field of type password is always recorded so. */
  readonly private?: boolean | undefined;
}

/**
 * Takes control for a person, and notes the state of the IDE by which agents are told later what the person changed.
 * Errors: those of `Lease.take`.
 */
export type TakeControl = (
  sandbox: Sandbox,
  person: Person,
  options?: TakeOptions & Cancellable,
) => Promise<Control>;
