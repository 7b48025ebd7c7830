import { dom } from '../../bridge/protocol/index.ts';
import type { Sandbox, SettleOptions, Settled } from '../node/index.ts';
import type { Evidence } from './effect/index.ts';

/** A window that is loading at the cap has this long to come back, in milliseconds. */
const reloadMs = 20_000;

/**
 * Settles. A window that is reloaded by the input and not back at the cap is waited for longer: there is nothing to see, and
 * nothing to act on, before it is.
 * @param first what was seen of the page before the input
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

/** Whether the page is another one, or none that answers. */
async function isReloading(sandbox: Sandbox, loadedAt: number, signal: AbortSignal): Promise<boolean> {
  try {
    const page = await sandbox.call(dom.probe, {}, { signal });
    return !page.dialog && page.loadedAt !== loadedAt;
  } catch {
    signal.throwIfAborted();
    return true;
  }
}
