/** Pauses by which an application keeps its answer back until typing or choosing has ended: their length in ms. */
const LENGTH = { least: 50, most: 250 } as const;
/** What begins later than this after the last input, in ms, is no answer to it: what repeats itself would never end. */
const ANSWER_MS = 1000;
/** A timer that is due by so much has been called, even where the page is slow. */
const LATE_MS = 20;

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
  return Math.min(Math.max(0, left), LENGTH.most + LATE_MS);
}

/** Watches the timers that a page's scripts set. Called in their world, before them; once more it does nothing. */
export function watchPauses(): void {
  if (!document.dispatchEvent(new Event(QUESTION, { cancelable: true }))) return;
  const due = new Map<number, number>();
  const set = window.setTimeout.bind(window);
  const clear = window.clearTimeout.bind(window);
  let [input, running] = [-Infinity, 0];

  const watched = (handler: TimerHandler, delay = 0, ...rest: unknown[]): number => {
    const now = performance.now();
    // Whatever a page's script passes.
    const ms = Number(delay);
    // A timer that sets itself again is a clock: it waits for nothing.
    const ticks = ms === running;
    const counts = ms >= LENGTH.least && ms <= LENGTH.most && !ticks && now - input < ANSWER_MS;
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
    if (counts) due.set(id, now + ms + LATE_MS);
    return id;
  };
  window.setTimeout = watched as typeof window.setTimeout;
  window.clearTimeout = (id) => {
    if (id !== undefined) due.delete(id);
    clear(id);
  };

  const seen = () => {
    input = performance.now();
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
