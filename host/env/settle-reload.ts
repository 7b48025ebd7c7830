import { dom } from '../../bridge/protocol/index.ts';
import type { Sandbox, SettleOptions, Settled } from '../node/index.ts';
import type { Evidence } from './effect/index.ts';

/** A window that is still loading at the cap has this many milliseconds to come back. */
const reloadMs = 20_000;

/**
 * Settles. Waits longer for a window that is reloaded by the input and not back at the cap: until then there is nothing to
 * see or to act on.
 * @param first the look before the input
 */
export async function settleThroughReload(
  sandbox: Sandbox,
  options: SettleOptions,
  first: Evidence | undefined,
  signal: AbortSignal,
): Promise<Settled> {
  const settled = await sandbox.settle({ ...options, signal });
  const page = first?.page;
  if (settled.reason === 'quiet' || !page || page.dialog) return settled;
  if (!(await isReloading(sandbox, page.loadedAt, signal))) return settled;
  const again = await sandbox.settle({ ...options, capMs: Math.max(options.capMs, reloadMs), signal });
  return { ...again, ms: settled.ms + again.ms };
}

/** Whether the page was replaced, or does not answer. */
async function isReloading(sandbox: Sandbox, loadedAt: number, signal: AbortSignal): Promise<boolean> {
  try {
    const page = await sandbox.call(dom.probe, {}, { signal });
    return !page.dialog && page.loadedAt !== loadedAt;
  } catch {
    signal.throwIfAborted();
    return true;
  }
}
