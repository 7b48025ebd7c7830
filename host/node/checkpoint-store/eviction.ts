import { PwpError } from '../../../bridge/lib/index.ts';
import { readFreeBytes } from '../../lib/index.ts';

/** The properties that decide which checkpoint goes when space runs out. */
export interface EvictionCandidate {
  readonly id: string;
  readonly parent: string | null;
  readonly key: string | null;
  /** Restored at least once. */
  readonly proven: boolean;
  readonly held: boolean;
  /** Times in milliseconds. */
  readonly takenAt: number;
  readonly usedAt: number;
  /** On disk, in bytes. */
  readonly rawBytes: number;
  readonly packBytes: number;
}

/**
 * The checkpoint to delete first: a leaf of the tree that is not in use; those whose key finds another one before all
 * others; the least recently used first. Null if no checkpoint can go.
 */
export function chooseToEvict(all: readonly EvictionCandidate[]): EvictionCandidate | null {
  const parents = new Set(all.map(({ parent }) => parent));
  const leaves = all.filter((one) => !one.held && !parents.has(one.id) && !isLastGood(one, all));
  return findColdest(leaves, (one) => isReplaced(one, all));
}

/** Which raw one to pack first: as above, but any of the tree. */
export function chooseToPack(all: readonly EvictionCandidate[]): EvictionCandidate | null {
  const hot = all.filter((one) => !one.held && one.rawBytes > 0);
  return findColdest(hot, (one) => isReplaced(one, all));
}

/** The one that a key finds: the youngest that has proven restorable, else the youngest. */
export function findCheckpointByKey<T extends Pick<EvictionCandidate, 'key' | 'proven' | 'takenAt'>>(
  key: string,
  all: readonly T[],
): T | null {
  const matches = all.filter((one) => one.key === key).sort((a, b) => b.takenAt - a.takenAt);
  return matches.find(({ proven }) => proven) ?? matches[0] ?? null;
}

function isFoundByKey(one: EvictionCandidate, all: readonly EvictionCandidate[]): boolean {
  return one.key !== null && findCheckpointByKey(one.key, all) === one;
}

/** Its key finds another one. */
function isReplaced(one: EvictionCandidate, all: readonly EvictionCandidate[]): boolean {
  return one.key !== null && !isFoundByKey(one, all);
}

/** Has proven restorable while a younger one with its key, made to replace it, has not. */
function isLastGood(one: EvictionCandidate, all: readonly EvictionCandidate[]): boolean {
  const younger = all.some(({ key, takenAt, proven }) => key === one.key && takenAt > one.takenAt && !proven);
  return one.proven && isFoundByKey(one, all) && younger;
}

function findColdest(
  some: readonly EvictionCandidate[],
  isWaste: (one: EvictionCandidate) => boolean,
): EvictionCandidate | null {
  const order = (one: EvictionCandidate) => [isWaste(one) ? 0 : 1, one.usedAt, one.takenAt] as const;
  const sorted = some.toSorted((a, b) => {
    const [x, y] = [order(a), order(b)];
    return x[0] - y[0] || x[1] - y[1] || x[2] - y[2];
  });
  return sorted[0] ?? null;
}

const unitBytes: Readonly<Record<string, number>> = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

/**
 * The value of `PWP_CHECKPOINT_BUDGET` in bytes, e.g. `20G`; undefined if it is empty or not set. Errors: `bad-setting`.
 */
export function readCheckpointBudget(env: NodeJS.ProcessEnv = process.env): number | undefined {
  const text = env['PWP_CHECKPOINT_BUDGET'];
  if (!text) return undefined;
  const [, number, unit] = /^(\d+(?:\.\d+)?)([KMGT]?)$/.exec(text) ?? [];
  if (number === undefined)
    throw new PwpError('bad-setting', `PWP_CHECKPOINT_BUDGET is ${JSON.stringify(text)}`, {
      help: 'Say how much disk checkpoints may use, e.g. 20G.',
    });
  return Math.round(Number(number) * (unitBytes[unit ?? ''] ?? 1));
}

/** Half of what the disk would have free without the checkpoints, in bytes. */
export async function computeFairShare(folder: string, usedBytes: number): Promise<number> {
  return (usedBytes + (await readFreeBytes(folder))) / 2;
}
