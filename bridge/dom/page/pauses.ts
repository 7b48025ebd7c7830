import { SMALL_EDITORS } from './candidates.ts';
import { surfaceOf } from './focus.ts';
import { activeElement } from './views.ts';

/**
 * Pauses by which an application keeps its answer back until typing or choosing has ended: their length in ms. Those of
 * fields are longer: VS Code searches keybindings 300 ms after the last key, and writes a setting after a second.
 */
const LENGTH = { least: 50, most: 250, mostInField: 1050 } as const;
/** What begins later than this after the last input, in ms, is no answer to it: what repeats itself would never end. */
const ANSWER_MS = 1000;
/** A timer that is due by so much has been called, even where the page is slow. */
const LATE_MS = 20;
/** What a field's pause was for is another process's work, a search or a write: it shows this much later at most. */
const WORK_MS = 250;
/** Fields that answer at once. Their long pauses are for what nobody sees, such as a history. */
const PROMPT = '.find-widget, .quick-input-widget';

const INPUT = ['keydown', 'keyup', 'mousedown', 'mouseup', 'mousemove', 'wheel'] as const;
/** The two worlds of a page share its document, and no object. */
const [QUESTION, ANSWER] = ['pwp-pauses', 'pwp-pause-left'];

/** Milliseconds until the last pause of the page's own scripts ends; 0 if there is none. */
export function pauseLeft(): number {
  let left = 0;
  const listener = (event: Event) => {
    left = Number((event as CustomEvent<unknown>).detail) || 0;
  };
  document.addEventListener(ANSWER, listener);
  document.dispatchEvent(new Event(QUESTION, { cancelable: true }));
  document.removeEventListener(ANSWER, listener);
  return Math.min(Math.max(0, left), LENGTH.mostInField + WORK_MS);
}

/** Whether keys go to a field of a form, not to a document, a terminal or a list. */
function inField(): boolean {
  const active = activeElement();
  if (!active?.matches('input, textarea, [contenteditable], .native-edit-context')) return false;
  if (active.closest(PROMPT)) return false;
  const surface = surfaceOf(active);
  return surface === null || surface.closest(SMALL_EDITORS) !== null;
}

/** Watches the timers that a page's scripts set. Called in their world, before them; once more it does nothing. */
export function watchPauses(): void {
  if (!document.dispatchEvent(new Event(QUESTION, { cancelable: true }))) return;
  const due = new Map<number, number>();
  const set = window.setTimeout.bind(window);
  const clear = window.clearTimeout.bind(window);
  let [input, running, most] = [-Infinity, 0, LENGTH.most as number];

  const watched = (handler: TimerHandler, delay = 0, ...rest: unknown[]): number => {
    const now = performance.now();
    // Whatever a page's script passes.
    const ms = Number(delay);
    // A timer that sets itself again is a clock: it waits for nothing.
    const ticks = ms === running;
    const counts = ms >= LENGTH.least && ms <= most && !ticks && now - input < ANSWER_MS;
    if (typeof handler !== 'function') return set(handler, delay, ...rest);
    const call = handler as (...values: unknown[]) => void;
    const id = set(
      (...values: unknown[]) => {
        due.delete(id);
        running = ms;
        try {
          call.apply(window, values);
        } finally {
          running = 0;
        }
      },
      delay,
      ...rest,
    );
    if (counts) due.set(id, now + ms + (ms > LENGTH.most ? WORK_MS : LATE_MS));
    return id;
  };
  window.setTimeout = watched as typeof window.setTimeout;
  window.clearTimeout = (id) => {
    if (id !== undefined) due.delete(id);
    clear(id);
  };

  const seen = ({ type }: Event) => {
    input = performance.now();
    // Where the focus is as a key goes down: the answer to Return comes when it has moved on.
    if (type === 'keydown') most = inField() ? LENGTH.mostInField : LENGTH.most;
    else if (type === 'mousedown') most = LENGTH.most;
  };
  for (const type of INPUT) window.addEventListener(type, seen, { capture: true, passive: true });
  document.addEventListener(QUESTION, (event) => {
    event.preventDefault();
    const now = performance.now();
    for (const [id, at] of due) if (at <= now) due.delete(id);
    const left = Math.max(0, ...[...due.values()].map((at) => at - now));
    document.dispatchEvent(new CustomEvent(ANSWER, { detail: left }));
  });
}
