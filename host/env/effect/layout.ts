import type { LayoutPart } from '../../../bridge/protocol/index.ts';
import type { Evidence } from './evidence.ts';

/** Parts that come and go by themselves while something is typed. */
const popups: readonly string[] = ['suggestions'];
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
  const without = (others: Sizes) => (name: string) => !others.has(name);
  const come = [...now.keys()].filter(without(old)).map((name) => `the ${name} ${isOrAre(name)} shown now`);
  const gone = [...old.keys()].filter(without(now)).map((name) => `the ${name} ${isOrAre(name)} hidden now`);
  const isPopup = (words: string) => popups.some((name) => words.startsWith(`the ${name} `));
  const shown = [...come, ...gone].filter((words) => !isPopup(words));
  const sizes = shown.length > 0 ? [] : resized(old, now);
  return { parts: [...shown, ...sizes], popups: [...come, ...gone].filter(isPopup) };
}

function isOrAre(name: string): string {
  return name.endsWith('s') ? 'are' : 'is';
}

/** Bars and the panel; else, where a border between editors was dragged, the groups of editors. */
function resized(old: Sizes, now: Sizes): string[] {
  const changed = [...now].flatMap(([name, { width, height }]) => {
    const was = old.get(name);
    if (!was || !isMovable(name)) return [];
    const isOther = Math.abs(was.width - width) > leastChange || Math.abs(was.height - height) > leastChange;
    return isOther
      ? [{ name, words: `the ${name} is ${sizeOf({ width, height })} now, was ${sizeOf(was)}` }]
      : [];
  });
  const bars = changed.filter(({ name }) => !name.startsWith('editor group'));
  return (bars.length > 0 ? bars : changed).map(({ words }) => words);
}

type Sizes = ReadonlyMap<string, LayoutPart['box']>;

function isMovable(name: string): boolean {
  return /bar$|^panel$|^editor group/u.test(name) && !/^(status|title|activity) bar$/u.test(name);
}

function byName(layout: readonly LayoutPart[]): Map<string, LayoutPart['box']> {
  return new Map(layout.map(({ name, box }) => [name, box]));
}

function sizeOf({ width, height }: { readonly width: number; readonly height: number }): string {
  return `${Math.round(width)}x${Math.round(height)}`;
}
