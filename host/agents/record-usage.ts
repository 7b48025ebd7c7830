import type { Environment } from '../env/index.ts';
import type { EpisodeRecord } from '../record/index.ts';

/** The longest that reading the kernel's counts may take, in milliseconds. */
const usageMs = 5000;

/**
 * Records the sandbox's usage if a limit was hit since the last call, or `always`. Leaves out what can't be read, because
 * the sandbox is gone: an episode never fails for it.
 */
export async function recordUsage(env: Environment, record: EpisodeRecord, always = false): Promise<void> {
  const usage = await env.usage({ signal: AbortSignal.timeout(usageMs) }).catch(() => null);
  if (usage) await record.usage(usage, always);
}
