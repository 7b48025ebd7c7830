import { actsOn, pressesSomething, type XDisplay } from '../../display/index.ts';
import type { InputCommand, InputResult } from '../../input.ts';
import type { LocalLease } from './lease.ts';

export interface PlayOptions {
  /** The lease of the person who acts; undefined for an agent. */
  readonly hold: string | undefined;
  /** Milliseconds that a started action may go on after another has taken the lease. */
  readonly graceMs: number;
  /** Releases every key and button that the previous holder may have left down. */
  readonly letGo: (signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Plays input for the one whose turn it is. Errors: `control-held`, `control-lost`, `display-lost`. */
export async function playInTurn(
  lease: LocalLease,
  display: XDisplay,
  commands: readonly InputCommand[],
  { hold, graceMs, letGo, signal }: PlayOptions,
): Promise<InputResult> {
  // To ask where the pointer is, or to wait, is not to act.
  if (!commands.some(actsOn)) return display.play(commands, signal);
  await lease.admit(hold, letGo, signal);
  // A person who takes the lease waits for keys that are down, and for nothing else.
  return display.play(commands, signal, lease.leave(hold, commands.some(pressesSomething) ? graceMs : 0));
}
