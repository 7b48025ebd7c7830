import type { CheckpointInfo } from '../node/index.ts';
import { table } from './table.ts';

/**
 * Checkpoints as a tree, one per line: the oldest first, each below its parent; those without one are at the root.
 */
export function checkpointTree(all: readonly CheckpointInfo[], now: Date): string {
  const rows = branches(all, null, '').map(({ line, info }) => row(line, info, now));
  return table([['CHECKPOINT', 'NAME', 'KIND', 'STATE', 'AGE', 'SIZE'], ...rows]);
}

interface Row {
  readonly line: string;
  readonly info: CheckpointInfo;
}

function branches(all: readonly CheckpointInfo[], parent: string | null, indent: string): Row[] {
  const known = new Set(all.map(({ id }) => id));
  const isChild = (one: CheckpointInfo) =>
    parent === null ? one.parent === null || !known.has(one.parent) : one.parent === parent;
  const children = all.filter(isChild);
  return children.flatMap((info, index) => {
    const last = index === children.length - 1;
    const [joint, below] = parent === null ? ['', ''] : last ? ['└─ ', '   '] : ['├─ ', '│  '];
    return [{ line: indent + joint + info.id, info }, ...branches(all, info.id, indent + below)];
  });
}

function row(line: string, { name, kind, state, takenAt, bytes }: CheckpointInfo, now: Date): string[] {
  return [line, name ?? '-', kind, state, ageText(now.getTime() - Date.parse(takenAt)), sizeText(bytes)];
}

/** In the largest unit that gives at least 1. */
export function ageText(ms: number): string {
  const units: [number, string][] = [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
  ];
  const found = units.find(([length]) => ms >= length);
  return found ? `${Math.floor(ms / found[0])} ${found[1]}` : `${Math.max(0, Math.floor(ms / 1000))} s`;
}

export function sizeText(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024)} MiB`;
}
