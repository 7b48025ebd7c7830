import { readFile } from 'node:fs/promises';

/** Ticks of one processor, as the kernel counts them: 100 a second. */
const ticksPerSecond = 100;

/**
 * The load of the whole machine while something runs, in percent of one processor: the screen's server, the browser, and
 * everything between them. Nothing else should run meanwhile.
 */
export async function processorUse(run: () => Promise<unknown>): Promise<number> {
  const [before, start] = [await busyTicks(), performance.now()];
  await run();
  const seconds = (performance.now() - start) / 1000;
  return (((await busyTicks()) - before) / ticksPerSecond / seconds) * 100;
}

/** Busy ticks of all processors: user, nice, system, irq, softirq; neither idle nor iowait nor steal. */
async function busyTicks(): Promise<number> {
  const line = (await readFile('/proc/stat', 'utf8')).split('\n')[0] ?? '';
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = line
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return user + nice + system + irq + softirq;
}
