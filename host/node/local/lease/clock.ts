import { hrtime } from 'node:process';

/** The time of a change: by the clock that does not jump, in milliseconds, and for people. */
export interface Now {
  readonly ms: number;
  readonly iso: string;
}

/** By the kernel's clock since the boot, which is the same for all processes and which no program can set. */
export function now(): Now {
  return { ms: Number(hrtime.bigint() / 1_000_000n), iso: new Date().toISOString() };
}
