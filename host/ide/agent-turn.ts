import { PwpError } from '../../bridge/lib/index.ts';
import { controlHeldError, type LeaseState, type Sandbox } from '../node/index.ts';

/**
 * Rejects unless an agent may act now. Errors: `control-held` while a person has control; `look-first` if one has had it
 * since an agent last looked.
 */
export async function requireTurn(sandbox: Sandbox, signal: AbortSignal): Promise<void> {
  const state = await sandbox.lease.state({ signal });
  if (state.holder) throw controlHeldError(state.holder);
  if (state.looked === state.turns) return;
  const who = state.last?.from?.name ?? 'A person';
  throw new PwpError('look-first', `${who} has had control since you looked last; nothing was done`, {
    help: 'Look at the screen first: the observation says what has changed.',
  });
}

/** Rejects unless an agent may look now. Errors: `control-held` while a person has control who does not let agents watch. */
export async function requireViewRight(sandbox: Sandbox, signal: AbortSignal): Promise<LeaseState> {
  const state = await sandbox.lease.state({ signal });
  if (state.holder && !state.holder.letsWatch) throw controlHeldError(state.holder);
  return state;
}

/** Rejects unless an agent may restore the sandbox, which needs no look first. Errors: `control-held`. */
export async function requireNoHolder(sandbox: Sandbox, signal: AbortSignal): Promise<void> {
  const { holder } = await sandbox.lease.state({ signal });
  if (holder) throw controlHeldError(holder);
}

/** Whether an error is a refusal because it is not the agent's turn. */
export function isOutOfTurn(error: unknown): error is PwpError {
  return error instanceof PwpError && (error.code === 'control-held' || error.code === 'look-first');
}

/**
 * Waits until no person has control, and looks then. Null if an agent has looked since and may act at once.
 * @param look rejects while it is not the agent's turn
 */
export async function awaitFreeTurn<T>(
  { lease }: Sandbox,
  look: () => Promise<T>,
  signal: AbortSignal,
): Promise<T | null> {
  let state = await lease.state({ signal });
  if (!state.holder && state.looked === state.turns) return null;
  for (;;) {
    while (state.holder) state = await lease.changed(state.revision, { signal });
    try {
      return await look();
    } catch (error) {
      // A person has taken control again meanwhile.
      if (!isOutOfTurn(error)) throw error;
      state = await lease.state({ signal });
    }
  }
}
