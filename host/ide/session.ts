import { type Cancellable, neverAborted, pause, type PwpError } from '../../bridge/lib/index.ts';
import {
  type AgentOutcome,
  dom,
  type DomNumbers,
  type MarksQuery,
  type Service,
} from '../../bridge/protocol/index.ts';
import type { Sandbox, ScreenPicture, Settled, ViewOptions } from '../node/index.ts';
import type { Action } from './actions/index.ts';
import { awaitFreeTurn, requireNoHolder, requireViewRight } from './agent-turn.ts';
import { DesktopRecovery } from './desktop-recovery.ts';
import { EventsSinceLastLook } from './effect/index.ts';
import { MarkTable } from './mark-table.ts';
import type { Observation, PageText, Pointer, StepInfo, TextQuery } from './observation.ts';
import { findPointer, readLastShown, readPageText } from './page-reads.ts';
import { makeStepReport, type StepActor, stepReportsOf } from './people/index.ts';
import { SessionObserver } from './session-observer.ts';
import { type Actions, isPlayed, type SessionOptions, type StepOptions, toBatch } from './session-options.ts';
import {
  judgeBatch,
  makeRefusedStep,
  playBatch,
  type PlayedBatch,
  settleThroughReload,
  withdrawCertainty,
} from './step/index.ts';

/** VS Code's settings editor writes a typed value 1000 ms after the last key (its slow debounce), and then needs a moment. */
const writeDelayMs = 1300;

/** The longest wait until a late effect is drawn, in milliseconds. */
const lateCapMs = 2000;

/** Steps and observations on one running sandbox: act, settle, observe. Does not own the sandbox. */
export class Session implements Disposable {
  readonly sandbox: Sandbox;
  readonly #settleCapMs: number;
  readonly #query: MarksQuery;
  /** Observations may leave out marks. */
  readonly #showsPart: boolean;
  readonly #by: StepActor;
  readonly #suppress: number | undefined;
  readonly #observer: SessionObserver;
  readonly #desktop: DesktopRecovery;
  readonly #meanwhile = new EventsSinceLastLook();
  /** The marks that the caller was shown. */
  readonly #known: MarkTable;
  #steps: number;
  /** Actions by mouse or keyboard so far. */
  #inputs = 0;
  #lastStepAt = -Infinity;

  constructor(sandbox: Sandbox, options: SessionOptions = {}) {
    this.sandbox = sandbox;
    this.#steps = options.steps ?? 0;
    this.#settleCapMs = options.settleCapMs ?? 4000;
    this.#query = options.marks ?? {};
    this.#showsPart = Object.keys(this.#query).length > 0 || options.view?.region !== undefined;
    this.#known = new MarkTable(this.#query);
    this.#by = options.by ?? 'agent';
    this.#suppress = options.suppress;
    this.#observer = new SessionObserver(sandbox, options, this.#meanwhile);
    this.#desktop = new DesktopRecovery(sandbox);
  }

  /** Steps so far, including those of abandoned branches. */
  get steps(): number {
    return this.#steps;
  }

  /**
   * The current screen and page, under a new number.
   * @param options `marks`: which marks; default: those of {@link SessionOptions.marks}
   */
  async observe({
    marks = this.#query,
    signal = neverAborted,
  }: Pick<SessionOptions, 'marks'> & Cancellable = {}): Promise<Observation> {
    await this.reported({ signal });
    const { observation } = await this.#observer.look(marks, signal);
    this.#known.show(observation, marks);
    return observation;
  }

  /** Resolves when people who watch in the IDE have been shown all steps so far; a step does not wait for that. */
  reported({ signal = neverAborted }: Cancellable = {}): Promise<void> {
    return stepReportsOf(this.sandbox).idle(signal);
  }

  /** The screen in another format, smaller, or a part of it, e.g. to read small text. Takes no number. */
  async picture({
    signal = neverAborted,
    ...options
  }: ViewOptions & Cancellable = {}): Promise<ScreenPicture> {
    await requireViewRight(this.sandbox, signal);
    return this.sandbox.picture({ ...options, signal });
  }

  /**
   * Readable text that is not in a mark: messages, descriptions, headings. Takes no number: marks stay valid. Errors:
   * `RpcError` for a bad selector, or one without a match.
   */
  text({ signal = neverAborted, ...query }: TextQuery & Cancellable = {}): Promise<PageText> {
    return readPageText(this.sandbox, query, this.#observer.last, signal);
  }

  /** Where the pointer is, and what a click there would reach. Takes no number: marks stay valid. */
  pointer({ signal = neverAborted }: Cancellable = {}): Promise<Pointer> {
    return findPointer(this.sandbox, this.#observer.last, signal);
  }

  /** The changes by people at the latest hand-back that this session saw, in at most 20,000 characters; null without one. */
  get personChanges(): string | null {
    return this.#observer.personChanges?.long ?? null;
  }

  /** Releases every key and button that is down. */
  async release({ signal = neverAborted }: Cancellable = {}): Promise<void> {
    await this.sandbox.input([{ kind: 'release' }], { signal });
  }

  /**
   * Waits until the IDE has also written delayed changes. These have no visible sign, so this waits until enough time has
   * passed since the last step. For callers that read files next. Errors: those of `Sandbox.ready`, for a sandbox that has
   * ended or whose IDE does not come back.
   */
  async flush({ signal = neverAborted }: Cancellable = {}): Promise<void> {
    await this.sandbox.ready({ signal });
    await this.reported({ signal });
    const leftMs = this.#lastStepAt + writeDelayMs - performance.now();
    if (leftMs > 0) await pause(leftMs, signal);
    await this.settle({ signal });
  }

  /** Waits until the IDE is at rest, at most until the cap. */
  settle({ signal = neverAborted }: Cancellable = {}): Promise<Settled> {
    return this.sandbox.settle({ capMs: this.#settleCapMs, pointerOnly: false, signal });
  }

  /**
   * Returns to a checkpoint, in place; the count of steps continues. Earlier marks are stale; elements that are there
   * again have their marks in the new observation. Errors: those of `Sandbox.restore`.
   */
  async restore(id: string, { signal = neverAborted }: Cancellable = {}): Promise<Observation> {
    await requireNoHolder(this.sandbox, signal);
    await this.reported({ signal });
    const given = await this.numbers({ signal });
    await this.sandbox.restore(id, { signal });
    return this.resume(given, { signal });
  }

  /**
   * The first observation of a restored sandbox.
   * @param given numbers that must not be used again
   */
  async resume(given: DomNumbers, { signal = neverAborted }: Cancellable = {}): Promise<Observation> {
    await this.sandbox.ready({ signal });
    await this.sandbox.call(dom.renumber, given, { signal });
    // The reports on its parts belong to an abandoned branch, and unwritten changes have yet to be written.
    this.#desktop.take();
    this.#meanwhile.forget();
    this.#known.clear();
    this.#observer.forgetSound();
    this.#lastStepAt = performance.now();
    await this.settle({ signal });
    return this.observe({ signal });
  }

  /** The highest numbers that this sandbox has used, in this session or another. */
  numbers({ signal = neverAborted }: Cancellable = {}): Promise<DomNumbers> {
    return this.#observer.numbers(signal);
  }

  /**
   * Does one action or an ordered batch, settles, observes. A refused action ends the batch and is among the
   * outcomes; it is not an error. If a line can't be read, none of the batch is played. Rejects if the sandbox itself
   * fails, and with `control-held` if a person has control who does not let agents watch. A person who takes control in
   * the middle stops the batch at the end of an action: then {@link StepInfo.withheld} is set.
   * @param actions lines (`xdotool …`, `click [12]`) or actions; a line that can't be read is refused as an outcome
   */
  async step(
    actions: Actions,
    { force = false, signal = neverAborted }: StepOptions & Cancellable = {},
  ): Promise<{ observation: Observation; info: StepInfo }> {
    const batch = toBatch(actions);
    await requireViewRight(this.sandbox, signal);
    // Two batches at once would each be confirmed by the other's effects, so the turn lasts until this one is judged.
    await using turn = isPlayed(batch) ? await this.sandbox.beginBatch({ signal }) : null;
    void turn;
    await this.#prepare(signal);
    const start = performance.now();
    const reportsBefore = this.#desktop.reports.length;

    const played = await this.#act(batch, force, signal);
    const { first, pointerOnly } = played;

    // A display that went away takes the browser along: what is seen next is the IDE that came back.
    if (played.lost) await this.#desktop.comeBack(signal);
    const waiting = { capMs: this.#settleCapMs, pointerOnly };
    const settled = await settleThroughReload(this.sandbox, waiting, first, signal);
    await this.#desktop.recover(signal);

    const looked = await this.#observer.lookOrWithhold(this.#query, signal);

    const judged = await judgeBatch(this.sandbox, played, looked.observation.screen, signal);
    // The effect that an agent reads about must be in the observation that it sees.
    const seen = judged.late ? await this.#lookAgain(signal) : looked;
    const meanwhile = this.#meanwhile.since(first);
    this.#meanwhile.stepOver(judged.after);

    const { observation, timing, withheld } = seen;
    const info: StepInfo = {
      step: ++this.#steps,
      outcomes: withdrawCertainty(judged.outcomes, this.#desktop.reports.slice(reportsBefore)),
      skipped: played.skipped,
      settled,
      marks: this.#known.show(observation, this.#query),
      timing: { actMs: played.actMs, settleMs: settled.ms, ...timing, totalMs: performance.now() - start },
      services: this.#desktop.take(),
      ...(meanwhile !== undefined && { meanwhile }),
      ...(withheld !== undefined && { withheld }),
    };
    stepReportsOf(this.sandbox).add(makeStepReport({ observation, info, by: this.#by }));
    return { observation, info };
  }

  /**
   * A step that is counted and reported, but does nothing: `why` says that it is not the agent's turn.
   * @param last the observation that the agent still sees
   */
  refuse(actions: Actions, last: Observation, why: PwpError): StepInfo {
    const refused = makeRefusedStep(this.sandbox, toBatch(actions), last, why);
    const info: StepInfo = { step: ++this.#steps, ...refused, services: this.#desktop.take() };
    stepReportsOf(this.sandbox).add(makeStepReport({ observation: last, info, by: this.#by }));
    return info;
  }

  /**
   * Waits until no person has control. Resolves with a new observation if an agent has to look before it acts, with null
   * if it may act at once.
   */
  awaitTurn({ signal = neverAborted }: Cancellable = {}): Promise<Observation | null> {
    return awaitFreeTurn(this.sandbox, () => this.observe({ signal }), signal);
  }

  /**
   * The acts of people before the looks so far that reported their changes, merged from their presses; each act is taken
   * once. If there may have been more than the last 200 steps hold, an outcome says so. It comes from inside.
   */
  takePersonActs(): readonly AgentOutcome[] {
    return this.#observer.personActs.take();
  }

  /** Parts of the desktop that died or came back since the last step; each is returned once, here or in a step. */
  takeServices(): readonly Service[] {
    return this.#desktop.take();
  }

  [Symbol.dispose](): void {
    this.#desktop[Symbol.dispose]();
  }

  /** Before a step: a window to act on, and a picture to compare with. */
  async #prepare(signal: AbortSignal): Promise<void> {
    await this.reported({ signal });
    // Input to a window that is gone would be lost.
    await this.#desktop.recover(signal);
    // The changes of a step are found by comparing with a picture from before it.
    if (!this.#observer.last) await Promise.all([this.sandbox.capture({ signal }), this.#recall(signal)]);
  }

  async #act(batch: readonly (string | Action)[], force: boolean, signal: AbortSignal): Promise<PlayedBatch> {
    const seen = { last: this.#observer.last, shownIn: (mark: number) => this.#known.observationOf(mark) };
    const comeBack = () => this.#desktop.comeBack(signal);
    const suppresses = () => (this.#inputs += 1) === this.#suppress;
    const played = await playBatch(this.sandbox, batch, seen, comeBack, { force, suppresses }, signal);
    this.#lastStepAt = performance.now();
    return played;
  }

  /** Looks when a late effect is drawn. */
  async #lookAgain(signal: AbortSignal) {
    await this.sandbox.settle({ capMs: lateCapMs, pointerOnly: false, signal });
    return await this.#observer.lookOrWithhold(this.#query, signal);
  }

  /** Assumes as known what another process showed last, e.g. the previous command. */
  async #recall(signal: AbortSignal): Promise<void> {
    // That one showed all marks of the whole screen.
    if (this.#showsPart) return;
    const last = await readLastShown(this.sandbox, signal);
    // Without it, the step reports that it was not compared with an earlier observation.
    if (last) this.#known.recall({ ...last, number: last.observation });
  }
}
