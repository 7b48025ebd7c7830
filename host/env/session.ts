import { pause } from '../../bridge/lib/index.ts';
import {
  ErrorCode,
  RpcError,
  dom,
  type DomObservation,
  type MarksQuery,
  type Service,
  type UnreadPart,
} from '../../bridge/protocol/index.ts';
import type { Sandbox, Settled } from '../node/index.ts';
import { act, type Act } from './act.ts';
import { effectOf, takeEvidence } from './effect.ts';
import type { Action, Observation, StepInfo, StepTiming } from './types.ts';

/** VS Code's settings editor writes a typed value 1000 ms after the last key (its slow debounce), and then needs a moment. */
const writeDelayMs = 1300;

export interface SessionOptions {
  /** Settling ends after this many milliseconds at the latest. Default 4000. */
  readonly settleCapMs?: number;
  /** Which marks an observation has. Default: all, up to the protocol's bound. */
  readonly marks?: MarksQuery;
}

/** Steps and observations on one running sandbox: act, settle, observe. Does not own the sandbox. */
export class Session implements Disposable {
  readonly sandbox: Sandbox;
  readonly #settleCapMs: number;
  readonly #query: MarksQuery;
  readonly #services: Service[] = [];
  readonly #listening: Disposable;
  #steps = 0;
  #lastStepAt = -Infinity;
  #last: Observation | undefined;

  constructor(sandbox: Sandbox, options: SessionOptions = {}) {
    this.sandbox = sandbox;
    this.#settleCapMs = options.settleCapMs ?? 4000;
    this.#query = options.marks ?? {};
    this.#listening = sandbox.onService((service) => this.#services.push(service));
  }

  /**
   * The screen and the page as they are now, under a new number.
   * @param query which marks; default: those of {@link SessionOptions.marks}
   */
  async observe(signal: AbortSignal, query: MarksQuery = this.#query): Promise<Observation> {
    const { observation } = await this.#observe(signal, query);
    return observation;
  }

  /**
   * Waits until the IDE has also written what it holds back: nothing shows that it will, so this waits out the time
   * since the last step. For whoever reads files next.
   */
  async flush(signal: AbortSignal): Promise<void> {
    const leftMs = this.#lastStepAt + writeDelayMs - performance.now();
    if (leftMs > 0) await pause(leftMs, signal);
    await this.settle(signal);
  }

  /** Waits until the IDE is at rest, at most until the cap. */
  settle(signal: AbortSignal): Promise<Settled> {
    return this.sandbox.settle({ capMs: this.#settleCapMs, pointerOnly: false }, signal);
  }

  /**
   * Does an ordered batch of actions, settles, observes. A refused action ends the batch and is told in the
   * outcomes; it is not an error. Rejects only where the sandbox itself fails.
   */
  async step(
    actions: readonly Action[],
    signal: AbortSignal,
  ): Promise<{ observation: Observation; info: StepInfo }> {
    // What a step changes can only be told against a picture from before it.
    if (!this.#last) await this.sandbox.capture(signal);
    const start = performance.now();
    const before = await takeEvidence(this.sandbox, this.#last, actions, signal);
    const acted = await act(this.sandbox, actions, this.#last?.number, signal);
    const actMs = performance.now() - start;
    this.#lastStepAt = performance.now();
    const pointerOnly = acted.done.length > 0 && acted.done.every((done) => done.pointerOnly);
    const settled = await this.sandbox.settle({ capMs: this.#settleCapMs, pointerOnly }, signal);
    await this.#recover(signal);
    const { observation, timing } = await this.#observe(signal, this.#query);
    const after = await takeEvidence(this.sandbox, observation, actions, signal);
    const info: StepInfo = {
      step: ++this.#steps,
      outcomes: acted.done.map((done: Act) => effectOf(done, before, after)),
      skipped: acted.skipped,
      settled,
      timing: { actMs, settleMs: settled.ms, ...timing, totalMs: performance.now() - start },
      services: this.#services.splice(0),
    };
    return { observation, info };
  }

  [Symbol.dispose](): void {
    this.#listening[Symbol.dispose]();
  }

  /** A part that died is waited for: what is seen next is the IDE, and that it came back is told with the step. */
  async #recover(signal: AbortSignal): Promise<void> {
    const latest = new Map(this.#services.map((service) => [service.name, service.state]));
    if ([...latest.values()].some((state) => state !== 'ready')) await this.sandbox.ready(signal);
  }

  async #observe(
    signal: AbortSignal,
    query: MarksQuery,
  ): Promise<{
    observation: Observation;
    timing: Pick<StepTiming, 'screenshotMs' | 'marksMs'>;
  }> {
    const [screen, page] = await Promise.all([
      timed(() => this.sandbox.capture(signal)),
      timed(() => this.#readPage(query, signal)),
    ]);
    const { observation: number, omitted, marks, focus, caret, workbench, title } = page.value;
    const unread = unreadOf(page.value);
    this.#last = {
      number,
      screen: screen.value,
      marks,
      omittedMarks: omitted,
      focus,
      caret,
      workbench,
      title,
      ...(unread.length > 0 && { unread }),
    };
    return { observation: this.#last, timing: { screenshotMs: screen.ms, marksMs: page.ms } };
  }

  /** A page that is being replaced (a reload, a restarted browser) is waited for once. */
  async #readPage(query: MarksQuery, signal: AbortSignal) {
    try {
      return await this.sandbox.call(dom.observe, query, signal);
    } catch (error) {
      if (!(error instanceof RpcError) || error.code !== ErrorCode.Unavailable) throw error;
      await this.sandbox.ready(signal);
      return await this.sandbox.call(dom.observe, query, signal);
    }
  }
}

/** A page of too many elements is told as one of which not all was read. */
function unreadOf({ truncated, unread }: DomObservation): readonly UnreadPart[] {
  if (!truncated || unread.some(({ what }) => what === 'page')) return unread;
  return [{ what: 'page', why: 'it has more elements than are looked at', box: null }, ...unread];
}

async function timed<T>(run: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const start = performance.now();
  return { value: await run(), ms: performance.now() - start };
}
