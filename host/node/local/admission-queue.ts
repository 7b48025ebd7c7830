import { readFile } from 'node:fs/promises';
import { pause, raceSignal } from '../../../bridge/lib/index.ts';
import { isProcessAlive, runFolder } from '../../lib/index.ts';
import { listSandboxIds, readMemoryUse, readSandboxRecord } from '../container/index.ts';
import type { SandboxSpec } from '../sandbox-spec.ts';

/** Other processes use memory too: the head of the queue asks again after this time, in milliseconds. */
const admissionRetryMs = 500;

/** A start that was admitted. Dispose it when its sandbox is gone. */
export interface SandboxAdmission extends Disposable {
  /** The expected memory use of its sandbox, in MiB. */
  readonly needMb: number;
  /** Id of its sandbox, once there is one. */
  id?: string;
}

interface Waiter {
  readonly needMb: number;
  readonly admit: (place: SandboxAdmission) => void;
}

interface AdmissionQueueOptions {
  /** MiB that are free for one more sandbox, beyond what the admitted ones are still going to use. */
  readonly roomMb: (places: readonly SandboxAdmission[]) => Promise<number>;
  /** Called with the number of waiting starts when one begins to wait. */
  readonly onWait?: (waiting: number) => void;
}

/** Starts that wait for free memory: first come, first served, without overtaking. */
export class AdmissionQueue {
  readonly #options: AdmissionQueueOptions;
  readonly #admitted = new Set<SandboxAdmission>();
  readonly #waiters: Waiter[] = [];
  #wake = new AbortController();
  #serving = false;

  constructor(options: AdmissionQueueOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiters.length;
  }

  get admitted(): readonly SandboxAdmission[] {
    return [...this.#admitted];
  }

  roomMb(): Promise<number> {
    return this.#options.roomMb(this.admitted);
  }

  /** Waits for its turn and for room. Rejects with the signal's reason, and then leaves the queue. */
  async admit(needMb: number, signal: AbortSignal): Promise<SandboxAdmission> {
    signal.throwIfAborted();
    const { promise, resolve } = Promise.withResolvers<SandboxAdmission>();
    const waiter: Waiter = { needMb, admit: resolve };
    this.#waiters.push(waiter);
    this.#serve();
    try {
      return await raceSignal(promise, signal);
    } catch (error) {
      this.#leave(waiter, promise);
      throw error;
    }
  }

  /** Without waiting, for a start that must be admitted before others can leave. */
  admitNow(needMb: number): SandboxAdmission {
    const place: SandboxAdmission = {
      needMb,
      [Symbol.dispose]: () => {
        if (this.#admitted.delete(place)) this.#wake.abort();
      },
    };
    this.#admitted.add(place);
    return place;
  }

  #leave(waiter: Waiter, promise: Promise<SandboxAdmission>): void {
    const at = this.#waiters.indexOf(waiter);
    if (at >= 0) this.#waiters.splice(at, 1);
    // Admitted at the very moment at which it gave up.
    else void promise.then((place) => place[Symbol.dispose]());
    this.#wake.abort();
  }

  #serve(): void {
    if (this.#serving) return;
    this.#serving = true;
    void this.#serveAll().finally(() => (this.#serving = false));
  }

  async #serveAll(): Promise<void> {
    let reported = 0;
    for (let head = this.#waiters[0]; head; head = this.#waiters[0]) {
      this.#wake = new AbortController();
      const fits = await this.#fits(head.needMb);
      if (head !== this.#waiters[0]) continue;
      if (fits) {
        this.#waiters.shift();
        head.admit(this.admitNow(head.needMb));
        continue;
      }
      if (this.waiting !== reported) this.#options.onWait?.((reported = this.waiting));
      await pause(admissionRetryMs, this.#wake.signal).catch(() => undefined);
    }
  }

  /** One always fits: if the machine really is too small, its own error says so better than an endless wait. */
  async #fits(needMb: number): Promise<boolean> {
    if (this.#admitted.size === 0) return true;
    return (await this.roomMb()) >= needMb;
  }
}

/** Expected memory use of a sandbox once it is up, in MiB: as measured on a fresh one, by its role. */
const expectedMb = { ide: 650, bare: 100 } as const;
/** Left for the machine: the host process, the kernel, files in use. In MiB. */
const reserveMb = 1024;
const MiB = 1024 * 1024;

/** Memory that a sandbox will need, in MiB; its limit where that is less. */
export function estimateMemoryMb({ role, limits }: Pick<SandboxSpec, 'role' | 'limits'>): number {
  return Math.min(expectedMb[role], limits.memoryMb);
}

/** Number of sandboxes of role `ide` that fit into this much memory. */
export function countFittingSandboxes(roomMb: number): number {
  return Math.max(0, Math.floor(roomMb / expectedMb.ide));
}

/** Room where this many MiB are set aside for a node's sandboxes. */
export function createFixedRoom(memoryMb: number): (places: readonly SandboxAdmission[]) => Promise<number> {
  return (places) => Promise.resolve(places.reduce((left, { needMb }) => left - needMb, memoryMb));
}

/**
 * Memory of the whole machine: what is free now, less what sandboxes that are still starting will take, from any
 * process.
 */
export async function measureMachineRoom(places: readonly SandboxAdmission[]): Promise<number> {
  const named = new Set(places.map(({ id }) => id));
  const others = (await listSandboxIds(runFolder)).filter((id) => !named.has(id));
  const growths = [
    ...places.map(({ id, needMb }) => measureGrowth(id, needMb)),
    ...others.map((id) => measureGrowthOfOther(id)),
  ];
  const growthMb = (await Promise.all(growths)).reduce((sum, mb) => sum + mb, 0);
  return (await readAvailableMb()) - reserveMb - growthMb;
}

async function measureGrowth(id: string | undefined, needMb: number): Promise<number> {
  const used = id === undefined ? null : await readMemoryUse(id);
  return Math.max(0, needMb - (used ?? 0) / MiB);
}

/** Nothing for one that only waits to be swept. */
async function measureGrowthOfOther(id: string): Promise<number> {
  const record = await readSandboxRecord(id);
  if (!record) return 0;
  if (record.phase === 'making' && (await isProcessAlive(record.owner))) return expectedMb[record.role];
  const used = await readMemoryUse(id);
  return used === null ? 0 : Math.max(0, expectedMb[record.role] - used / MiB);
}

/** Memory that programs can still take without harm to others, in MiB. */
async function readAvailableMb(): Promise<number> {
  const text = await readFile('/proc/meminfo', 'utf8');
  return Number(/^MemAvailable:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) / 1024;
}
