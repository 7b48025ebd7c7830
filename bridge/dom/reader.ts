import { deadline, describeError, isTimeout, PwpError } from '../lib/index.ts';
import {
  type Box,
  type Dialog,
  type dom,
  type DomActivity,
  type DomGlance,
  type DomNumbers,
  type DomObservation,
  type DomProbe,
  ErrorCode,
  limits,
  type ParamsOut,
  type ResultOf,
  RpcError,
} from '../protocol/index.ts';
import type { BrowserPage } from './browser-page.ts';
import type { Browser } from './browser.ts';
import {
  glanceAtStuckPage,
  glanceBehindDialog,
  idleActivity,
  pageAnswers,
  probeBehindDialog,
} from './page-answers.ts';
import type { PageState } from './page/index.ts';
import { locateMarkInPage, readPage } from './reading.ts';
import { isPartialQuery, type PageLook, ShownMarks } from './shown-marks.ts';

/** A page that is busy for longer than this many milliseconds is reported, not waited for. */
const PATIENCE_MS = 10_000;
/** The same for a page whose last answer is still due. */
const STUCK_MS = 1000;

type PageRequest = ParamsOut<typeof dom.glance> & { readonly glance: boolean; readonly part: boolean };

/** Reads the page that has the keyboard. Numbers observations and marks; the numbers continue after a reload. */
export class DomReader {
  #browser: Browser | undefined;
  readonly #shown = new ShownMarks();
  #nextId = 1;

  /** Sets the browser to read; undefined while none runs. */
  use(browser: Browser | undefined): void {
    this.#browser = browser;
  }

  async observe(params: ParamsOut<typeof dom.observe>, signal: AbortSignal): Promise<DomObservation> {
    const look = await this.#look(
      'dom.observe',
      { ...params, glance: false, part: isPartialQuery(params) },
      signal,
    );
    return this.#shown.observe(look, params);
  }

  async glance(params: ParamsOut<typeof dom.glance>, signal: AbortSignal): Promise<DomGlance> {
    const look = await this.#look(
      'dom.glance',
      { ...params, glance: true, part: isPartialQuery(params) },
      signal,
    );
    return this.#shown.glance(look);
  }

  /** One command of the debugging protocol to the first page. Errors: `Unavailable`, and the browser's. */
  async command(method: string, params: object, signal: AbortSignal): Promise<{ result: unknown }> {
    const page = this.#browser?.pages[0];
    if (!page) throw new RpcError(ErrorCode.Unavailable, `${method}: there is no page`);
    return { result: await page.send(method, params, signal) };
  }

  /** The newest observation as it was; null if none was made, or if the sandbox was restored since. */
  last({ whole }: ParamsOut<typeof dom.last>): DomObservation | null {
    return (whole ? this.#shown.whole : this.#shown.newest?.last) ?? null;
  }

  async #look(what: string, asked: PageRequest, signal: AbortSignal): Promise<PageLook> {
    try {
      return await this.#unlessHeld<PageLook>(
        what,
        signal,
        (page, dialog) => ({ page, spots: new Map(), seen: glanceBehindDialog(dialog, page) }),
        (within) => this.#read(what, asked, within),
        this.#patience(),
      );
    } catch (error) {
      const silent = error instanceof RpcError && error.code === ErrorCode.TimedOut && !signal.aborted;
      if (!silent) throw error;
      return this.#silent(error);
    }
  }

  async #read(what: string, asked: PageRequest, signal: AbortSignal): Promise<PageLook> {
    const page = await this.#front(signal);
    const request = { ...asked, nextId: this.#nextId };
    const { nextId, spots, ...reading } = await page
      .unlessHeld(() => readPage(page, request, signal))
      .catch((error: unknown) =>
        asked.within === undefined ? Promise.reject(error as Error) : refuseSelector(what, error),
      );
    this.#nextId = Math.max(this.#nextId, nextId);
    const { marks, unread, ...rest } = reading;
    return { page, spots, seen: { ...rest, marks: [...marks], unread: [...unread] } };
  }

  /** The look at a page that does not answer: only what was known of it before. */
  #silent(error: RpcError): PageLook {
    const page = this.#shown.newest?.page ?? this.#browser?.pages[0];
    if (!page) throw error;
    return { page, spots: new Map(), seen: glanceAtStuckPage(page, this.#shown.newest?.last, error) };
  }

  #patience(): number {
    return this.#browser?.pages.some(({ world }) => world.stuck) === true ? STUCK_MS : PATIENCE_MS;
  }

  locate(params: ParamsOut<typeof dom.locate>, signal: AbortSignal): Promise<ResultOf<typeof dom.locate>> {
    return limitToPatience('dom.locate', signal, async (within) => {
      const { element, page, path } = this.#shown.find(params.mark, params.observation);
      if (this.#browser?.pages.includes(page) !== true)
        throw new RpcError(ErrorCode.Stale, `mark ${params.mark}: its page is gone`);
      if (page.dialog)
        throw new RpcError(
          ErrorCode.Stale,
          `mark ${params.mark}: a dialog is in front: ${page.dialog.message}`,
        );
      const found = await locateMarkInPage(page, element, path, within);
      if ('gone' in found) throw new RpcError(ErrorCode.Stale, `mark ${params.mark}: ${found.gone}`);
      return found;
    });
  }

  tree(params: ParamsOut<typeof dom.tree>, signal: AbortSignal): Promise<ResultOf<typeof dom.tree>> {
    return limitToPatience('dom.tree', signal, async (within) => {
      const page = await this.#front(within);
      const call = `tree(${JSON.stringify(params)})`;
      const tree = await page
        .call(call, pageAnswers.tree, within)
        .catch((error: unknown) => refuseSelector('dom.tree', error));
      if (tree) return tree;
      const { from, node } = params;
      const gone = from ?? node;
      const what = gone === undefined ? `nothing matches ${params.within}` : `node ${gone} is gone`;
      throw new RpcError(ErrorCode.NotFound, what);
    });
  }

  text(params: ParamsOut<typeof dom.text>, signal: AbortSignal): Promise<ResultOf<typeof dom.text>> {
    return limitToPatience('dom.text', signal, async (within) => {
      const page = await this.#front(within);
      const text = await page
        .call(`text(${JSON.stringify(params)})`, pageAnswers.text, within)
        .catch((error: unknown) => refuseSelector('dom.text', error));
      if (!text) throw new RpcError(ErrorCode.NotFound, `nothing matches ${params.within}`);
      const { pieces, omitted, truncated, frames } = text;
      const more = truncated ? ['the rest of the page: it has more text than is read'] : [];
      const foreign = frames > 0 ? [`${frames} frames of other origins`] : [];
      return { pieces, omitted, unread: [...more, ...foreign] };
    });
  }

  under({ point }: ParamsOut<typeof dom.under>, signal: AbortSignal): Promise<ResultOf<typeof dom.under>> {
    return limitToPatience('dom.under', signal, async (within) => {
      const page = await this.#front(within);
      const found = await page.call(`under(${JSON.stringify(point)})`, pageAnswers.under, within);
      if (!found) return { element: null };
      const { id, ...element } = found;
      return { element: { ...element, mark: this.#shown.numberOf(id) ?? null } };
    });
  }

  activity(signal: AbortSignal): Promise<DomActivity> {
    const held = () => idleActivity;
    return this.#unlessHeld('dom.activity', signal, held, async (within) => {
      const page = await this.#front(within);
      return page.call('activity()', pageAnswers.activity, within);
    });
  }

  numbers(): DomNumbers {
    return this.#shown.used;
  }

  renumber(numbers: DomNumbers): DomNumbers {
    return this.#shown.renumber(numbers);
  }

  probe({ points }: ParamsOut<typeof dom.probe>, signal: AbortSignal): Promise<DomProbe> {
    const held = (_: BrowserPage, dialog: Dialog) => probeBehindDialog(dialog);
    return this.#unlessHeld('dom.probe', signal, held, async (within) => {
      const page = await this.#front(within);
      const probe = await page.call(`probe(${JSON.stringify(points)})`, pageAnswers.probe, within);
      return { ...probe, dialog: null };
    });
  }

  answer(
    { accept, text }: ParamsOut<typeof dom.answer>,
    signal: AbortSignal,
  ): Promise<ResultOf<typeof dom.answer>> {
    return limitToPatience('dom.answer', signal, async (within) => {
      const page = this.#heldPage();
      if (!page?.dialog) throw new RpcError(ErrorCode.NotFound, "there is no dialog of the browser's");
      const { dialog } = page;
      await page.answer(accept, text, within);
      return { dialog };
    });
  }

  /** The box of the first visible match of a CSS selector. Errors: `NotFound`, `InvalidParams` for a bad selector. */
  boxOf(selector: string, signal: AbortSignal): Promise<Box> {
    return limitToPatience('dom.boxOf', signal, async (within) => {
      const page = await this.#front(within);
      const box = await page
        .call(`boxOf(${JSON.stringify(selector)})`, pageAnswers.boxOf, within)
        .catch((error: unknown) => refuseSelector('dom.boxOf', error));
      if (box) return box;
      throw new RpcError(ErrorCode.NotFound, `nothing that matches ${selector} is visible`);
    });
  }

  /** Draws the marks of the newest observation into the page, or removes them. Returns how many are drawn. */
  draw(on: boolean, signal: AbortSignal): Promise<number> {
    return limitToPatience('agent.overlay', signal, async (within) => {
      const page = this.#shown.newest?.page ?? (await this.#front(within));
      const known = this.#shown.newest?.last ?? (await this.glance({ limit: limits.marks }, within));
      const marks = on ? known.marks.map(({ id, role, box }) => ({ id, box, hue: chooseHue(role) })) : [];
      return page.call(`overlay(${JSON.stringify(marks)})`, pageAnswers.overlay, within);
    });
  }

  #heldPage(): BrowserPage | undefined {
    return this.#browser?.pages.find((page) => page.dialog);
  }

  /** Reads the page, or answers without it while a dialog blocks it, also if that opens meanwhile. */
  #unlessHeld<T>(
    what: string,
    signal: AbortSignal,
    held: (page: BrowserPage, dialog: Dialog) => T,
    read: (signal: AbortSignal) => Promise<T>,
    patienceMs?: number,
  ): Promise<T> {
    const tried = async (within: AbortSignal): Promise<T> => {
      const instead = () => {
        const page = this.#heldPage();
        return page?.dialog && { value: held(page, page.dialog) };
      };
      const before = instead();
      if (before) return before.value;
      try {
        return await read(within);
      } catch (error) {
        const meanwhile = error instanceof PwpError && error.code === 'dialog-open' ? instead() : undefined;
        if (meanwhile) return meanwhile.value;
        throw error;
      }
    };
    return limitToPatience(what, signal, tried, patienceMs);
  }

  /** The page that has the keyboard, or the first one while none has. Errors: `Unavailable`. */
  async #front(signal: AbortSignal): Promise<BrowserPage> {
    const pages = this.#browser?.pages ?? [];
    let [first] = pages.length === 1 ? pages : [];
    // The newest first; a single page need not be asked.
    for (const page of first ? [] : pages.toReversed()) {
      const state = await page.call('state()', pageAnswers.state, signal).catch(ignoreClosedPages);
      if (state?.focused) return page;
      if (state) first = page;
    }
    if (!first)
      throw new RpcError(ErrorCode.Unavailable, 'there is no page now: the browser is starting or reloading');
    return first;
  }
}

/** A colour for each role, the same as in the inspector's page. */
function chooseHue(role: string): number {
  const sum = [...role].reduce((all, letter) => (all * 31 + letter.charCodeAt(0)) % 9973, 0);
  return (sum * 137) % 360;
}

/** The state of the first page, for callers that wait for the workbench. */
export async function readFirstPageState(
  browser: Browser,
  signal: AbortSignal,
): Promise<PageState | undefined> {
  return browser.pages[0]?.call('state()', pageAnswers.state, signal);
}

async function limitToPatience<T>(
  what: string,
  parent: AbortSignal,
  read: (signal: AbortSignal) => Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  using limit = deadline(what, patienceMs, parent);
  try {
    return await read(limit.signal);
  } catch (error) {
    if (error instanceof RpcError) throw error;
    const code = isTimeout(error) ? ErrorCode.TimedOut : ErrorCode.Unavailable;
    throw new RpcError(code, `${what}: ${describeError(error)}`, { cause: error });
  }
}

/** The selector is the one thing in the parameters that only the page can judge. */
function refuseSelector(what: string, error: unknown): never {
  if (!(error instanceof PwpError) || error.code !== 'page-script') throw error;
  throw new RpcError(ErrorCode.InvalidParams, `${what}: ${error.message.split('\n')[0]}`, { cause: error });
}

/** A page may close while it is asked; others may still answer. */
function ignoreClosedPages(error: unknown): undefined {
  if (error instanceof PwpError && (error.code === 'cdp-error' || error.code === 'page-script'))
    return undefined;
  throw error;
}
