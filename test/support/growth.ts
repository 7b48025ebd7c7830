import { readdirSync } from 'node:fs';
import { pause } from '../../bridge/lib/index.ts';

/** How much a process has grown. */
export interface Growth {
  /** Most MiB of memory beyond what it had at first. */
  readonly grownMb: number;
  /** Descriptors that it has more than at first. */
  readonly moreFds: number;
}

const lookMs = 20;

/** Watches this process's memory until its end is asked for. */
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
