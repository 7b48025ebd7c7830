import type { LayoutPart } from '../../../bridge/protocol/index.ts';
import { clipEvidence } from './evidence-words.ts';
import type { Evidence } from './evidence.ts';

/** Parts that come and go by themselves while something is typed. */
const popupNames: readonly string[] = ['suggestions'];
/** Pixels by which a part may move or grow without being dragged. */
const leastChange = 2;

/** Parts of the window that appeared, disappeared or changed their size, in words. */
export function layoutChange(
  { page: before }: Evidence,
  { page: after }: Evidence,
): { readonly parts: string[]; readonly popups: string[] } {
  const nothing = { parts: [], popups: [] };
  // A window that was reloaded, or is behind a dialog of the browser, has not changed its layout.
  if (!before || !after || before.dialog || after.dialog || before.loadedAt !== after.loadedAt)
    return nothing;
  const [old, now] = [byName(before.layout), byName(after.layout)];
  const without = (others: LayoutSizes) => (name: string) => !others.has(name);
  const come = [...now.keys()].filter(without(old)).map((name) => `the ${name} ${isOrAre(name)} shown now`);
  const gone = [...old.keys()].filter(without(now)).map((name) => `the ${name} ${isOrAre(name)} hidden now`);
  const isPopup = (words: string) => popupNames.some((name) => words.startsWith(`the ${name} `));
  const shown = [...come, ...gone].filter((words) => !isPopup(words));
  const sizes = shown.length > 0 ? [] : resized(old, now);
  return { parts: [...shown, ...sizes], popups: [...come, ...gone].filter(isPopup) };
}

function isOrAre(name: string): string {
  return name.endsWith('s') ? 'are' : 'is';
}

/** Bars and the panel; else, where a border between editors was dragged, the groups of editors. */
function resized(old: LayoutSizes, now: LayoutSizes): string[] {
  const changed = [...now].flatMap(([name, { width, height }]) => {
    const was = old.get(name);
    if (!was || !isMovable(name)) return [];
    const isOther = Math.abs(was.width - width) > leastChange || Math.abs(was.height - height) > leastChange;
    return isOther
      ? [{ name, words: `the ${name} is ${formatSize({ width, height })} now, was ${formatSize(was)}` }]
      : [];
  });
  const bars = changed.filter(({ name }) => !name.startsWith('editor group'));
  return (bars.length > 0 ? bars : changed).map(({ words }) => words);
}

type LayoutSizes = ReadonlyMap<string, LayoutPart['box']>;

function isMovable(name: string): boolean {
  return /bar$|^panel$|^editor group/u.test(name) && !/^(status|title|activity) bar$/u.test(name);
}

function byName(layout: readonly LayoutPart[]): Map<string, LayoutPart['box']> {
  return new Map(layout.map(({ name, box }) => [name, box]));
}

function formatSize({ width, height }: { readonly width: number; readonly height: number }): string {
  return `${Math.round(width)}x${Math.round(height)}`;
}

/** Tabs that moved within their own group, in words; empty if tabs were opened or closed. */
export function tabMoves({ page: before }: Evidence, { page: after }: Evidence): string[] {
  if (!before || !after || before.dialog || after.dialog || before.loadedAt !== after.loadedAt) return [];
  if (before.tabs.length !== after.tabs.length) return [];
  return after.tabs.flatMap((now, group) => describeMove(before.tabs[group] ?? [], now) ?? []);
}

/** The tab without which both have the same order, and the tab after it. */
function describeMove(old: readonly string[], now: readonly string[]): string | undefined {
  if (old.length !== now.length || old.every((name, i) => name === now[i])) return undefined;
  if (old.toSorted().some((name, i) => name !== now.toSorted()[i])) return undefined;
  const at = movedFrom(old, now);
  if (at === undefined) return `the tabs are ${now.map((name) => clipEvidence(name, 40)).join(', ')} now`;
  const next = now[at + 1];
  const place = next === undefined ? 'the last of its group' : `before ${clipEvidence(next, 60)}`;
  return `the tab ${clipEvidence(now[at] ?? '', 60)} is ${place} now`;
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
