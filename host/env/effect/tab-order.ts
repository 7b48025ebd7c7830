import type { Evidence } from './evidence.ts';
import { clipped } from './words.ts';

/** Tabs that moved within their own group, in words; empty if tabs were opened or closed. */
export function tabMoves({ page: before }: Evidence, { page: after }: Evidence): string[] {
  if (!before || !after || before.dialog || after.dialog || before.loadedAt !== after.loadedAt) return [];
  if (before.tabs.length !== after.tabs.length) return [];
  return after.tabs.flatMap((now, group) => moveOf(before.tabs[group] ?? [], now) ?? []);
}

/** The tab without which both have the same order, and the tab after it. */
function moveOf(old: readonly string[], now: readonly string[]): string | undefined {
  if (old.length !== now.length || old.every((name, i) => name === now[i])) return undefined;
  if (old.toSorted().some((name, i) => name !== now.toSorted()[i])) return undefined;
  const at = movedFrom(old, now);
  if (at === undefined) return `the tabs are ${now.map((name) => clipped(name, 40)).join(', ')} now`;
  const next = now[at + 1];
  const place = next === undefined ? 'the last of its group' : `before ${clipped(next, 60)}`;
  return `the tab ${clipped(now[at] ?? '', 60)} is ${place} now`;
}

/** Where the one tab is now that was moved; the farther one of two that changed places. */
function movedFrom(old: readonly string[], now: readonly string[]): number | undefined {
  const without = (list: readonly string[], at: number) => list.filter((_, i) => i !== at).join('\0');
  const moved = now.flatMap((name, to) => {
    const from = old.indexOf(name);
    return from !== to && without(old, from) === without(now, to) ? [{ to, far: Math.abs(to - from) }] : [];
  });
  return moved.sort((a, b) => b.far - a.far)[0]?.to;
}
