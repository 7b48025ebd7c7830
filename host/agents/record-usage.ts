import type { Environment } from '../env/index.ts';
import type { EpisodeRecord } from '../record/index.ts';

/** The kernel's counts are read in less than this, in milliseconds. */
const usageMs = 5000;

/**
 * Records what the sandbox uses: where a limit was hit since the last call, or `always`. What can't be read (the sandbox is
 * gone) is left out: an episode never fails for it.
 */
export async function recordUsage(env: Environment, record: EpisodeRecord, always = false): Promise<void> {
  const usage = await env.usage({ signal: AbortSignal.timeout(usageMs) }).catch(() => null);
  if (usage) await record.usage(usage, always);
}
