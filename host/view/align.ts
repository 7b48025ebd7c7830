import { diffArrays } from 'diff';
import { callsOf, type Call } from '../analysis/index.ts';
import { actionText } from '../record/index.ts';
import type { OpenedRecord, ReadStop } from './opened-record.ts';
import type { AlignedData, AlignedRow } from './page/index.ts';

/** The maximum number of an attempt's moments to compare, and of differences, above which they are not aligned. */
const most = { moments: 2000, differences: 1500 };

/** Two attempts side by side, aligned by their actions: the same kind of action on the same thing is one row. */
export async function aligned(a: OpenedRecord, b: OpenedRecord): Promise<AlignedData> {
  const [left, right] = [await keysOf(a), await keysOf(b)];
  const isCut = a.stops.length > most.moments || b.stops.length > most.moments;
  const changes = diffArrays(
    left.map(({ key }) => key),
    right.map(({ key }) => key),
    { maxEditLength: most.differences },
  );
  const rows = changes ? byWhatTheyDid(changes, left, right) : byPlace(left, right);
  const notes = [
    ...(isCut ? [`Only the first ${most.moments} moments of each are compared.`] : []),
    ...(changes ? [] : ['They have too little in common: their steps are side by side by their numbers.']),
  ];
  return { rows, note: notes.length === 0 ? null : notes.join(' ') };
}

interface Keyed {
  /** The key by which it is compared. */
  readonly key: string;
  /** All of its actions. */
  readonly text: string;
}

async function keysOf(record: OpenedRecord): Promise<Keyed[]> {
  const keys: Keyed[] = [];
  for await (const stop of record.read(0, Math.min(record.stops.length, most.moments)))
    keys.push(keyOf(stop));
  return keys;
}

function keyOf({ moment, place }: ReadStop): Keyed {
  if (moment === null) return { key: 'unreadable', text: `unreadable ${place.number}` };
  const kind = moment.step ? 'step' : moment.restore ? 'restore' : moment.people ? 'people' : 'start';
  const calls = moment.step ? callsOf(moment.step) : [];
  return {
    key: [kind, ...calls.map(thing)].join('\n'),
    text: [kind, ...calls.map(({ action }) => actionText(action))].join('\n'),
  };
}

/** The subject of a call, without exact positions of the pointer: the same button is elsewhere on another screen. */
function thing({ action, name, arguments: given, tool }: Call): string {
  if (action.kind === 'tool') return `${name} ${path(tool?.arguments ?? given)}`;
  if (action.kind === 'mark') return action.verb;
  return actionText(action).replaceAll(/\d+/g, '0');
}

function path(given: Readonly<Record<string, unknown>>): string {
  return ['path', 'command', 'query']
    .map((name) => given[name])
    .filter((value) => typeof value === 'string')
    .join(' ');
}

interface Change {
  readonly added?: boolean;
  readonly removed?: boolean;
  readonly value: readonly string[];
}

function byWhatTheyDid(
  changes: readonly Change[],
  left: readonly Keyed[],
  right: readonly Keyed[],
): AlignedRow[] {
  let [i, j] = [0, 0];
  return changes.flatMap(({ added, removed, value }) =>
    value.map((): AlignedRow => {
      if (removed) return { a: i++, b: null, same: false };
      if (added) return { a: null, b: j++, same: false };
      const same = left[i]?.text === right[j]?.text;
      return { a: i++, b: j++, same };
    }),
  );
}

function byPlace(left: readonly Keyed[], right: readonly Keyed[]): AlignedRow[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, i) => ({
    a: i < left.length ? i : null,
    b: i < right.length ? i : null,
    same: left[i]?.text === right[i]?.text,
  }));
}
