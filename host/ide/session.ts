import { type Cancellable, deadline, neverAborted, pause, PwpError } from '../../bridge/lib/index.ts';
import {
  type AgentOutcome,
  dom,
  type DomNumbers,
  type DomObservation,
  ErrorCode,
  type MarksQuery,
  RpcError,
  type Service,
  type UnreadPart,
} from '../../bridge/protocol/index.ts';
import type { LeaseState, Sandbox, ScreenPicture, Settled, ViewOptions } from '../node/index.ts';
import { type Action, mapScreenToView } from './actions/index.ts';
import { isOutOfTurn, requireNoHolder, requireViewRight } from './agent-turn.ts';
import { EventsSinceLastLook } from './effect/index.ts';
import { MarkTable } from './mark-table.ts';
import {
  type Observation,
  type PageText,
  type Pointer,
  projectBox,
  projectToView,
  type StepInfo,
  type StepTiming,
  type TextQuery,
} from './observation.ts';
import {
  makeStepReport,
  PersonActs,
  type PersonChanges,
  reportPersonChanges,
  type StepActor,
  stepReportsOf,
} from './people/index.ts';
import { AudioRecorder } from './sound.ts';
import { makeRefusedStep, playBatch, settleThroughReload, withdrawCertainty } from './step/index.ts';

/** The longest wait for a part of the desktop that died, in milliseconds; a restart takes about 10 s. */
const comeBackMs = 60_000;
/** VS Code's settings editor writes a typed value 1000 ms after the last key (its slow debounce), and then needs a moment. */
const writeDelayMs = 1300;

export interface SessionOptions {
  /** Settling ends after this many milliseconds at the latest. Default 4000. */
  readonly settleCapMs?: number;
  /**
   * How the agent sees the screen, e.g. `{ within: { width: 1280, height: 720 }, format: 'webp' }`: each observation has
   * that picture as `screen.view`, and the coordinates of xdotool lines, marks, focus and caret are its pixels. What is
   * recorded stays in screen pixels. Default: the screen itself.
   */
  readonly view?: ViewOptions;
  /** The marks in an observation. Default: all, up to the protocol's limit. */
  readonly marks?: MarksQuery;
  /** Each observation has what VS Code played since the one before. Default false. Errors: `unsupported` without sound. */
  readonly audio?: boolean;
  /** Who takes the steps, shown to people who watch in the IDE. Default: an agent. */
  readonly by?: StepActor;
  /** Steps that were taken before, e.g. by another process: the count continues. Default 0. */
  readonly steps?: number;
  /**
   * The mouse or keyboard action that is silently skipped, counted from 1, to see whether the agent notices. Its outcome
   * reports what is seen: that nothing has changed. Default: no action.
   */
  readonly suppress?: number | undefined;
}

/** One action or an ordered batch, as lines or parsed. */
export type Actions = string | Action | readonly (string | Action)[];

export interface StepOptions {
  /**
   * Continue even if typed text did not land as it was sent, or a click did not focus what it hit. Default false: the rest
   * of the batch is skipped, since it would go to the wrong place.
   */
  readonly force?: boolean;
}

/** The result of one look. */
interface TimedObservation {
  readonly observation: Observation;
  readonly timing: Pick<StepTiming, 'screenshotMs' | 'marksMs'>;
}

/** The longest wait until a late effect is drawn, in milliseconds. */
const lateCapMs = 2000;

/** Steps and observations on one running sandbox: act, settle, observe. Does not own the sandbox. */
export class Session implements Disposable {
  readonly sandbox: Sandbox;
  readonly #settleCapMs: number;
  readonly #view: ViewOptions | undefined;
  readonly #query: MarksQuery;
  readonly #by: StepActor;
  readonly #ear: AudioRecorder | undefined;
  readonly #services: Service[] = [];
  readonly #listening: Disposable;
  readonly #suppress: number | undefined;
  #steps: number;
  /** Actions by mouse or keyboard so far. */
  #inputs = 0;
  #lastStepAt = -Infinity;
  #last: Observation | undefined;
  #changes: PersonChanges | undefined;
  readonly #personActs = new PersonActs();
  readonly #meanwhile = new EventsSinceLastLook();
  /** The marks that the caller was shown. */
  readonly #known: MarkTable;
  /** The highest numbers used: a restore resets those of the bridge. */
  #given: DomNumbers = { observation: 0, mark: 0 };

  constructor(sandbox: Sandbox, options: SessionOptions = {}) {
    this.sandbox = sandbox;
    this.#steps = options.steps ?? 0;
    this.#settleCapMs = options.settleCapMs ?? 4000;
    this.#view = options.view;
    this.#query = options.marks ?? {};
    this.#known = new MarkTable(this.#query);
    this.#by = options.by ?? 'agent';
    this.#ear = options.audio ? new AudioRecorder(sandbox) : undefined;
    this.#suppress = options.suppress;
    this.#listening = sandbox.onService((service) => this.#services.push(service));
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
    const { observation } = await this.#observe(signal, marks);
    this.#known.show(observation, marks);
    return observation;
  }

  /** Resolves when people who watch in the IDE have been shown all steps so far; a step does not wait for that. */
  reported({ signal = neverAborted }: Cancellable = {}): Promise<void> {
    return stepReportsOf(this.sandbox).idle(signal);
  }

  /**
   * Readable text that is not in a mark: messages, descriptions, headings. Takes no number: marks stay valid. Errors:
   * `RpcError` for a bad selector, or one without a match.
   */
  async text({ signal = neverAborted, ...query }: TextQuery & Cancellable = {}): Promise<PageText> {
    await requireViewRight(this.sandbox, signal);
    const { pieces, omitted, unread } = await this.sandbox.call(dom.text, query, { signal });
    const shown = pieces.flatMap(({ text, box }) => {
      const seen = projectBox(box, this.#last?.screen.view);
      return seen ? [{ text, box: seen }] : [];
    });
    return { pieces: shown, omitted, unread };
  }

  /** Where the pointer is, and what a click there would reach. Takes no number: marks stay valid. */
  async pointer({ signal = neverAborted }: Cancellable = {}): Promise<Pointer> {
    await requireViewRight(this.sandbox, signal);
    const { locations } = await this.sandbox.input([{ kind: 'locate' }], { signal });
    const [at] = locations;
    if (!at) throw new PwpError('display-lost', 'the display did not answer where the pointer is');
    const { element } = await this.sandbox.call(dom.under, { point: at }, { signal });
    const view = this.#last?.screen.view;
    const [place = at] = mapScreenToView([at], view);
    const box = element && projectBox(element.box, view);
    return { x: place.x, y: place.y, under: element && box && { ...element, box } };
  }

  /** The screen in another format, smaller, or a part of it, e.g. to read small text. Takes no number. */
  async picture({
    signal = neverAborted,
    ...options
  }: ViewOptions & Cancellable = {}): Promise<ScreenPicture> {
    await requireViewRight(this.sandbox, signal);
    return this.sandbox.picture({ ...options, signal });
  }

  /** The changes by people at the latest hand-back that this session saw, in at most 20,000 characters; null without one. */
  get personChanges(): string | null {
    return this.#changes?.long ?? null;
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
    this.#services.length = 0;
    this.#meanwhile.forget();
    this.#known.clear();
    this.#ear?.forget();
    this.#lastStepAt = performance.now();
    await this.settle({ signal });
    return this.observe({ signal });
  }

  /** The highest numbers that this sandbox has used, in this session or another. */
  async numbers({ signal = neverAborted }: Cancellable = {}): Promise<DomNumbers> {
    try {
      return pickHighest(this.#given, await this.sandbox.call(dom.numbers, {}, { signal }));
    } catch {
      signal.throwIfAborted();
      // A sandbox may be restored because it no longer answers.
      return this.#given;
    }
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
    await this.reported({ signal });
    // Input to a window that is gone would be lost.
    await this.#recover(signal);
    // The changes of a step are found by comparing with a picture from before it.
    if (!this.#last) await Promise.all([this.sandbox.capture({ signal }), this.#recall(signal)]);
    const start = performance.now();
    const before = this.#services.length;
    const comeBack = () => this.#comeBack(signal);
    const seen = { last: this.#last, shownIn: (mark: number) => this.#known.observationOf(mark) };
    const suppresses = () => (this.#inputs += 1) === this.#suppress;
    const options = { force, suppresses };
    const played = await playBatch(this.sandbox, batch, seen, comeBack, options, signal);
    const { actMs, pointerOnly } = played;
    this.#lastStepAt = performance.now();
    // A display that went away takes the browser along: what is seen next is the IDE that came back.
    if (played.lost) await this.#comeBack(signal);
    const waiting = { capMs: this.#settleCapMs, pointerOnly };
    const settled = await settleThroughReload(this.sandbox, waiting, played.first, signal);
    await this.#recover(signal);
    const first = await this.#observeOrWithhold(signal);
    const { outcomes: judged, after, late } = await played.judge(first.observation);
    // The effect that an agent reads about must be in the observation that it sees.
    if (late) await this.sandbox.settle({ capMs: lateCapMs, pointerOnly: false, signal });
    const { observation, timing, withheld } = late ? await this.#observeOrWithhold(signal) : first;
    const meanwhile = this.#meanwhile.since(played.first);
    this.#meanwhile.stepOver(after);
    const info: StepInfo = {
      step: ++this.#steps,
      outcomes: withdrawCertainty(judged, this.#services.slice(before)),
      skipped: played.skipped,
      settled,
      marks: this.#known.show(observation, this.#query),
      timing: { actMs, settleMs: settled.ms, ...timing, totalMs: performance.now() - start },
      services: this.#services.splice(0),
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
    const info: StepInfo = { step: ++this.#steps, ...refused, services: this.#services.splice(0) };
    stepReportsOf(this.sandbox).add(makeStepReport({ observation: last, info, by: this.#by }));
    return info;
  }

  /**
   * Waits until no person has control. Resolves with a new observation if an agent has to look before it acts, with null
   * if it may act at once.
   */
  async awaitTurn({ signal = neverAborted }: Cancellable = {}): Promise<Observation | null> {
    let state = await this.sandbox.lease.state({ signal });
    if (!state.holder && state.looked === state.turns) return null;
    for (;;) {
      while (state.holder) state = await this.sandbox.lease.changed(state.revision, { signal });
      try {
        return await this.observe({ signal });
      } catch (error) {
        // A person has taken control again meanwhile.
        if (!isOutOfTurn(error)) throw error;
        state = await this.sandbox.lease.state({ signal });
      }
    }
  }

  /**
   * The acts of people before the looks so far that reported their changes, merged from their presses; each act is taken
   * once. If there may have been more than the last 200 steps hold, an outcome says so. It comes from inside.
   */
  takePersonActs(): readonly AgentOutcome[] {
    return this.#personActs.take();
  }

  /** Parts of the desktop that died or came back since the last step; each is returned once, here or in a step. */
  takeServices(): readonly Service[] {
    return this.#services.splice(0);
  }

  [Symbol.dispose](): void {
    this.#listening[Symbol.dispose]();
  }

  /** Waits for a part that died: the next observation shows the IDE, and the step reports that it came back. */
  async #recover(signal: AbortSignal): Promise<void> {
    const latest = new Map(this.#services.map((service) => [service.name, service.state]));
    if ([...latest.values()].some((state) => state !== 'ready')) await this.#comeBack(signal);
  }

  /** With a time limit: an agent may have disabled the extension, and the rest of the IDE works without it. */
  async #comeBack(signal: AbortSignal): Promise<void> {
    using limit = deadline('the return of the desktop', comeBackMs, signal);
    try {
      await this.sandbox.ready({ signal: limit.signal });
    } catch (error) {
      signal.throwIfAborted();
      if (!limit.signal.aborted) throw error;
    }
  }

  /** The agent may know what was done before a person took control, but not what is there since then. */
  async #observeOrWithhold(signal: AbortSignal): Promise<TimedObservation & Pick<StepInfo, 'withheld'>> {
    const last = this.#last;
    try {
      return await this.#observe(signal, this.#query);
    } catch (error) {
      if (!isOutOfTurn(error) || !last) throw error;
      const timing = { screenshotMs: 0, marksMs: 0 };
      return {
        observation: last,
        timing,
        withheld: `${error.message}: what is on the screen now is not shown`,
      };
    }
  }

  /** The changes by people, for the first look after they had control. */
  async #handBack({ holder, turns, ...state }: LeaseState, signal: AbortSignal): Promise<string | undefined> {
    // While a person has control and lets agents watch, a look does not count.
    if (holder || turns === state.looked) return undefined;
    this.#meanwhile.forget();
    this.#changes = await reportPersonChanges(this.sandbox, state, signal);
    await this.#personActs.collect(this.sandbox, signal);
    await this.sandbox.lease.looked(turns, { signal });
    return this.#changes.short;
  }

  async #observe(signal: AbortSignal, query: MarksQuery): Promise<TimedObservation> {
    const state = await requireViewRight(this.sandbox, signal);
    const changed = await this.#handBack(state, signal);
    const [screen, page, audio] = await Promise.all([
      measureTime(() => this.sandbox.capture({ view: this.#view, signal })),
      measureTime(() => this.#readPage(query, signal)),
      this.#ear?.hear(state, { signal }),
    ]);
    const { observation: number, given, omitted, marks, back, ...rest } = page.value;
    const { focus, caret, workbench, title, dialog } = rest;
    this.#given = pickHighest(this.#given, { observation: number, mark: given });
    const unread = listUnread(page.value);
    const { view } = screen.value;
    const onScreen = { marks, focus, caret };
    this.#last = {
      number,
      screen: screen.value,
      omittedMarks: omitted,
      ...(back.length > 0 && { back }),
      ...(view ? { ...projectToView(onScreen, view), onScreen } : onScreen),
      workbench,
      title,
      ...(dialog && { dialog }),
      ...(audio && { audio }),
      ...(unread.length > 0 && { unread }),
      ...(changed !== undefined && { personChanges: changed }),
    };
    return { observation: this.#last, timing: { screenshotMs: screen.ms, marksMs: page.ms } };
  }

  /** Assumes as known what another process showed last, e.g. the previous command. */
  async #recall(signal: AbortSignal): Promise<void> {
    // That one showed all marks of the whole screen.
    if (Object.keys(this.#query).length > 0 || this.#view?.region) return;
    try {
      const { observation: last } = await this.sandbox.call(dom.last, { whole: true }, { signal });
      if (last) this.#known.recall({ ...last, number: last.observation });
    } catch (error) {
      // The step continues without, and reports that it was not compared with an earlier observation.
      if (!(error instanceof RpcError)) throw error;
    }
  }

  /** Waits once for a page that is being replaced (a reload, a restarted browser). */
  async #readPage(query: MarksQuery, signal: AbortSignal) {
    try {
      return await this.sandbox.call(dom.observe, query, { signal });
    } catch (error) {
      if (!(error instanceof RpcError) || error.code !== ErrorCode.Unavailable) throw error;
      await this.sandbox.ready({ signal });
      return await this.sandbox.call(dom.observe, query, { signal });
    }
  }
}

/** Whether an action does something to the IDE. A question does not: it waits for people, who may take an hour. */
function isPlayed(batch: readonly (string | Action)[]): boolean {
  return batch.some((action) => typeof action === 'string' || action.kind !== 'ask');
}

function toBatch(actions: Actions): readonly (string | Action)[] {
  return typeof actions === 'string' || 'kind' in actions ? [actions] : actions;
}

function pickHighest(a: DomNumbers, b: DomNumbers): DomNumbers {
  return { observation: Math.max(a.observation, b.observation), mark: Math.max(a.mark, b.mark) };
}

/** A page with too many elements is reported as not fully read. */
function listUnread({ truncated, unread }: DomObservation): readonly UnreadPart[] {
  if (!truncated || unread.some(({ what }) => what === 'page')) return unread;
  return [{ what: 'page', why: 'it has more elements than are read', box: null }, ...unread];
}

async function measureTime<T>(run: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const start = performance.now();
  return { value: await run(), ms: performance.now() - start };
}
