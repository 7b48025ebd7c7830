import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { deadline, describeError, PwpError } from '../../../bridge/lib/index.ts';
import { parseJson } from '../../../bridge/text/index.ts';
import type { Observation } from '../../ide/index.ts';
import type { ViewOptions } from '../../node/index.ts';
import type { Agent, DecideOptions, Decision, Turn } from './agent.ts';
import {
  AgentProgram,
  answerMessage,
  type AnswerMessage,
  numberedMessage,
  readyMessage,
  type ReadyMessage,
  toActions,
  writeIdeEvents,
  writeObservation,
  writeOutcomes,
  writeStartMessage,
} from './exec-program.ts';
import { type AgentSettings, type AgentTools, defaultAnswerTimeout } from './model/index.ts';

interface ExecAgentOptions extends Pick<AgentSettings, 'view' | 'answerTimeout'> {
  readonly command: string;
  /** Id of the task. */
  readonly task: string;
  readonly tools: AgentTools;
}

/** Asks a command that speaks lines of JSON on its standard streams (docs/agents.md). */
export class ExecAgent implements Agent {
  readonly name: string;
  readonly view: ViewOptions | undefined;
  readonly #options: ExecAgentOptions;
  readonly #answerMs: number;
  #program: AgentProgram | undefined;
  #ready: ReadyMessage | undefined;

  constructor(options: ExecAgentOptions) {
    this.name = `exec:${options.command}`;
    this.view = options.view && { within: options.view };
    this.#options = options;
    this.#answerMs = Math.ceil((options.answerTimeout ?? defaultAnswerTimeout) * 1000);
  }

  /**
   * Errors: `agent-ended`; `agent-answer` for a second answer in a row that can't be read, and for one that takes too
   * long; `too-large`.
   */
  async decide(turn: Turn, { signal }: DecideOptions): Promise<Decision> {
    this.#program ??= await AgentProgram.start(this.#options.command);
    const limits = { signal, answerMs: this.#answerMs };
    this.#ready ??= await this.#greet(this.#program, turn, limits);
    const picture = await this.#picture(this.#program, turn.observation, this.#ready);
    const { messages = [] } = turn;
    const said = messages.length > 0 ? { messages } : {};
    const seen = {
      outcomes: writeOutcomes(turn.last),
      ...writeIdeEvents(turn.last),
      ...writeObservation(turn.observation),
      ...picture,
      ...said,
    };
    return toDecision(
      await askProgram(this.#program, { type: 'observation', ...seen }, answerMessage, limits),
    );
  }

  get log(): string {
    return this.#program?.errors ?? '';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program?.[Symbol.asyncDispose]();
  }

  #greet(
    program: AgentProgram,
    { instruction, limits, observation: { screen } }: Turn,
    within: AnswerLimits,
  ): Promise<ReadyMessage> {
    const { task, tools } = this.#options;
    const { answerMs } = within;
    const start = writeStartMessage({ task, instruction, limits, answerMs, screen, tools: tools.tools });
    return askProgram(program, start, readyMessage, within);
  }

  async #picture(program: AgentProgram, { screen }: Observation, { picture }: ReadyMessage): Promise<object> {
    if (picture === 'none') return {};
    const { bytes } = screen.view ?? screen;
    if (picture === 'base64') return { picture: Buffer.from(bytes).toString('base64') };
    const path = join(program.folder, 'screen.png');
    await writeFile(path, bytes, { mode: 0o600 });
    return { picture: path };
  }
}

const programCheck =
  'found=$(command -v -- "$1") && case $found in */*) [ -f "$found" ] && [ -x "$found" ];; esac';

/** Does not look for words that only a shell can read, e.g. a quoted path. Errors: `command-missing`. */
export async function requireCommand(command: string): Promise<void> {
  const [program = ''] = command.trim().split(/\s+/, 1);
  if (/["'\\$`~]/.test(program)) return;
  try {
    await promisify(execFile)('/bin/sh', ['-c', programCheck, 'sh', program]);
  } catch {
    throw new PwpError('command-missing', `there is no program ${JSON.stringify(program)} for an agent`, {
      help: 'Write its path, e.g. exec:./my-agent, and make it executable.',
    });
  }
}

interface AnswerLimits {
  readonly signal: AbortSignal;
  readonly answerMs: number;
}

/** Reports an unreadable answer once, with the reason; the second one in a row ends the episode. */
async function askProgram<T extends z.ZodType>(
  program: AgentProgram,
  message: object,
  schema: T,
  within: AnswerLimits,
): Promise<z.output<T>> {
  const first = readAnswer(schema, await exchangeInTime(program, message, within));
  if ('value' in first) return first.value;
  const second = readAnswer(
    schema,
    await exchangeInTime(program, { type: 'error', message: first.why }, within),
  );
  if ('value' in second) return second.value;
  throw new PwpError('agent-answer', `the agent's answer can't be read: ${second.why}`);
}

async function exchangeInTime(
  program: AgentProgram,
  message: object,
  { signal, answerMs }: AnswerLimits,
): Promise<string> {
  using limit = deadline('an answer', answerMs, signal);
  try {
    return await exchangeMessage(program, message, limit.signal);
  } catch (cause) {
    if (signal.aborted || !limit.signal.aborted) throw cause;
    throw new PwpError('agent-answer', `the agent gave no answer within ${answerMs / 1000} s`, {
      cause,
      help: 'Set a longer time with --answer-timeout.',
    });
  }
}

/** Skips answers to earlier messages: a program that wrote a line too many would stay one behind for ever. */
async function exchangeMessage(program: AgentProgram, message: object, signal: AbortSignal): Promise<string> {
  const id = await program.send(message, signal);
  for (;;) {
    const line = await program.receive(signal);
    const answered = readAnsweredId(line);
    if (answered === undefined || answered >= id) return line;
  }
}

/** Number of the message that a line answers, if it says so. */
function readAnsweredId(line: string): number | undefined {
  try {
    return numberedMessage.safeParse(parseJson(line)).data?.id;
  } catch {
    return undefined;
  }
}

function readAnswer<T extends z.ZodType>(
  schema: T,
  line: string,
): { readonly value: z.output<T> } | { readonly why: string } {
  try {
    const parsed = schema.safeParse(parseJson(line));
    return parsed.success
      ? { value: parsed.data }
      : { why: z.prettifyError(parsed.error).replaceAll('\n', ' ') };
  } catch (error) {
    return { why: `it is not JSON: ${describeError(error)}` };
  }
}

function toDecision(said: AnswerMessage): Decision {
  const { actions, done, message, usage } = said;
  return {
    actions: toActions(actions),
    done,
    ...(message !== undefined && { message }),
    ...(usage && {
      asked: {
        llmCalls: 1,
        model: usage.model,
        promptTokens: usage.prompt_tokens,
        completionTokens: usage.completion_tokens,
        cachedTokens: usage.cached_tokens,
        costUsd: usage.cost_usd,
        modelMs: usage.model_ms,
      },
    }),
  };
}
