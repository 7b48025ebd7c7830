import { pause, clip } from '../../../bridge/lib/index.ts';
import { dom, type AgentStep, type DomProbe } from '../../../bridge/protocol/index.ts';
import type { InputCommand, Person, Sandbox } from '../../node/index.ts';
import { reportsOf } from '../reports.ts';
import { chunks } from './chunks.ts';
import { InputMerger, lineOf, type PersonAct } from './merge.ts';

/** A pause of this length ends a step of a person's, in milliseconds. */
const idleMs = 1000;
/** The maximum acts of one step: more become another step. */
const mostActs = 20;
/** The longest wait for the place of the focus, in milliseconds. */
export const lookMs = 10_000;
/** A slower answer is valid only if no act meanwhile may have moved the focus. */
const promptMs = 2000;

/** A person's acts without a longer pause, merged from their presses. */
export interface PersonStep {
  readonly person: Person;
  /** When it was over, in milliseconds since 1970. */
  readonly at: number;
  readonly acts: readonly RecordedAct[];
}

export interface RecordedAct {
  /** As an agent would write it, e.g. `xdotool type 'hi'`; for secret text, only that something was typed. */
  readonly line: string;
  /** The target of the left button's press, e.g. `button "Save"`; null for other acts, or if it is not known. */
  readonly target: string | null;
  /** The same in parts. */
  readonly hit: { readonly role: string; readonly name: string } | null;
}

/**
 * Records a person's input as their steps, beside those of agents. Typed text is not kept if they ask for that, if the
 * focus is in a field for passwords, or if it is not known where the focus is.
 */
export class PersonRecorder {
  readonly #sandbox: Sandbox;
  readonly #person: Person;
  readonly #onStep: ((step: PersonStep) => void) | undefined;
  readonly #merger = new InputMerger();
  #secret = false;
  #pressed: DomProbe['pressed'] = null;
  /** The looks that are under way or due; a look covers all input before it. */
  #looking: Promise<void> | undefined;
  #again = false;
  /** Of the last step, in milliseconds since 1970. */
  #at = 0;
  #waiting: AbortController | undefined;

  constructor(sandbox: Sandbox, person: Person, onStep: ((step: PersonStep) => void) | undefined) {
    this.#sandbox = sandbox;
    this.#person = person;
    this.#onStep = onStep;
  }

  /** Notes input that was played. Does not wait. */
  note(commands: readonly InputCommand[], secret: boolean): void {
    for (const command of commands) this.#merger.add(command);
    if (this.#merger.isEmpty) return;
    this.#secret ||= secret;
    this.#look();
    this.#waiting?.abort();
    this.#waiting = new AbortController();
    const over = pause(idleMs, this.#waiting.signal).then(() => this.flush());
    over.catch(() => undefined);
  }

  /** Ends the step that is under way. */
  async flush(): Promise<void> {
    this.#waiting?.abort();
    while (this.#looking) await this.#looking;
    const acts = this.#merger.take();
    if (acts.length === 0) return;
    const [secret, pressed] = [this.#secret, this.#pressed];
    [this.#secret, this.#pressed] = [false, null];
    const hit = pressed && { role: pressed.role, name: pressed.name };
    const lastClick = acts.findLastIndex((act) => act.kind === 'click' && act.button === 1);
    const all = acts.map((act, i) => recorded(act, secret, i === lastClick ? hit : null));
    for (const some of chunks(all, mostActs)) this.#add(some);
  }

  #add(acts: readonly RecordedAct[]): void {
    // Readers order steps by their time.
    this.#at = Math.max(this.#at + 1, Date.now());
    const step = { person: this.#person, at: this.#at, acts };
    reportsOf(this.#sandbox).add(reported(step));
    this.#onStep?.(step);
  }

  #look(): void {
    this.#again = true;
    this.#looking ??= this.#looks().finally(() => (this.#looking = undefined));
  }

  async #looks(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      const [start, moves] = [performance.now(), this.#merger.focusMoves];
      try {
        const probe = await this.#sandbox.call(dom.probe, {}, { signal: AbortSignal.timeout(lookMs) });
        const isLate = performance.now() - start > promptMs && this.#merger.focusMoves > moves;
        this.#secret ||= isLate || probe.focus?.secret === true;
        this.#pressed = probe.pressed;
      } catch {
        this.#secret = true;
      }
    }
  }
}

function recorded(act: PersonAct, secret: boolean, hit: RecordedAct['hit']): RecordedAct {
  const target = hit && `${hit.role} ${JSON.stringify(hit.name)}`;
  return { line: lineOf(act, secret), target, hit };
}

/** In the form of the view *Agent*, from which all other readers get the steps. */
function reported({ person, at, acts }: PersonStep): AgentStep {
  return {
    step: null,
    at,
    by: 'person',
    outcomes: acts.map(({ line, target }) => ({
      action: clip(line, 1000),
      effect: 'unverifiable',
      evidence: clip(`${person.name} did it by hand${target === null ? '' : `: ${target}`}`, 1000),
      explanation: null,
      tool: null,
    })),
    omitted: 0,
    skipped: 0,
    settled: null,
    observation: null,
  };
}
