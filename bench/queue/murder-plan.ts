/** What happens to one part of a study on several machines. */
export const murderKinds = [
  'worker killed',
  'worker ended',
  'child killed',
  'server killed',
  'producer killed',
  'worker stopped',
  'worker cut off',
  'disk full',
] as const;
export type MurderKind = (typeof murderKinds)[number];

/** Numbers from 0 to 1 that a seed determines. */
export function openRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Each kind about as often, in an order that the seed determines. */
export function planMurders(count: number, random: () => number): MurderKind[] {
  const order = () => murderKinds.map((kind) => ({ kind, at: random() })).toSorted((a, b) => a.at - b.at);
  const rounds = Array.from({ length: Math.ceil(count / murderKinds.length) }, order);
  return rounds
    .flat()
    .map(({ kind }) => kind)
    .slice(0, count);
}
