import type { PageActivity } from './api.ts';
import { Accepted } from './accepted.ts';
import { Drags } from './drags.ts';
import { keepKeys } from './keys.ts';
import { Lasting } from './lasting.ts';
import { pauseLeft } from './pauses.ts';
import { Presses } from './presses.ts';
import { still } from './still.ts';
import { views } from './views.ts';
import { loadingWebviews } from './webviews.ts';
import { line } from './words.ts';

const BUSY = '.monaco-progress-container.active, .codicon-modifier-spin, .codicon-loading';
const BUSY_CLASS = /\b(?:active|codicon-modifier-spin|codicon-loading)\b/;

/** At most this many of them are named. */
const MOST = 50;

/** Changes in here are not work: carets, and text for screen readers. */
const NOISE = '.cursors-layer, .xterm-cursor, .monaco-aria-container, .xterm-accessibility';

/** Keyboard and mouse events of a person or an agent. */
const INPUT = ['keydown', 'pointerdown', 'pointermove', 'wheel'] as const;

/** Maximum number of ancestors to search, from a changed place up to one that is redrawn as a whole. */
const MOST_ABOVE = 8;

/** Watches every tree of the page for changes. */
export class Activity {
  readonly presses = new Presses();
  readonly drags = new Drags();
  readonly accepted = new Accepted();
  readonly #watched = new WeakSet<Document | ShadowRoot>();
  readonly #observer = new MutationObserver((changes) => {
    changes.forEach(noteStart);
    const news = changes.filter((change) => isChange(change) && !isNoise(change.target));
    this.#changes += news.length;
    this.#noteNews(news);
  });
  readonly #lasting = new Lasting<Node>();
  #changes = 0;
  #keys = 0;
  #last = performance.now();

  /** Starts to watch trees that are new; stops their animations, and keeps their keys from the browser. */
  watch(): void {
    for (const { root } of views()) {
      still(root);
      if (this.#watched.has(root)) continue;
      this.#watched.add(root);
      if ('defaultView' in root) {
        const count = ({ isTrusted }: Event) => (this.#keys += Number(isTrusted));
        root.defaultView?.addEventListener('keydown', count, { capture: true, passive: true });
        const input = ({ isTrusted }: Event) => isTrusted && this.#lasting.input(performance.now());
        for (const type of INPUT)
          root.defaultView?.addEventListener(type, input, { capture: true, passive: true });
        keepKeys(root);
        this.presses.watch(root);
        this.drags.watch(root);
        this.accepted.watch(root);
      }
      this.#observer.observe(root, {
        subtree: true,
        childList: true,
        attributes: true,
        attributeOldValue: true,
        characterData: true,
      });
    }
  }

  /** Changes seen so far. */
  get changes(): number {
    return this.#changes;
  }

  /** Keys that have gone down so far. */
  get keys(): number {
    return this.#keys;
  }

  /** Changes at places that changed all the time before the last input are not counted. */
  #noteNews(changes: readonly MutationRecord[]): void {
    const now = performance.now();
    for (const place of new Set(changes.map(placeOf))) if (!this.#goesOn(place, now)) this.#last = now;
  }

  #goesOn(place: Node, now: number): boolean {
    if (this.#lasting.note(place, now)) return true;
    let above = place.parentNode;
    for (let level = 0; above && level < MOST_ABOVE; level += 1, above = above.parentNode)
      if (this.#lasting.has(above, now)) return true;
    return false;
  }

  read(): Omit<PageActivity, 'workbench'> {
    this.watch();
    return { quietMs: Math.max(0, performance.now() - this.#last), pauseMs: pauseLeft(), busy: busy() };
  }
}

/**
 * The progress bars and spinners that can be seen, each named after the part of the workbench it is in, and the
 * webviews that have yet to show their page.
 */
export function busy(): PageActivity['busy'] {
  const found = loadingWebviews()
    .map((what) => ({ what, ageMs: 0 }))
    .slice(0, MOST);
  for (const { root } of views()) {
    for (const element of root.querySelectorAll(BUSY)) {
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        since.delete(element);
      else if (found.length < MOST) found.push({ what: describe(element), ageMs: ageOf(element) });
    }
  }
  return found;
}

/** When each of them was first shown. A part of the workbench shows its bar repeatedly. */
const since = new WeakMap<Element, number>();

function ageOf(element: Element): number {
  const now = performance.now();
  const start = since.get(element) ?? now;
  since.set(element, start);
  return now - start;
}

function noteStart({ target, attributeName, oldValue }: MutationRecord): void {
  if (attributeName !== 'class' || BUSY_CLASS.test(oldValue ?? '')) return;
  if ((target as Element).matches(BUSY)) since.set(target as Element, performance.now());
}

function describe(element: Element): string {
  const what = element.matches('.monaco-progress-container') ? 'progress bar' : 'spinner';
  const part = element.closest('.part, .notification-toast, .quick-input-widget, .editor-widget');
  const where = part?.id || part?.classList[1] || part?.classList[0] || '';
  return line(where ? `${what} in ${where}` : what, 100);
}

/** A text node is replaced each time; its parent stays. */
function placeOf({ target }: MutationRecord): Node {
  return target.nodeType === Node.ELEMENT_NODE ? target : (target.parentNode ?? target);
}

/** VS Code often sets a class or a style that is set already, some of them seconds after a view was opened. */
function isChange({ type, target, attributeName, oldValue }: MutationRecord): boolean {
  if (type !== 'attributes' || attributeName === null) return true;
  return (target as Element).getAttribute(attributeName) !== oldValue;
}

function isNoise(node: Node): boolean {
  const element = node.nodeType === Node.ELEMENT_NODE ? (node as Element) : node.parentElement;
  return element?.closest(NOISE) != null;
}
