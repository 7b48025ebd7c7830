import { SerialQueue, deadline, raceSignal } from '../../bridge/lib/index.ts';
import { agent, limits, type AgentStep } from '../../bridge/protocol/index.ts';
import type { Sandbox } from '../node/index.ts';

/** A view draws a new step within this many milliseconds. */
const drawMs = 1000;
/** The longest wait for a view, in milliseconds. */
const patienceMs = 10_000;

const ofSandbox = new WeakMap<Sandbox, Reports>();

/** The reports of a sandbox, shared by all sessions and calls in this process. */
export function reportsOf(sandbox: Sandbox): Reports {
  const known = ofSandbox.get(sandbox);
  if (known) return known;
  const reports = new Reports(sandbox);
  ofSandbox.set(sandbox, reports);
  return reports;
}

/**
 * Reports steps to the people who watch in the IDE: in order, and after the caller has its answer. The next look at the
 * screen waits until they are drawn, so that the view's own change is not mistaken for a step's.
 */
export class Reports {
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
