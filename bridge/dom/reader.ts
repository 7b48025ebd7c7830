import { PwpError, deadline, messageOf } from '../lib/index.ts';
import {
  ErrorCode,
  RpcError,
  type dom,
  type DomActivity,
  type Dialog,
  type DomNumbers,
  type DomObservation,
  type DomProbe,
  type ParamsOut,
  type ResultOf,
} from '../protocol/index.ts';
import { answers } from './answers.ts';
import type { Browser } from './browser.ts';
import type { Page } from './page.ts';
import type { PageState } from './page/api.ts';

/** A page that is busy for longer than this many milliseconds is reported, not waited for. */
const PATIENCE_MS = 10_000;

/** A page that a dialog holds up does nothing. */
const longQuietMs = 60_000;

/** What can be told of a page that does not answer. */
const nothing = {
  workbench: false,
  keyboard: false,
  surface: null,
  terminal: null,
  selected: '',
  changes: 0,
} as const;

interface Front {
  readonly page: Page;
  readonly state: PageState;
}

interface Observed {
  readonly number: number;
  readonly page: Page;
  readonly ids: ReadonlySet<number>;
}

/** Reads whichever page has the keyboard. Numbers observations and marks; no number returns after a reload. */
export class DomReader {
  #browser: Browser | undefined;
  #observed: Observed | undefined;
  #number = 0;
  #nextId = 1;

  /** Sets the browser to read; undefined while there is none. */
  use(browser: Browser | undefined): void {
    this.#browser = browser;
  }

  observe({ limit }: ParamsOut<typeof dom.observe>, signal: AbortSignal): Promise<DomObservation> {
    return this.#unlessHeld(
      'dom.observe',
      signal,
      (page, dialog) => this.#held(page, dialog),
      async (within) => {
        const { page, state } = await this.#front(within);
        const { nextId, ...reading } = await page.call(
          `observe(${limit}, ${this.#nextId})`,
          answers.observe,
          within,
        );
        this.#nextId = Math.max(this.#nextId, nextId);
        const number = ++this.#number;
        this.#observed = { number, page, ids: new Set(reading.marks.map(({ id }) => id)) };
        return { observation: number, workbench: state.workbench && state.focused, ...reading };
      },
    );
  }

  locate(params: ParamsOut<typeof dom.locate>, signal: AbortSignal): Promise<ResultOf<typeof dom.locate>> {
    return bounded('dom.locate', signal, async (within) => {
      const { page } = this.#check(params);
      if (page.dialog)
        throw new RpcError(
          ErrorCode.Stale,
          `mark ${params.mark}: a dialog is in front: ${page.dialog.message}`,
        );
      const found = await page.call(`locate(${params.mark})`, answers.locate, within);
      if ('gone' in found) throw new RpcError(ErrorCode.Stale, `mark ${params.mark}: ${found.gone}`);
      return found;
    });
  }

  tree(params: ParamsOut<typeof dom.tree>, signal: AbortSignal): Promise<ResultOf<typeof dom.tree>> {
    return bounded('dom.tree', signal, async (within) => {
      const { page } = await this.#front(within);
      const call = `tree(${JSON.stringify(params.within)}, ${params.depth}, ${params.maxChars})`;
      const tree = await page.call(call, answers.tree, within).catch(refuseSelector);
      if (!tree) throw new RpcError(ErrorCode.NotFound, `nothing matches ${params.within}`);
      return tree;
    });
  }

  activity(signal: AbortSignal): Promise<DomActivity> {
    const held = () => ({ quietMs: longQuietMs, busy: [], workbench: false });
    return this.#unlessHeld('dom.activity', signal, held, async (within) => {
      const { page, state } = await this.#front(within);
      const activity = await page.call('activity()', answers.activity, within);
      return { ...activity, workbench: state.workbench && state.focused };
    });
  }

  numbers(): DomNumbers {
    return { observation: this.#number, mark: this.#nextId - 1 };
  }

  renumber({ observation, mark }: DomNumbers): DomNumbers {
    this.#number = Math.max(this.#number, observation);
    this.#nextId = Math.max(this.#nextId, mark + 1);
    this.#observed = undefined;
    return this.numbers();
  }

  probe({ points }: ParamsOut<typeof dom.probe>, signal: AbortSignal): Promise<DomProbe> {
    const held = (_: Page, dialog: Dialog): DomProbe => ({
      ...nothing,
      scroll: [],
      focus: focusOn(dialog),
      dialog,
    });
    return this.#unlessHeld('dom.probe', signal, held, async (within) => {
      const { page, state } = await this.#front(within);
      const probe = await page.call(`probe(${JSON.stringify(points)})`, answers.probe, within);
      const workbench = state.workbench && state.focused;
      return { ...probe, workbench, keyboard: state.focused, dialog: null };
    });
  }

  answer(
    { accept, text }: ParamsOut<typeof dom.answer>,
    signal: AbortSignal,
  ): Promise<ResultOf<typeof dom.answer>> {
    return bounded('dom.answer', signal, async (within) => {
      const page = this.#heldPage();
      if (!page?.dialog) throw new RpcError(ErrorCode.NotFound, "there is no dialog of the browser's");
      const { dialog } = page;
      await page.answer(accept, text, within);
      return { dialog };
    });
  }

  #heldPage(): Page | undefined {
    return this.#browser?.pages.find((page) => page.dialog);
  }

  /** Reads the page, or answers without it while a dialog holds it up, also where that opens meanwhile. */
  #unlessHeld<T>(
    what: string,
    signal: AbortSignal,
    held: (page: Page, dialog: Dialog) => T,
    read: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return bounded(what, signal, async (within) => {
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
    });
  }

  #held(page: Page, dialog: Dialog): DomObservation {
    const number = ++this.#number;
    this.#observed = { number, page, ids: new Set() };
    return {
      observation: number,
      url: page.url.slice(0, 4096),
      title: '',
      workbench: false,
      focus: focusOn(dialog),
      caret: null,
      marks: [],
      omitted: 0,
      dialog,
    };
  }

  /** The page that has the keyboard, or the first one while none has. Errors: `Unavailable`. */
  async #front(signal: AbortSignal): Promise<Front> {
    const pages = this.#browser?.pages ?? [];
    let first: Front | undefined;
    for (const page of pages.toReversed()) {
      const state = await page.call('state()', answers.state, signal).catch(skipGone);
      if (state?.focused) return { page, state };
      if (state) first = { page, state };
    }
    if (!first)
      throw new RpcError(ErrorCode.Unavailable, 'there is no page now: the browser is starting or reloading');
    return first;
  }

  #check({ mark, observation }: ParamsOut<typeof dom.locate>): Observed {
    const observed = this.#observed;
    if (!observed || mark >= this.#nextId) {
      throw new RpcError(ErrorCode.NotFound, `there is no mark ${mark}; observe first`);
    }
    if ((observation ?? observed.number) !== observed.number || !observed.ids.has(mark)) {
      const message = `mark ${mark} is of an older observation; the newest is ${observed.number}`;
      throw new RpcError(ErrorCode.Stale, message);
    }
    if (this.#browser?.pages.includes(observed.page) !== true) {
      throw new RpcError(ErrorCode.Stale, `mark ${mark}: its page is gone`);
    }
    return observed;
  }
}

function focusOn({ type, message }: Dialog): DomObservation['focus'] {
  return { role: 'alertdialog', name: `${type}: ${message}`.slice(0, 300), editable: type === 'prompt' };
}

/** The state of the first page, for whoever waits for the workbench. */
export async function pageState(browser: Browser, signal: AbortSignal): Promise<PageState | undefined> {
  return browser.pages[0]?.call('state()', answers.state, signal);
}

async function bounded<T>(
  what: string,
  parent: AbortSignal,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  using limit = deadline(what, PATIENCE_MS, parent);
  try {
    return await read(limit.signal);
  } catch (error) {
    if (error instanceof RpcError) throw error;
    const code =
      error instanceof PwpError && error.code === 'timeout' ? ErrorCode.TimedOut : ErrorCode.Unavailable;
    throw new RpcError(code, `${what}: ${messageOf(error)}`, { cause: error });
  }
}

/** The selector is the one thing in a tree's parameters that only the page can judge. */
function refuseSelector(error: unknown): never {
  if (!(error instanceof PwpError) || error.code !== 'page-script') throw error;
  throw new RpcError(ErrorCode.InvalidParams, `dom.tree: ${error.message.split('\n')[0]}`, { cause: error });
}

/** A page may go while it is asked; others may still answer. */
function skipGone(error: unknown): undefined {
  if (error instanceof PwpError && (error.code === 'cdp-error' || error.code === 'page-script'))
    return undefined;
  throw error;
}
