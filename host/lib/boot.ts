import { readFile } from 'node:fs/promises';

/** Names the kernel's present boot: no process, mount or running sandbox outlives it. Linux only. */
export async function bootId(): Promise<string> {
  return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
}
