import { type Cancellable, neverAborted, raceSignal } from '../../../bridge/lib/index.ts';
import type {
  InputCommand,
  InputResult,
  LeaseHandOver,
  LeaseState,
  Person,
  Sandbox,
  TakeLeaseOptions,
} from '../../node/index.ts';
import { noteTakeOver } from './hand-back.ts';
import { focusLookMs, PersonRecorder, type PersonStep } from './person-recorder.ts';
import { stepReportsOf } from './step-reports.ts';

export interface ControlOptions extends TakeLeaseOptions, Cancellable {
  /** Called with each step of the person's, for records. */
  readonly onStep?: ((step: PersonStep) => void) | undefined;
}

export interface ControlInputOptions extends Cancellable {
  /** Record that something was typed, but not what. Always so in a field for passwords. Default false. */
  readonly private?: boolean | undefined;
}

/** Longest wait for the last step to be recorded, in milliseconds. */
const lastStepMs = focusLookMs + 1000;

/**
 * Takes control for a person, and notes the state of the IDE, from which agents later learn what the person changed.
 * Errors: those of `Lease.take`.
 */
export async function takeControl(
  sandbox: Sandbox,
  person: Person,
  { signal = neverAborted, onStep, ...options }: ControlOptions = {},
): Promise<Control> {
  const { hold, state } = await sandbox.lease.take(person, { ...options, signal });
  try {
    await noteTakeOver(sandbox, state, signal);
    return new Control(sandbox, hold, state, new PersonRecorder(sandbox, person, onStep), person);
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
  /** Resolves when it is over: given back, taken, revoked, expired; null if the sandbox has ended. Never rejects. */
  readonly over: Promise<LeaseHandOver | null>;
  readonly #sandbox: Sandbox;
  readonly #hold: string;
  readonly #recorder: PersonRecorder;
  readonly #disposed = new AbortController();

  /** Use {@link takeControl}. */
  constructor(sandbox: Sandbox, hold: string, taken: LeaseState, recorder: PersonRecorder, person: Person) {
    this.#sandbox = sandbox;
    this.#recorder = recorder;
    this.person = person;
    this.#hold = hold;
    this.over = this.#untilOver(taken).catch(() => null);
  }

  /**
   * Plays the person's input, and records it, merged, as their steps, which the view *Agent* shows.
   * Errors: `control-lost`, `display-lost`.
   */
  async input(
    commands: readonly InputCommand[],
    { private: secret = false, signal = neverAborted }: ControlInputOptions = {},
  ): Promise<InputResult> {
    const result = await this.#sandbox.input(commands, { hold: this.#hold, signal });
    this.#recorder.note(commands.slice(0, result.executed), secret);
    return result;
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
  async giveBack(options: Cancellable = {}): Promise<void> {
    // A person who can't be recorded in time gives it back anyway.
    await this.#recorded().catch(() => undefined);
    await this.#sandbox.lease.giveBack(this.#hold, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.giveBack();
      await this.over;
    } finally {
      this.#disposed.abort();
    }
  }

  /** Before agents may act: what they do is recorded after it. */
  async #recorded(): Promise<void> {
    const signal = AbortSignal.timeout(lastStepMs);
    await raceSignal(this.#recorder.flush(), signal);
    await stepReportsOf(this.#sandbox).sent(signal);
  }

  async #untilOver(taken: LeaseState): Promise<LeaseHandOver | null> {
    const { signal } = this.#disposed;
    let state = taken;
    while (state.turns === taken.turns) state = await this.#sandbox.lease.changed(state.revision, { signal });
    return state.last;
  }
}
