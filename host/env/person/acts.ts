import { agent, limits, type AgentOutcome, type AgentStep } from '../../../bridge/protocol/index.ts';
import type { Sandbox } from '../../node/index.ts';

/** The maximum number of acts that wait to be taken. */
const most = 20 * limits.agentSteps;

/** Replaces acts that are no longer kept. */
const notKept: AgentOutcome = {
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
      this.#waiting.push(notKept);
    this.#to = theirs.at(-1)?.at ?? this.#to;
    this.#waiting.push(...theirs.flatMap(({ outcomes }) => outcomes));
    // The acts may never be taken.
    if (this.#waiting.length > most) this.#waiting = [notKept, ...this.#waiting.slice(-most)];
  }

  take(): readonly AgentOutcome[] {
    return this.#waiting.splice(0);
  }
}
