/** The properties that decide which checkpoint goes when space runs out. */
export interface Candidate {
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
export function nextToEvict(all: readonly Candidate[]): Candidate | null {
  const parents = new Set(all.map(({ parent }) => parent));
  const leaves = all.filter((one) => !one.held && !parents.has(one.id) && !isLastGood(one, all));
  return coldest(leaves, (one) => isReplaced(one, all));
}

/** Which raw one to pack first: as above, but any of the tree. */
export function nextToCool(all: readonly Candidate[]): Candidate | null {
  const hot = all.filter((one) => !one.held && one.rawBytes > 0);
  return coldest(hot, (one) => isReplaced(one, all));
}

/** The one that a key finds: the youngest that has proven restorable, else the youngest. */
export function foundBy<T extends Pick<Candidate, 'key' | 'proven' | 'takenAt'>>(
  key: string,
  all: readonly T[],
): T | null {
  const matches = all.filter((one) => one.key === key).sort((a, b) => b.takenAt - a.takenAt);
  return matches.find(({ proven }) => proven) ?? matches[0] ?? null;
}

function isFound(one: Candidate, all: readonly Candidate[]): boolean {
  return one.key !== null && foundBy(one.key, all) === one;
}

/** Its key finds another one. */
function isReplaced(one: Candidate, all: readonly Candidate[]): boolean {
  return one.key !== null && !isFound(one, all);
}

/** Has proven restorable while a younger one with its key, made to replace it, has not. */
function isLastGood(one: Candidate, all: readonly Candidate[]): boolean {
  const younger = all.some(({ key, takenAt, proven }) => key === one.key && takenAt > one.takenAt && !proven);
  return one.proven && isFound(one, all) && younger;
}

function coldest(some: readonly Candidate[], isWaste: (one: Candidate) => boolean): Candidate | null {
  const order = (one: Candidate) => [isWaste(one) ? 0 : 1, one.usedAt, one.takenAt] as const;
  const sorted = some.toSorted((a, b) => {
    const [x, y] = [order(a), order(b)];
    return x[0] - y[0] || x[1] - y[1] || x[2] - y[2];
  });
  return sorted[0] ?? null;
}
