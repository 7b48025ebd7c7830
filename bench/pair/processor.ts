import { readFile } from 'node:fs/promises';

/** Of one processor, as the kernel counts it: 100 a second. */
const ticksPerSecond = 100;

/**
 * How much of one processor all of this machine uses while something runs, in percent: the screen's server, what stands
 * between, and the browser together. Nothing else should run meanwhile.
 */
export async function processorUse(run: () => Promise<unknown>): Promise<number> {
  const [before, start] = [await busyTicks(), performance.now()];
  await run();
  const seconds = (performance.now() - start) / 1000;
  return (((await busyTicks()) - before) / ticksPerSecond / seconds) * 100;
}

/** Of all processors: user, nice, system, irq, softirq; neither idle nor waiting nor stolen by others. */
async function busyTicks(): Promise<number> {
  const line = (await readFile('/proc/stat', 'utf8')).split('\n')[0] ?? '';
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = line
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return user + nice + system + irq + softirq;
}
