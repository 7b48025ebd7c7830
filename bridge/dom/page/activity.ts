import { shortenLine } from './accessibility.ts';
import type { PageActivity } from './api.ts';
import { AcceptedEntry, DragTracker, keepBrowserKeys, PressTracker } from './input.ts';
import { readPauseLeft } from './pauses.ts';
import { walkViews } from './views.ts';

const BUSY = '.monaco-progress-container.active, .codicon-modifier-spin, .codicon-loading';
const BUSY_CLASS = /\b(?:active|codicon-modifier-spin|codicon-loading)\b/;

/** At most this many of them are named. */
const MAX_INDICATORS = 50;

/** Changes in here are not work: carets, and text for screen readers. */
const NOISE = '.cursors-layer, .xterm-cursor, .monaco-aria-container, .xterm-accessibility';

/** Keyboard and mouse events of a person or an agent. */
const INPUT = ['keydown', 'pointerdown', 'pointermove', 'wheel'] as const;

/** Maximum number of ancestors to search, from a changed place up to one that is redrawn as a whole. */
const MAX_ANCESTORS = 8;

/** Watches every tree of the page for changes. */
export class ActivityWatcher {
  readonly presses = new PressTracker();
  readonly drags = new DragTracker();
  readonly accepted = new AcceptedEntry();
  readonly #watched = new WeakSet<Document | ShadowRoot>();
  readonly #observer = new MutationObserver((changes) => {
    changes.forEach(noteStart);
    const news = changes.filter((change) => isChange(change) && !isNoise(change.target));
    this.#changes += news.length;
    this.#noteNews(news);
  });
  readonly #lasting = new OngoingChanges<Node>();
  #changes = 0;
  #keys = 0;
  #last = performance.now();

  /** Starts to watch trees that are new; stops their animations, and keeps their keys from the browser. */
  watch(): void {
    for (const { root } of walkViews()) {
      stopMotion(root);
      if (this.#watched.has(root)) continue;
      this.#watched.add(root);
      if ('defaultView' in root) {
        const count = ({ isTrusted }: Event) => (this.#keys += Number(isTrusted));
        root.defaultView?.addEventListener('keydown', count, { capture: true, passive: true });
        const input = ({ isTrusted }: Event) => isTrusted && this.#lasting.input(performance.now());
        for (const type of INPUT)
          root.defaultView?.addEventListener(type, input, { capture: true, passive: true });
        keepBrowserKeys(root);
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
    for (const place of new Set(changes.map(locateChange))) if (!this.#goesOn(place, now)) this.#last = now;
  }

  #goesOn(place: Node, now: number): boolean {
    if (this.#lasting.note(place, now)) return true;
    let above = place.parentNode;
    for (let level = 0; above && level < MAX_ANCESTORS; level += 1, above = above.parentNode)
      if (this.#lasting.has(above, now)) return true;
    return false;
  }

  read(): Omit<PageActivity, 'workbench'> {
    this.watch();
    return {
      quietMs: Math.max(0, performance.now() - this.#last),
      pauseMs: readPauseLeft(),
      busy: listBusyIndicators(),
    };
  }
}

/**
 * The progress bars and spinners that can be seen, each named after the part of the workbench it is in, and the
 * webviews that have yet to show their page.
 */
export function listBusyIndicators(): PageActivity['busy'] {
  const found = listLoadingWebviews()
    .map((what) => ({ what, ageMs: 0 }))
    .slice(0, MAX_INDICATORS);
  for (const { root } of walkViews()) {
    for (const element of root.querySelectorAll(BUSY)) {
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        busySince.delete(element);
      else if (found.length < MAX_INDICATORS)
        found.push({ what: describeIndicator(element), ageMs: measureBusyTime(element) });
    }
  }
  return found;
}

/** When each of them was first shown. A part of the workbench shows its bar repeatedly. */
const busySince = new WeakMap<Element, number>();

function measureBusyTime(element: Element): number {
  const now = performance.now();
  const start = busySince.get(element) ?? now;
  busySince.set(element, start);
  return now - start;
}

function noteStart({ target, attributeName, oldValue }: MutationRecord): void {
  if (attributeName !== 'class' || BUSY_CLASS.test(oldValue ?? '')) return;
  if ((target as Element).matches(BUSY)) busySince.set(target as Element, performance.now());
}

function describeIndicator(element: Element): string {
  const what = element.matches('.monaco-progress-container') ? 'progress bar' : 'spinner';
  const part = element.closest('.part, .notification-toast, .quick-input-widget, .editor-widget');
  const where = part?.id || part?.classList[1] || part?.classList[0] || '';
  return shortenLine(where ? `${what} in ${where}` : what, 100);
}

/** A text node is replaced each time; its parent stays. */
function locateChange({ target }: MutationRecord): Node {
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

/** A change that comes sooner than this after input may be its answer, in milliseconds. */
const ANSWER_MS = 1000;
/** A change that has gone on for this long before input is not an answer to it. */
const PROVEN_MS = 2000;
/** A place that does not change for this long is at rest. */
const GAP_MS = 600;

/** A place that changes repeatedly. */
interface Chain {
  since: number;
  last: number;
}

/**
 * Distinguishes places that change repeatedly without input, such as an animation that a script plays, from answers to
 * input. Times are milliseconds of one clock.
 */
export class OngoingChanges<Place extends WeakKey> {
  readonly #chains = new WeakMap<Place, Chain>();
  #input = -Infinity;

  /** Input has come. */
  input(now: number): void {
    this.#input = now;
  }

  /** A place has changed. Returns whether that went on before the last input, and for long. */
  note(place: Place, now: number): boolean {
    const known = this.#chains.get(place);
    const chain = known && now - known.last <= GAP_MS ? known : { since: now, last: now };
    // A chain begins once answers to the input have ended.
    if (!this.#isProven(chain) && now - this.#input < ANSWER_MS) chain.since = now;
    chain.last = now;
    this.#chains.set(place, chain);
    return this.#isProven(chain);
  }

  /** Whether a place is one that has changed for long before the last input, and still does. */
  has(place: Place, now: number): boolean {
    const chain = this.#chains.get(place);
    return chain !== undefined && now - chain.last <= GAP_MS && this.#isProven(chain);
  }

  #isProven({ since }: Chain): boolean {
    return since <= this.#input - PROVEN_MS;
  }
}

/** VS Code keeps an extension's page in the inner frame, and the next page in a hidden one until it has loaded. */
const [SHOWN, NEXT] = ['#active-frame', '#pending-frame'];
/** An empty webview counts as loading for this long, in ms: an extension may leave it empty for good. */
const PATIENCE_MS = 10_000;

/** When each webview began to load. */
const loadingSince = new WeakMap<HTMLIFrameElement, number>();

/**
 * Visible webviews that don't show their extension's page yet. Nothing else shows that they load: VS Code draws an empty
 * frame and waits silently until the extension has started and answered, and its page has loaded its files.
 */
function listLoadingWebviews(): string[] {
  const found: string[] = [];
  for (const { root, holder } of walkViews()) {
    if (holder?.frame.matches('iframe.webview') !== true || !('defaultView' in root)) continue;
    if (!isLoadingWebview(root)) loadingSince.delete(holder.frame);
    else if (isWithinPatience(holder.frame)) found.push('webview');
  }
  return found;
}

function isLoadingWebview(outer: Document): boolean {
  const page = outer.querySelector<HTMLIFrameElement>(SHOWN)?.contentDocument;
  if (!page || outer.querySelector(NEXT)) return true;
  // With `aria-busy`, a page says that its content is still to come.
  return page.readyState !== 'complete' || page.querySelector('body[aria-busy="true"]') !== null;
}

function isWithinPatience(frame: HTMLIFrameElement): boolean {
  const now = performance.now();
  const start = loadingSince.get(frame) ?? now;
  loadingSince.set(frame, start);
  return now - start < PATIENCE_MS;
}

/**
 * Stops decorative motion and hides nothing. An animation ends after one short run, so that events that code waits for
 * still fire. A transition takes no time at all: any other duration would give one to every property of every element,
 * and the page would measure old values after setting new ones.
 */
const STILL_STYLES = `
*, *::before, *::after {
  transition-duration: 0s !important;
  transition-delay: 0s !important;
  animation-duration: 1ms !important;
  animation-delay: 0s !important;
  animation-iteration-count: 1 !important;
  scroll-behavior: auto !important;
  caret-animation: manual !important;
}`;

const stillSheets = new WeakMap<Document, CSSStyleSheet>();

/** Adds the stylesheet to a document or a shadow tree, unless it has it. */
function stopMotion(root: Document | ShadowRoot): void {
  const owner = 'defaultView' in root ? root : root.ownerDocument;
  const sheet = stillSheets.get(owner) ?? createStillSheet(owner);
  if (sheet && !root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
}

/** A document only adopts sheets that its own window made. */
function createStillSheet(owner: Document): CSSStyleSheet | undefined {
  const view = owner.defaultView;
  if (!view) return undefined;
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(STILL_STYLES);
  stillSheets.set(owner, sheet);
  return sheet;
}
