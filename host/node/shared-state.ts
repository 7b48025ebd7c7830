import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { hrtime } from 'node:process';
import * as z from 'zod';
import { deadline, PwpError } from '../../bridge/lib/index.ts';
import { acquireLock } from '../lib/index.ts';

/** Longest wait for another process that changes the file, in milliseconds. */
const lockPatienceMs = 15_000;

/**
 * A small value that several processes read and change. Reading costs one `stat` while nothing has changed: it comes
 * before each input. A file that this version can't read counts as missing.
 */
export class SharedFile<T> {
  readonly #path: string;
  readonly #schema: z.ZodType<T>;
  readonly #empty: T;
  #known: { readonly version: string; readonly value: T } | undefined;

  /** @param empty the value while there is no file */
  constructor(path: string, schema: z.ZodType<T>, empty: T) {
    this.#path = path;
    this.#schema = schema;
    this.#empty = empty;
  }

  read(): T {
    const stats = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
    if (!stats) return this.#empty;
    // A change is a new file.
    const version = `${stats.ino} ${stats.mtimeNs} ${stats.size}`;
    if (this.#known?.version !== version) this.#known = { version, value: this.#parsed() };
    return this.#known.value;
  }

  /** Changes the value while no other process does. Errors: what `change` throws, with nothing changed. */
  async update(signal: AbortSignal, change: (value: T) => T | Promise<T>): Promise<T> {
    // The folder goes with its sandbox; taking the lock would make it again.
    if (!existsSync(dirname(this.#path))) throw new PwpError('sandbox-stopped', 'the sandbox is stopped');
    using limit = deadline(`the lock of ${this.#path}`, lockPatienceMs, signal);
    const lock = await acquireLock(`${this.#path}.lock`, { signal: limit.signal });
    try {
      const before = this.read();
      const value = await change(before);
      if (value !== before) this.replace(value);
      return value;
    } finally {
      await lock[Symbol.asyncDispose]();
    }
  }

  /** Replaces the value as one step, regardless of the old one. For a file that one process alone writes. */
  replace(value: T): void {
    const draft = `${this.#path}.${process.pid}.new`;
    writeFileSync(draft, JSON.stringify(value), { mode: 0o600 });
    renameSync(draft, this.#path);
  }

  #parsed(): T {
    try {
      return this.#schema.parse(JSON.parse(readFileSync(this.#path, 'utf8')));
    } catch {
      return this.#empty;
    }
  }
}

/** The time of a change: by the clock that does not jump, in milliseconds, and for people. */
export interface ClockTime {
  readonly ms: number;
  readonly iso: string;
}

/** By the kernel's clock since the boot, which is the same for all processes and which no program can set. */
export function readClock(): ClockTime {
  return { ms: Number(hrtime.bigint() / 1_000_000n), iso: new Date().toISOString() };
}

/** @param what names the value for the caller who gave it. Errors: `usage`. */
export function requireValid<T>(what: string, schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new PwpError('usage', `bad ${what}: ${z.prettifyError(result.error)}`);
}
