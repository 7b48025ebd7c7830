import { agent, limits, type AgentOutcome, type AgentStep } from '../../../bridge/protocol/index.ts';
import type { Sandbox } from '../../node/index.ts';

/** Said in place of what is not known any more. */
const notKept: AgentOutcome = {
  action: 'did more before this than is kept',
  effect: 'unverifiable',
  evidence: `only the last ${limits.agentSteps} steps are kept`,
  explanation: null,
  tool: null,
};

/** What people did by hand, as the sandbox has it: each act is taken once. */
export class PersonActs {
  /** Until when they were taken, in milliseconds since 1970. */
  #to = 0;

  /** What is new. If there may have been more before the oldest step that is kept, the first outcome says so. */
  async take(sandbox: Sandbox, signal: AbortSignal): Promise<readonly AgentOutcome[]> {
    const { steps } = await sandbox.call(agent.steps, {}, { signal });
    const isNew = ({ by, step, at }: AgentStep) => by === 'person' && step === null && at > this.#to;
    const theirs = steps.filter(isNew);
    const [oldest] = steps;
    const isCut = steps.length === limits.agentSteps && oldest !== undefined && isNew(oldest);
    this.#to = theirs.at(-1)?.at ?? this.#to;
    return [...(isCut ? [notKept] : []), ...theirs.flatMap(({ outcomes }) => outcomes)];
  }
}
