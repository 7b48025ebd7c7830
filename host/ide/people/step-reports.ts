import { deadline, raceSignal, SerialQueue } from '../../../bridge/lib/index.ts';
import { agent, type AgentOutcome, type AgentStep, limits } from '../../../bridge/protocol/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import type { Sandbox } from '../../node/index.ts';
import { actionText } from '../actions/index.ts';
import type { ActionOutcome } from '../effect/index.ts';
import type { Observation, StepInfo } from '../observation.ts';
import { headline, settledText } from '../step-text.ts';
import type { ToolAnswer, ToolCall } from '../tools/index.ts';

/** A view draws a new step within this many milliseconds. */
const drawMs = 1000;
/** The longest wait for a view, in milliseconds. */
const patienceMs = 10_000;

const reportsBySandbox = new WeakMap<Sandbox, StepReports>();

/** The reports of a sandbox, shared by all sessions and calls in this process. */
export function stepReportsOf(sandbox: Sandbox): StepReports {
  const known = reportsBySandbox.get(sandbox);
  if (known) return known;
  const reports = new StepReports(sandbox);
  reportsBySandbox.set(sandbox, reports);
  return reports;
}

/**
 * Reports steps to the people who watch in the IDE: in order, and after the caller has its answer. The next look at the
 * screen waits until they are drawn, so that the view's own change is not mistaken for a step's.
 */
class StepReports {
  readonly #sandbox: Sandbox;
  readonly #sends = new SerialQueue();
  readonly #draws = new SerialQueue();
  #waiting: AgentStep[] = [];
  /** A report was sent that changes the screen, and is not drawn yet. */
  #isShown = false;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  /** Returns at once. Reports are for people who watch: one that fails is lost, without an error. */
  add(step: AgentStep): void {
    // The bridge keeps at most this many.
    this.#waiting = [...this.#waiting, step].slice(-limits.agentSteps);
    const sent = this.#sends.run(() => this.#send()).catch(() => undefined);
    void this.#draws.run(() => sent.then(() => this.#draw())).catch(() => undefined);
  }

  /** Resolves when all reports so far are sent, or have failed. Rejects only with the signal's reason. */
  sent(signal: AbortSignal): Promise<void> {
    return raceSignal(this.#sends.settled(), signal);
  }

  /** Resolves when all reports so far are sent and drawn, or have failed. Rejects only with the signal's reason. */
  idle(signal: AbortSignal): Promise<void> {
    return raceSignal(this.#draws.settled(), signal);
  }

  /** Sends all that wait. */
  async #send(): Promise<void> {
    using limit = deadline('the reports of steps', patienceMs);
    for (let step = this.#waiting.shift(); step; step = this.#waiting.shift()) {
      const { drawn } = await this.#sandbox.call(agent.report, { step }, { signal: limit.signal });
      this.#isShown ||= drawn;
    }
  }

  /** Waits until the view is drawn, once for steps in quick succession. */
  async #draw(): Promise<void> {
    if (!this.#isShown) return;
    this.#isShown = false;
    using limit = deadline('a step in the view', patienceMs);
    const { signal } = limit;
    await this.#sandbox.settle({ capMs: drawMs, pointerOnly: false, signal });
    // The screen on which they are drawn becomes the one that the next step is compared with.
    await this.#sandbox.capture({ signal });
  }
}

/** Who takes a step, as shown to people who watch. */
export type StepActor = AgentStep['by'];

const reportLimits = { outcomes: 20, line: 1000, long: 4000 };

/** A step as people see it: its actions and their outcomes, as the agent got them. */
export function makeStepReport({
  observation,
  info,
  by,
}: {
  observation: Observation;
  info: StepInfo;
  by: StepActor;
}): AgentStep {
  return {
    step: info.step,
    at: Date.now(),
    by,
    outcomes: info.outcomes.slice(0, reportLimits.outcomes).map(makeOutcomeReport),
    omitted: Math.max(0, info.outcomes.length - reportLimits.outcomes),
    skipped: info.skipped.length,
    settled: clip(settledText(info.settled), reportLimits.line),
    observation: clip(headline(observation), reportLimits.line),
  };
}

/** As {@link makeStepReport}, for a tool that was called outside of steps. */
export function makeCallReport({
  call,
  answer,
  by,
}: {
  call: ToolCall;
  answer: ToolAnswer | { readonly refusal: string };
  by: StepActor;
}): AgentStep {
  const came =
    'refusal' in answer
      ? { effect: 'refused' as const, evidence: answer.refusal, output: undefined }
      : { effect: answer.effect, evidence: answer.evidence, output: answer.text };
  const outcome = makeOutcomeReport({ action: { kind: 'tool', ...call }, ...came });
  const nothing = { omitted: 0, skipped: 0, settled: null, observation: null };
  return { step: null, at: Date.now(), by, outcomes: [outcome], ...nothing };
}

function makeOutcomeReport({ action, effect, evidence, output }: ActionOutcome): AgentOutcome {
  return {
    action: clip(action.kind === 'tool' ? action.name : actionText(action), reportLimits.line),
    effect,
    evidence: clip(evidence, reportLimits.line),
    explanation: (action.kind === 'tool' && clip(action.explanation ?? '', reportLimits.line)) || null,
    tool:
      action.kind === 'tool'
        ? {
            arguments: clip(JSON.stringify(action.arguments), reportLimits.long),
            result: clip(output ?? '', reportLimits.long),
          }
        : null,
  };
}
