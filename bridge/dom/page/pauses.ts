import { findSurface } from './focus.ts';
import { SMALL_EDITORS } from './targets.ts';
import { findActiveElement } from './views.ts';

/**
 * Pauses by which an application keeps its answer back until typing or choosing has ended: their length in ms. Those of
 * fields are longer: VS Code searches keybindings 300 ms after the last key, and writes a setting after a second.
 */
const LENGTH = { least: 50, most: 250, mostInField: 1050 } as const;
/** A timer set later than this after the last input, in ms, does not answer it: a repeating timer would never end. */
const ANSWER_MS = 1000;
/** A timer that is due by so much has been called, even where the page is slow. */
const LATE_MS = 20;
/** A field's pause delays another process's work, a search or a write, whose result shows at most this much later. */
const WORK_MS = 250;
/**
 * An output that is shown follows its log: what is logged is written a little later, VS Code looks for it every `lookMs`,
 * and adds it `addMs` after it was found.
 */
const FOLLOW = { writeMs: 200, lookMs: 500, addMs: 300 } as const;
const OUTPUT = '.monaco-editor[data-uri^="output:"]';
/** Fields that answer at once. Their long pauses have no visible result: they write a history, for example. */
const PROMPT = '.find-widget, .quick-input-widget';

const INPUT = ['keydown', 'keyup', 'mousedown', 'mouseup', 'mousemove', 'wheel'] as const;
/** The two worlds of a page share its document, and no object. */
const [QUESTION, ANSWER] = ['pwp-pauses', 'pwp-pause-left'];

/** Milliseconds until the last pause of the page's own scripts ends; 0 if no pause is pending. */
export function readPauseLeft(): number {
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
function isInField(): boolean {
  const active = findActiveElement();
  if (!active?.matches('input, textarea, [contenteditable], .native-edit-context')) return false;
  if (active.closest(PROMPT)) return false;
  const surface = findSurface(active);
  return surface === null || surface.closest(SMALL_EDITORS) !== null;
}

/** A timer that has been set; times as of `performance.now()`. */
interface Pause {
  readonly setAt: number;
  readonly ms: number;
  /** When its result is visible. */
  readonly overAt: number;
  /** It may delay an answer to input. */
  readonly answers: boolean;
}

/** Whether a visible output channel has yet to show what the last key or click may have logged. */
function isFollowingOutput({ setAt, ms }: Pause, acted: number): boolean {
  const since = setAt - acted;
  if (ms === FOLLOW.lookMs) return since < FOLLOW.writeMs;
  return ms === FOLLOW.addMs && since >= 0 && since < ANSWER_MS;
}

/** Watches the timers that a page's scripts set. Called in their world, before them; once more it does nothing. */
export function watchPauses(): void {
  if (!document.dispatchEvent(new Event(QUESTION, { cancelable: true }))) return;
  const pauses = new Map<number, Pause>();
  const set = window.setTimeout.bind(window);
  const clear = window.clearTimeout.bind(window);
  let [input, acted, running, most] = [-Infinity, -Infinity, 0, LENGTH.most as number];

  const watched = (handler: TimerHandler, delay = 0, ...rest: unknown[]): number => {
    const setAt = performance.now();
    // The page's script may pass any value.
    const ms = Number(delay);
    if (typeof handler !== 'function') return set(handler, delay, ...rest);
    const call = handler as (...values: unknown[]) => void;
    // A timer that sets itself again is a clock: it waits for nothing.
    const answers = ms <= most && ms !== running && setAt - input < ANSWER_MS;
    const id = set(
      (...values: unknown[]) => {
        pauses.delete(id);
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
    const overAt = setAt + ms + (ms > LENGTH.most ? WORK_MS : LATE_MS);
    if (ms >= LENGTH.least && ms <= LENGTH.mostInField) pauses.set(id, { setAt, ms, overAt, answers });
    return id;
  };
  window.setTimeout = watched as typeof window.setTimeout;
  window.clearTimeout = (id) => {
    if (id !== undefined) pauses.delete(id);
    clear(id);
  };

  const seen = ({ type }: Event) => {
    input = performance.now();
    if (type !== 'keydown' && type !== 'mousedown') return;
    acted = input;
    // The focus when the key goes down: the answer to Return comes after the focus has moved on.
    most = type === 'keydown' && isInField() ? LENGTH.mostInField : LENGTH.most;
  };
  for (const type of INPUT) window.addEventListener(type, seen, { capture: true, passive: true });
  document.addEventListener(QUESTION, (event) => {
    event.preventDefault();
    const now = performance.now();
    for (const [id, { overAt }] of pauses) if (overAt <= now) pauses.delete(id);
    const output = document.querySelector(OUTPUT)?.checkVisibility() ?? false;
    const awaited = [...pauses.values()].filter(
      (one) => one.answers || (output && isFollowingOutput(one, acted)),
    );
    const left = Math.max(0, ...awaited.map(({ overAt }) => overAt - now));
    document.dispatchEvent(new CustomEvent(ANSWER, { detail: left }));
  });
}
