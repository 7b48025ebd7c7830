import { readdirSync } from 'node:fs';
import { pause } from '../../bridge/lib/index.ts';

/** The growth of a process. */
export interface Growth {
  /** Peak MiB of memory above its initial memory. */
  readonly grownMb: number;
  /** Number of descriptors above the initial number. */
  readonly moreFds: number;
}

const lookMs = 20;

/** Watches this process's memory until `end` is called. */
export function watchGrowth(): { end(): Promise<Growth> } {
  const [before, fds] = [process.memoryUsage.rss(), countFds()];
  const ended = new AbortController();
  let most = before;
  const watching = (async () => {
    while (!ended.signal.aborted) {
      most = Math.max(most, process.memoryUsage.rss());
      await pause(lookMs);
    }
  })();
  return {
    async end() {
      ended.abort();
      await watching;
      return { grownMb: Math.round((most - before) / 2 ** 20), moreFds: countFds() - fds };
    },
  };
}

function countFds(): number {
  return readdirSync('/proc/self/fd').length;
}
