import {
  dom,
  type DomNumbers,
  type DomObservation,
  ErrorCode,
  type MarksQuery,
  RpcError,
  type UnreadPart,
} from '../../bridge/protocol/index.ts';
import type { LeaseState, Sandbox } from '../node/index.ts';
import { isOutOfTurn, requireViewRight } from './agent-turn.ts';
import type { EventsSinceLastLook } from './effect/index.ts';
import { type Observation, projectToView, type StepInfo, type StepTiming } from './observation.ts';
import { PersonActs, type PersonChanges, reportPersonChanges } from './people/index.ts';
import type { SessionOptions } from './session-options.ts';
import { AudioRecorder } from './sound.ts';

/** The result of one look. */
interface TimedObservation {
  readonly observation: Observation;
  readonly timing: Pick<StepTiming, 'screenshotMs' | 'marksMs'>;
}

/** Looks at screen and page; the first look after people had control also reports what they changed. */
export class SessionObserver {
  readonly #sandbox: Sandbox;
  readonly #view: SessionOptions['view'];
  readonly #ear: AudioRecorder | undefined;
  readonly #meanwhile: EventsSinceLastLook;
  #last: Observation | undefined;
  #changes: PersonChanges | undefined;
  readonly #personActs = new PersonActs();
  /** The highest numbers used: a restore resets those of the bridge. */
  #given: DomNumbers = { observation: 0, mark: 0 };

  /** @param meanwhile forgotten when people hand back control */
  constructor(sandbox: Sandbox, { view, audio }: SessionOptions, meanwhile: EventsSinceLastLook) {
    this.#sandbox = sandbox;
    this.#view = view;
    this.#ear = audio ? new AudioRecorder(sandbox) : undefined;
    this.#meanwhile = meanwhile;
  }

  /** The newest observation; undefined before the first. */
  get last(): Observation | undefined {
    return this.#last;
  }

  /** The changes by people at the latest hand-back; undefined without one. */
  get personChanges(): PersonChanges | undefined {
    return this.#changes;
  }

  get personActs(): PersonActs {
    return this.#personActs;
  }

  /** The screen and the page now, under a new number. Errors: `control-held`. */
  async look(query: MarksQuery, signal: AbortSignal): Promise<TimedObservation> {
    const state = await requireViewRight(this.#sandbox, signal);
    const changed = await this.#handBack(state, signal);
    const [screen, page, audio] = await Promise.all([
      measureTime(() => this.#sandbox.capture({ view: this.#view, signal })),
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

  /**
   * As {@link look}; the last observation again while a person has control who does not let agents watch: the agent may
   * know what was done before that, but not what is there since then.
   */
  async lookOrWithhold(
    query: MarksQuery,
    signal: AbortSignal,
  ): Promise<TimedObservation & Pick<StepInfo, 'withheld'>> {
    const last = this.#last;
    try {
      return await this.look(query, signal);
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

  /** The highest numbers that this sandbox has used, in this session or another. */
  async numbers(signal: AbortSignal): Promise<DomNumbers> {
    try {
      return pickHighest(this.#given, await this.#sandbox.call(dom.numbers, {}, { signal }));
    } catch {
      signal.throwIfAborted();
      // A sandbox may be restored because it no longer answers.
      return this.#given;
    }
  }

  /** The sound until now belongs to an abandoned branch. */
  forgetSound(): void {
    this.#ear?.forget();
  }

  /** The changes by people, for the first look after they had control. */
  async #handBack({ holder, turns, ...state }: LeaseState, signal: AbortSignal): Promise<string | undefined> {
    // While a person has control and lets agents watch, a look does not count.
    if (holder || turns === state.looked) return undefined;
    this.#meanwhile.forget();
    this.#changes = await reportPersonChanges(this.#sandbox, state, signal);
    await this.#personActs.collect(this.#sandbox, signal);
    await this.#sandbox.lease.looked(turns, { signal });
    return this.#changes.short;
  }

  /** Waits once for a page that is being replaced (a reload, a restarted browser). */
  async #readPage(query: MarksQuery, signal: AbortSignal) {
    try {
      return await this.#sandbox.call(dom.observe, query, { signal });
    } catch (error) {
      if (!(error instanceof RpcError) || error.code !== ErrorCode.Unavailable) throw error;
      await this.#sandbox.ready({ signal });
      return await this.#sandbox.call(dom.observe, query, { signal });
    }
  }
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
