import type { IdeEvent } from '../../../bridge/protocol/index.ts';
import type { Evidence } from './evidence.ts';
import { clipped, joined, quoted } from './words.ts';

/** What VS Code itself reports in between, in words: settings, files and tabs, breakpoints, messages to people. */
export function newsOf(before: Evidence, after: Evidence): string[] {
  return [
    ...reloadOf(before, after),
    ...messagesOf(before, after),
    ...eventsOf(before, after).flatMap(wordsOf),
  ];
}

/** The same in one line of evidence; empty without news. */
export function newsText(before: Evidence, after: Evidence): string {
  return joined(newsOf(before, after));
}

/** Events between two looks, oldest first; those of auto save, which comes by itself, are not among them. */
export function eventsOf({ events: before }: Evidence, { events: after }: Evidence): IdeEvent[] {
  if (!before || !after) return [];
  // A reloaded window counts from the start.
  if (after.count < before.count) return [];
  const fresh = after.recent.filter(({ number }) => number > before.count);
  const own = fresh.filter(({ what, name }) => what !== 'saved' || !before.unwritten.includes(name));
  return withMoves(own.filter((event) => !saysLess(event, own))).sort((a, b) => rank(a) - rank(b));
}

/** A tab that goes to another group is opened there, and then closed where it was. */
function withMoves(events: readonly IdeEvent[]): IdeEvent[] {
  const moved = new Set<IdeEvent>();
  const all = events.flatMap((event): IdeEvent[] => {
    if (event.what !== 'opened') return [event];
    const end = events.find(
      (other) =>
        other.what === 'closed' &&
        other.name === event.name &&
        other.number > event.number &&
        !moved.has(other),
    );
    if (!end) return [event];
    moved.add(end);
    return [{ ...event, what: 'moved' }];
  });
  return all.filter((event) => !moved.has(event));
}

/** A setting says more than its file. */
function saysLess({ what, name }: IdeEvent, all: readonly IdeEvent[]): boolean {
  return what === 'saved' && name === 'settings.json' && all.some((other) => other.what === 'setting');
}

/** An event about the tab that takes another's place says more than one about the tab that closed. */
function rank({ what }: IdeEvent): number {
  return what === 'closed' ? 1 : 0;
}

function reloadOf({ page: before }: Evidence, { page: after }: Evidence): string[] {
  if (!before || !after || before.dialog || after.dialog) return [];
  return before.loadedAt === after.loadedAt ? [] : ['the window was reloaded'];
}

function messagesOf({ page: before }: Evidence, { page: after }: Evidence): string[] {
  if (!before || !after) return [];
  const known = new Set(before.messages.map(({ kind, text }) => `${kind} ${text}`));
  return after.messages
    .filter(({ kind, text }) => kind !== 'status' && !known.has(`${kind} ${text}`))
    .map(({ kind, text }) => `${kind} ${quoted(text, 120)}`);
}

function wordsOf({ what, name, value, scope }: IdeEvent): string[] {
  if (what !== 'setting') return [`${what} ${clipped(name, 60)}`];
  const where = scope === 'workspace' ? ' in the workspace' : '';
  const now = value === undefined ? 'is not set any longer' : `= ${clipped(value, 60)}`;
  return [`setting ${clipped(name, 80)} ${now}${where}`];
}

/** A command that has not ended, as a person would see from its terminal. */
export function stillRunning({ page, events }: Evidence): string[] {
  const command = page?.surface === 'terminal' ? events?.commands.at(-1) : undefined;
  return command === undefined ? [] : [`command ${quoted(command)} is still running in the terminal`];
}
