import { pause } from '../../../bridge/lib/index.ts';
import {
  agent,
  type AgentOutcome,
  type AgentStep,
  dom,
  type DomProbe,
  limits,
} from '../../../bridge/protocol/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import type { InputCommand, Person, Sandbox } from '../../node/index.ts';
import { formatPersonAct, InputMerger, type PersonAct, splitIntoChunks } from './person-input.ts';
import { stepReportsOf } from './step-reports.ts';

/** A pause of this length ends a step of a person's, in milliseconds. */
const idleMs = 1000;
/** The maximum acts of one step: more become another step. */
const mostActs = 20;
/** The longest wait for the place of the focus, in milliseconds. */
export const focusLookMs = 10_000;
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
    const all = acts.map((act, i) => makeRecordedAct(act, secret, i === lastClick ? hit : null));
    for (const some of splitIntoChunks(all, mostActs)) this.#add(some);
  }

  #add(acts: readonly RecordedAct[]): void {
    // Readers order steps by their time.
    this.#at = Math.max(this.#at + 1, Date.now());
    const step = { person: this.#person, at: this.#at, acts };
    stepReportsOf(this.#sandbox).add(makePersonReport(step));
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
        const probe = await this.#sandbox.call(dom.probe, {}, { signal: AbortSignal.timeout(focusLookMs) });
        const isLate = performance.now() - start > promptMs && this.#merger.focusMoves > moves;
        this.#secret ||= isLate || probe.focus?.secret === true;
        this.#pressed = probe.pressed;
      } catch {
        this.#secret = true;
      }
    }
  }
}

function makeRecordedAct(act: PersonAct, secret: boolean, hit: RecordedAct['hit']): RecordedAct {
  const target = hit && `${hit.role} ${JSON.stringify(hit.name)}`;
  return { line: formatPersonAct(act, secret), target, hit };
}

/** In the form of the view *Agent*, from which all other readers get the steps. */
function makePersonReport({ person, at, acts }: PersonStep): AgentStep {
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

/** The maximum number of acts that wait to be taken. */
const mostWaitingActs = 20 * limits.agentSteps;

/** Replaces acts that are no longer kept. */
const notKeptOutcome: AgentOutcome = {
  action: 'did more before this than is kept',
  effect: 'unverifiable',
  evidence: 'only the last steps are kept',
  explanation: null,
  tool: null,
};

/** The acts of people by hand, from the sandbox: each act is taken once. */
export class PersonActs {
  /** The time until which they were collected, in milliseconds since 1970. */
  #to = 0;
  #waiting: AgentOutcome[] = [];

  /** Reads the new acts. Rejects only with the signal's reason: the look that asks for them continues without them. */
  async collect(sandbox: Sandbox, signal: AbortSignal): Promise<void> {
    const { steps } = await sandbox.call(agent.steps, {}, { signal }).catch(() => {
      signal.throwIfAborted();
      return { steps: [] };
    });
    const isNew = ({ by, step, at }: AgentStep) => by === 'person' && step === null && at > this.#to;
    const theirs = steps.filter(isNew);
    const [oldest] = steps;
    if (steps.length === limits.agentSteps && oldest !== undefined && isNew(oldest))
      this.#waiting.push(notKeptOutcome);
    this.#to = theirs.at(-1)?.at ?? this.#to;
    this.#waiting.push(...theirs.flatMap(({ outcomes }) => outcomes));
    // The acts may never be taken.
    if (this.#waiting.length > mostWaitingActs)
      this.#waiting = [notKeptOutcome, ...this.#waiting.slice(-mostWaitingActs)];
  }

  take(): readonly AgentOutcome[] {
    return this.#waiting.splice(0);
  }
}
