import type { DomProbe, IdeEvent } from '../../../bridge/protocol/index.ts';
import { clipEvidence, describeStateChange, joinEvidence, quoteShort } from './evidence-words.ts';
import type { Evidence } from './evidence.ts';

/** What VS Code itself reports in between, in words: settings, files and tabs, breakpoints, messages to people. */
export function collectNews(before: Evidence, after: Evidence): string[] {
  return [
    ...describeReload(before, after),
    ...describeMessages(before, after),
    ...findEventsBetween(before, after).flatMap(describeEvent),
  ];
}

/** The same in one line of evidence; empty without news. */
function newsText(before: Evidence, after: Evidence): string {
  return joinEvidence(collectNews(before, after));
}

/** Events between two looks, oldest first; those of auto save, which comes by itself, are not among them. */
export function findEventsBetween({ events: before }: Evidence, { events: after }: Evidence): IdeEvent[] {
  if (!before || !after) return [];
  // A reloaded window counts from the start.
  if (after.count < before.count) return [];
  const fresh = after.recent.filter(({ number }) => number > before.count);
  const own = fresh.filter(({ what, name }) => what !== 'saved' || !before.unwritten.includes(name));
  return withMoves(own.filter((event) => !saysLess(event, own))).sort((a, b) => rankEvent(a) - rankEvent(b));
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
function rankEvent({ what }: IdeEvent): number {
  return what === 'closed' ? 1 : 0;
}

function describeReload({ page: before }: Evidence, { page: after }: Evidence): string[] {
  if (!before || !after || before.dialog || after.dialog) return [];
  return before.loadedAt === after.loadedAt ? [] : ['the window was reloaded'];
}

function describeMessages({ page: before }: Evidence, { page: after }: Evidence): string[] {
  if (!before || !after) return [];
  const known = new Set(before.messages.map(({ kind, text }) => `${kind} ${text}`));
  return after.messages
    .filter(({ kind, text }) => kind !== 'status' && !known.has(`${kind} ${text}`))
    .map(({ kind, text }) => `${kind} ${quoteShort(text, 120)}`);
}

function describeEvent({ what, name, value, scope }: IdeEvent): string[] {
  if (what !== 'setting') return [`${what} ${clipEvidence(name, 60)}`];
  const where = scope === 'workspace' ? ' in the workspace' : '';
  const now = value === undefined ? 'is not set any longer' : `= ${clipEvidence(value, 60)}`;
  return [`setting ${clipEvidence(name, 80)} ${now}${where}`];
}

/** A command that has not ended, as a person would see from its terminal. */
export function stillRunning({ page, events }: Evidence): string[] {
  const command = page?.surface === 'terminal' ? events?.commands.at(-1) : undefined;
  return command === undefined ? [] : [`command ${quoteShort(command)} is still running in the terminal`];
}

/** Whether a setting's control was changed, and VS Code has not reported yet that the setting is written. */
export function awaitsSetting(before: Evidence, after: Evidence): boolean {
  if (!before.page || !after.page?.setting || !before.events || !after.events) return false;
  if (findEventsBetween(before, after).some(({ what }) => what === 'setting')) return false;
  return isTicked(before.page, after.page) || isEdited(before.page, after.page);
}

/** By the keyboard or the mouse. */
function isTicked(before: DomProbe, after: DomProbe): boolean {
  const press = after.pressed?.count === before.pressed?.count ? null : after.pressed;
  if (press?.now && describeStateChange(press.before, press.now) !== '') return true;
  return before.element === after.element && describeStateChange(before.state, after.state) !== '';
}

/** And VS Code's pause, in which it waits for more typing, is over. */
function isEdited(before: DomProbe, after: DomProbe): boolean {
  const isOther = before.focus?.value !== after.focus?.value;
  return before.element === after.element && isOther && after.pending === null;
}

/**
 * What VS Code has yet to write after the last input of a step, e.g. `VS Code has yet to write: settings.json`. It
 * never writes a value that it considers invalid.
 */
export function describePending(before: Evidence, after: Evidence): string[] {
  const { page, events } = after;
  const files = [...(page?.pending === 'write' ? ['settings.json'] : []), ...(events?.unwritten ?? [])];
  if (files.length > 0) return [`VS Code has yet to write: ${clipEvidence(files.join(', '), 160)}`];
  return awaitsSetting(before, after) ? ['VS Code has not written the setting'] : [];
}

/** Events of VS Code between steps. No action caused them, so they are in no evidence. */
export class EventsSinceLastLook {
  #last: Evidence | undefined;

  /** In one line; undefined if nothing is known. */
  since(before: Evidence | undefined): string | undefined {
    const news = this.#last && before ? newsText(this.#last, before) : '';
    return news === '' ? undefined : news;
  }

  /** @param after the last look at a step; undefined if there was no look */
  stepOver(after: Evidence | undefined): void {
    this.#last = after;
  }

  /** For a sandbox that was restored, and after people had control: their changes are reported elsewhere. */
  forget(): void {
    this.#last = undefined;
  }
}
