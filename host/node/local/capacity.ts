import { readFile } from 'node:fs/promises';
import { isAlive, runFolder } from '../../lib/index.ts';
import type { SandboxSpec } from '../spec.ts';
import type { Admission } from './admission-queue.ts';
import { idsIn, readRecord } from './record.ts';
import { memoryUse } from './usage.ts';

/** Expected memory use of a sandbox once it is up, in MiB: as measured on a fresh one, by its role. */
const expectedMb = { ide: 650, bare: 100 } as const;
/** Left for the machine: the host process, the kernel, files in use. In MiB. */
const reserveMb = 1024;
const MiB = 1024 * 1024;

/** Memory that a sandbox will need, in MiB; its limit where that is less. */
export function needOf({ role, limits }: Pick<SandboxSpec, 'role' | 'limits'>): number {
  return Math.min(expectedMb[role], limits.memoryMb);
}

/** Number of sandboxes of role `ide` that fit into this much memory. */
export function fitting(roomMb: number): number {
  return Math.max(0, Math.floor(roomMb / expectedMb.ide));
}

/** Room where this many MiB are set aside for a node's sandboxes. */
export function fixedRoom(memoryMb: number): (places: readonly Admission[]) => Promise<number> {
  return (places) => Promise.resolve(places.reduce((left, { needMb }) => left - needMb, memoryMb));
}

/**
 * Memory of the whole machine: what is free now, less what sandboxes that are still starting will take, from any
 * process.
 */
export async function machineRoom(places: readonly Admission[]): Promise<number> {
  const named = new Set(places.map(({ id }) => id));
  const others = (await idsIn(runFolder)).filter((id) => !named.has(id));
  const growths = [
    ...places.map(({ id, needMb }) => growthOf(id, needMb)),
    ...others.map((id) => growthOfOther(id)),
  ];
  const growthMb = (await Promise.all(growths)).reduce((sum, mb) => sum + mb, 0);
  return (await availableMb()) - reserveMb - growthMb;
}

async function growthOf(id: string | undefined, needMb: number): Promise<number> {
  const used = id === undefined ? null : await memoryUse(id);
  return Math.max(0, needMb - (used ?? 0) / MiB);
}

/** Nothing for one that only waits to be swept. */
async function growthOfOther(id: string): Promise<number> {
  const record = await readRecord(id);
  if (!record) return 0;
  if (record.phase === 'making' && (await isAlive(record.owner))) return expectedMb[record.role];
  const used = await memoryUse(id);
  return used === null ? 0 : Math.max(0, expectedMb[record.role] - used / MiB);
}

/** Memory that programs can still take without harm to others, in MiB. */
async function availableMb(): Promise<number> {
  const text = await readFile('/proc/meminfo', 'utf8');
  return Number(/^MemAvailable:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) / 1024;
}
