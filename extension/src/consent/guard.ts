import {
  findTool,
  type AgentStep,
  type ParamsOut,
  type toolMethods,
} from '../../../bridge/protocol/index.ts';
import type { Admission, ToolHandlers } from '../../../bridge/rpc/index.ts';
import { actionClassOf } from './classes.ts';
import { ClientConsent, WindowConsent, type AskPerson } from './consent.ts';
import type { Hold } from './hold.ts';
import { failedStep, stepOf } from './step.ts';

type Call = ParamsOut<typeof toolMethods.call>;
type Answer = Awaited<ReturnType<ToolHandlers['call']>>;

/** Calls tools for one client. */
export type CallTool = (call: Call, signal: AbortSignal) => Promise<Answer>;

/** The means of a person's own window to control clients. */
export interface GuardParts {
  readonly tools: ToolHandlers;
  readonly hold: Hold;
  readonly ask: AskPerson;
  /** Called with each call when it is over. */
  readonly report: (step: AgentStep) => void;
}

/** Every tool call by a client of a person's own window goes through it. */
export class Guard {
  readonly #parts: GuardParts;
  readonly #consent = new WindowConsent();

  constructor(parts: GuardParts) {
    this.#parts = parts;
  }

  /** Forgets all answers, including *never*: the person is asked about each client again. */
  reset(): void {
    this.#consent.reset();
  }

  /** Agents were stopped: their permissions for the session end. */
  endSessions(): void {
    this.#consent.endSessions();
  }

  /** @param clientName returns the client's own name */
  forClient(clientName: () => string): CallTool {
    const { hold, ask, report } = this.#parts;
    const consent = new ClientConsent(this.#consent, ask);
    const admission: Admission = async (tool, given, signal) => {
      const actionClass = actionClassOf(tool);
      const acts = actionClass !== undefined;
      hold.require(tool, acts);
      if (!acts) return;
      await consent.require({ client: clientName(), tool: tool.name, arguments: given, actionClass }, signal);
      // It may have been paused meanwhile.
      hold.require(tool, acts);
    };
    return async (call, signal) => {
      const answer = await this.#run(call, signal, admission).catch((error: unknown) => {
        report(failedStep(call, error));
        throw error;
      });
      const tool = findTool(call.name);
      if (tool) report(stepOf(call, tool, answer.result));
      return answer;
    };
  }

  async #run(call: Call, signal: AbortSignal, admission: Admission): Promise<Answer> {
    const { tools, hold } = this.#parts;
    const { stopping } = hold;
    try {
      return await tools.call(call, AbortSignal.any([signal, stopping]), admission);
    } catch (error) {
      // A call that the person cancelled reports that.
      if (!signal.aborted) stopping.throwIfAborted();
      throw error;
    }
  }
}
