import { realpathSync } from 'node:fs';
import { describeError, imageMountPoint } from '../../../bridge/lib/index.ts';
import {
  type AgentOutcome,
  type AgentStep,
  findTool,
  judgeToolResult,
  type ParamsOut,
  renderToolResult,
  type Tool,
  toolError,
  type toolMethods,
} from '../../../bridge/protocol/index.ts';
import type { ToolAdmission, ToolHandlers } from '../../../bridge/rpc/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import { classifyAction } from './action-question.ts';
import { type AskPerson, ClientConsent, WindowConsent } from './permissions.ts';

type CallParams = ParamsOut<typeof toolMethods.call>;
type CallAnswer = Awaited<ReturnType<ToolHandlers['call']>>;

/** Calls tools for one client. */
export type CallTool = (call: CallParams, signal: AbortSignal) => Promise<CallAnswer>;

/** The means of a person's own window to control clients. */
export interface GuardParts {
  readonly tools: ToolHandlers;
  readonly hold: AgentSwitch;
  readonly ask: AskPerson;
  /** Called with each call when it is over. */
  readonly report: (step: AgentStep) => void;
}

/** Every tool call by a client of a person's own window goes through it. */
export class ConsentGuard {
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
    const admission: ToolAdmission = async (tool, given, signal) => {
      const actionClass = classifyAction(tool);
      const acts = actionClass !== undefined;
      hold.require(tool, acts);
      if (!acts) return;
      await consent.require({ client: clientName(), tool: tool.name, arguments: given, actionClass }, signal);
      // It may have been paused meanwhile.
      hold.require(tool, acts);
    };
    return async (call, signal) => {
      const answer = await this.#run(call, signal, admission).catch((error: unknown) => {
        report(makeFailedStep(call, error));
        throw error;
      });
      const tool = findTool(call.name);
      if (tool) report(makeAgentStep(call, tool, answer.result));
      return answer;
    };
  }

  async #run(call: CallParams, signal: AbortSignal, admission: ToolAdmission): Promise<CallAnswer> {
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

/** The state of agents in this window, as its person has set it. */
export type AgentsState = 'working' | 'paused' | 'stopped';

/** Pause and stop. Nothing is queued: a call that comes meanwhile is refused. Stop also cancels running calls. */
export class AgentSwitch {
  readonly #onChange: (state: AgentsState) => void;
  #state: AgentsState = 'working';
  #stopping = new AbortController();

  constructor(onChange: (state: AgentsState) => void) {
    this.#onChange = onChange;
  }

  /** Fires, with the error for calls, when agents are stopped. After a resume, it is a new signal. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  set(state: AgentsState): void {
    if (this.#state === 'stopped' && state !== 'stopped') this.#stopping = new AbortController();
    this.#state = state;
    if (state === 'stopped') this.#stopping.abort(makeStoppedError());
    this.#onChange(state);
  }

  /**
   * Errors: `agents-paused`, `agents-stopped`.
   * @param acts the tool does more than read
   */
  require({ name }: Tool, acts: boolean): void {
    if (this.#state === 'stopped') throw makeStoppedError();
    if (this.#state === 'paused' && acts)
      throw toolError('agents-paused', `${name}: the person at this window has paused agents`, {
        help: 'You may read meanwhile. Only they can resume, in the view Agent',
      });
  }
}

function makeStoppedError(): Error {
  return toolError('agents-stopped', 'the person at this window has stopped agents', {
    help: 'End your work. Only they can resume, in the view Agent',
  });
}

const stepTextLimits = { line: 1000, long: 4000 };

/** A call as a client made it. */
interface MadeCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly explanation?: string | undefined;
}

/** A finished call, as people see it. */
function makeAgentStep(call: MadeCall, tool: Tool, result: unknown): AgentStep {
  const checked = tool.output.parse(result);
  return composeStep(call, { ...judgeToolResult(tool, checked), text: renderToolResult(tool, checked) });
}

/** A failed call, as people see it. */
function makeFailedStep(call: MadeCall, error: unknown): AgentStep {
  return composeStep(call, { effect: 'refused', evidence: describeError(error), text: '' });
}

function composeStep(
  call: MadeCall,
  { effect, evidence, text }: Pick<AgentOutcome, 'effect' | 'evidence'> & { readonly text: string },
): AgentStep {
  const outcome: AgentOutcome = {
    action: call.name,
    effect,
    evidence: clip(evidence, stepTextLimits.line),
    explanation: clip(call.explanation ?? '', stepTextLimits.line) || null,
    tool: {
      arguments: clip(JSON.stringify(call.arguments), stepTextLimits.long),
      result: clip(text, stepTextLimits.long),
    },
  };
  const nothing = { omitted: 0, skipped: 0, settled: null, observation: null };
  return { step: null, at: Date.now(), by: 'agent', outcomes: [outcome], ...nothing };
}

/** The path of this extension in a sandbox's image, where it is part of VS Code itself. */
const placeInImage = `${imageMountPoint}/opt/pwp/extension`;

/**
 * Whether this extension is the one of a sandbox's image. There, everything that tools change is the agent's, so no
 * consent is needed. Its path decides, which a person's window can't have by accident: VS Code installs extensions into
 * folders of their user, while environment variables are inherited by any program that is started.
 * @param extensionPath where VS Code loaded it from
 */
export function isInSandbox(extensionPath: string): boolean {
  try {
    return realpathSync(extensionPath) === placeInImage;
  } catch {
    return false;
  }
}
