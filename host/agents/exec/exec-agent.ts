import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { PwpError, deadline, messageOf, parseJson } from '../../../bridge/lib/index.ts';
import type { Observation } from '../../env/index.ts';
import type { ViewOptions } from '../../node/index.ts';
import type { Agent, DecideOptions, Decision, Turn } from '../agent.ts';
import type { AgentTools } from '../model/index.ts';
import {
  actionsOf,
  answer,
  numbered,
  observed,
  meanwhileOf,
  outcomesOf,
  ready,
  startOf,
  type Answer,
  type Ready,
} from './messages.ts';
import { AgentProgram } from './program.ts';

export interface ExecOptions {
  readonly command: string;
  /** Id of the task. */
  readonly task: string;
  readonly tools: AgentTools;
  readonly view?: ViewOptions | undefined;
  /** The time limit for one answer, in milliseconds. Default: ten minutes. */
  readonly answerMs?: number | undefined;
}

const defaultAnswerMs = 600_000;

/** Asks a command that speaks lines of JSON on its standard streams (docs/agents.md). */
export class ExecAgent implements Agent {
  readonly name: string;
  readonly view: ViewOptions | undefined;
  readonly #options: ExecOptions;
  readonly #answerMs: number;
  #program: AgentProgram | undefined;
  #ready: Ready | undefined;

  constructor(options: ExecOptions) {
    this.name = `exec:${options.command}`;
    this.view = options.view;
    this.#options = options;
    this.#answerMs = options.answerMs ?? defaultAnswerMs;
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
      outcomes: outcomesOf(turn.last),
      ...meanwhileOf(turn.last),
      ...observed(turn.observation),
      ...picture,
      ...said,
    };
    return decisionOf(await ask(this.#program, { type: 'observation', ...seen }, answer, limits));
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
  ): Promise<Ready> {
    const { task, tools } = this.#options;
    const { answerMs } = within;
    const start = startOf({ task, instruction, limits, answerMs, screen, tools: tools.tools });
    return ask(program, start, ready, within);
  }

  async #picture(program: AgentProgram, { screen }: Observation, { picture }: Ready): Promise<object> {
    if (picture === 'none') return {};
    const { bytes } = screen.view ?? screen;
    if (picture === 'base64') return { picture: Buffer.from(bytes).toString('base64') };
    const path = join(program.folder, 'screen.png');
    await writeFile(path, bytes, { mode: 0o600 });
    return { picture: path };
  }
}

const isProgram =
  'found=$(command -v -- "$1") && case $found in */*) [ -f "$found" ] && [ -x "$found" ];; esac';

/** Does not look for words that only a shell can read, e.g. a quoted path. Errors: `command-missing`. */
export async function requireCommand(command: string): Promise<void> {
  const [program = ''] = command.trim().split(/\s+/, 1);
  if (/["'\\$`~]/.test(program)) return;
  try {
    await promisify(execFile)('/bin/sh', ['-c', isProgram, 'sh', program]);
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
async function ask<T extends z.ZodType>(
  program: AgentProgram,
  message: object,
  schema: T,
  within: AnswerLimits,
): Promise<z.output<T>> {
  const first = read(schema, await timed(program, message, within));
  if ('value' in first) return first.value;
  const second = read(schema, await timed(program, { type: 'error', message: first.why }, within));
  if ('value' in second) return second.value;
  throw new PwpError('agent-answer', `the agent's answer can't be read: ${second.why}`);
}

async function timed(
  program: AgentProgram,
  message: object,
  { signal, answerMs }: AnswerLimits,
): Promise<string> {
  using limit = deadline('an answer', answerMs, signal);
  try {
    return await exchange(program, message, limit.signal);
  } catch (cause) {
    if (signal.aborted || !limit.signal.aborted) throw cause;
    throw new PwpError('agent-answer', `the agent gave no answer within ${answerMs / 1000} s`, {
      cause,
      help: 'Set a longer time with --answer-timeout.',
    });
  }
}

/** Skips answers to earlier messages: a program that wrote a line too many would stay one behind for ever. */
async function exchange(program: AgentProgram, message: object, signal: AbortSignal): Promise<string> {
  const id = await program.send(message, signal);
  for (;;) {
    const line = await program.receive(signal);
    const answered = answeredBy(line);
    if (answered === undefined || answered >= id) return line;
  }
}

/** Number of the message that a line answers, if it says so. */
function answeredBy(line: string): number | undefined {
  try {
    return numbered.safeParse(parseJson(line)).data?.id;
  } catch {
    return undefined;
  }
}

function read<T extends z.ZodType>(
  schema: T,
  line: string,
): { readonly value: z.output<T> } | { readonly why: string } {
  try {
    const parsed = schema.safeParse(parseJson(line));
    return parsed.success
      ? { value: parsed.data }
      : { why: z.prettifyError(parsed.error).replaceAll('\n', ' ') };
  } catch (error) {
    return { why: `it is not JSON: ${messageOf(error)}` };
  }
}

function decisionOf(said: Answer): Decision {
  const { done, message, usage } = said;
  return {
    actions: actionsOf(said),
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
