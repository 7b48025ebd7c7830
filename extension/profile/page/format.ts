import type { Bar, ProfileShown } from './message.ts';

/** At most two digits after the point. */
export function numberText(value: number): string {
  return String(Number(value.toFixed(2)));
}

/** A part of the run, as `12.5 ms (3.1 %)`. */
export function shareText(value: number, { total, unit }: Pick<ProfileShown, 'total' | 'unit'>): string {
  return `${numberText(value)} ${unit} (${percentText(value, total)})`;
}

export function percentText(value: number, total: number): string {
  return `${numberText(total > 0 ? (value / total) * 100 : 0)} %`;
}

/** The details of a bar, in one line. */
export function detailOf({ name, place, depth, self, total }: Bar, profile: ProfileShown): string {
  const parts = [
    name,
    `total ${shareText(total, profile)}`,
    `self ${shareText(self, profile)}`,
    `depth ${depth}`,
  ];
  return [...parts, ...(place === '' ? [] : [place])].join(' · ');
}
