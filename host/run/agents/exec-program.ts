import { once } from 'node:events';
import type { Readable } from 'node:stream';
import * as z from 'zod';
import { type Child, PwpError, raceSignal, startChild } from '../../../bridge/lib/index.ts';
import { clipEnd, toJson } from '../../../bridge/text/index.ts';
import { type Action, actionText, type Observation, type StepInfo } from '../../ide/index.ts';
import { openTemporaryFolder, type TemporaryFolder } from '../../lib/index.ts';
import type { FunctionTool } from '../models/index.ts';
import type { EpisodeLimits } from './agent.ts';

/** Version of the protocol. docs/agents.md has an example of it. */
const execProtocol = 1;

const toolAction = z.strictObject({
  tool: z.string().min(1).max(200),
  arguments: z.record(z.string(), z.unknown()).default({}),
});
const computerCallAction = z.strictObject({
  computer: z.record(z.string(), z.unknown()).describe("a computer action in a vendor's words"),
});

const answeredId = z
  .int()
  .positive()
  .optional()
  .describe('of the message that it answers; answers to earlier messages are skipped');

/** The part of a line that names the message it answers. */
export const numberedMessage = z.object({ id: answeredId });

/** The program's first message. */
export const readyMessage = z.strictObject({
  id: answeredId,
  protocol: z.literal(execProtocol),
  picture: z
    .enum(['path', 'base64', 'none'])
    .default('path')
    .describe('how it is given the screen: a PNG file that lasts until the next one, or its bytes'),
});
export type ReadyMessage = z.output<typeof readyMessage>;

/** Actions as programs in other languages write them. */
export const writtenActions = z
  .array(z.union([z.string().max(200_000), toolAction, computerCallAction]))
  .max(100)
  .describe('in order; a text is an xdotool line, or one as `click [12]`');

/** Its answer to an observation. */
export const answerMessage = z.strictObject({
  id: answeredId,
  actions: writtenActions.default([]),
  done: z.boolean().default(false).describe('it has finished, once these actions are done'),
  message: z.string().max(100_000).optional().describe('why, in its own words; for the record'),
  usage: z
    .strictObject({
      model: z.string().max(200).optional(),
      prompt_tokens: z.int().nonnegative().optional(),
      completion_tokens: z.int().nonnegative().optional(),
      cached_tokens: z.int().nonnegative().optional(),
      cost_usd: z.number().nonnegative().optional(),
      model_ms: z.number().nonnegative().optional(),
    })
    .optional()
    .describe('usage of its model for this answer, if it asked one'),
});
export type AnswerMessage = z.output<typeof answerMessage>;

/** Written actions as the environment takes them. */
export function toActions(actions: z.output<typeof writtenActions>): (string | Action)[] {
  return actions.map((one) => {
    if (typeof one === 'string') return one;
    if ('tool' in one) return { kind: 'tool', name: one.tool, arguments: one.arguments };
    return { kind: 'computer', call: one.computer };
  });
}

/** The first message to it. */
interface StartMessage {
  readonly task: string;
  readonly instruction: string;
  readonly limits: EpisodeLimits;
  /** The time limit for one answer, in milliseconds. */
  readonly answerMs: number;
  readonly screen: Observation['screen'];
  readonly tools: readonly FunctionTool[];
}

export function writeStartMessage({
  task,
  instruction,
  limits,
  answerMs,
  screen,
  tools,
}: StartMessage): object {
  const { steps, ms, tokens, costUsd } = limits;
  const { width, height } = screen.view ?? screen;
  const seconds = { seconds: ms / 1000, answer_seconds: answerMs / 1000 };
  return {
    ...{ type: 'start', protocol: execProtocol, task, instruction },
    ...{ limits: { steps, ...seconds, tokens, cost_usd: costUsd }, screen: { width, height } },
    tools: tools.map(({ name, description, schema }) => ({ name, description, schema })),
  };
}

/** The parts of an observation that are sent besides the picture. Coordinates are pixels of that picture. */
export function writeObservation(observation: Observation): object {
  const { number, title, focus, caret, marks, dialog, unread = [], screen } = observation;
  const { width, height } = screen.view ?? screen;
  return { number, width, height, title, focus, caret, dialog: dialog ?? null, marks, unread };
}

/** Events of VS Code before these, if known. */
export function writeIdeEvents(last: StepInfo | undefined): object {
  return last?.meanwhile === undefined ? {} : { meanwhile: last.meanwhile };
}

/** The outcomes of the actions before; empty at first. */
export function writeOutcomes(last: StepInfo | undefined): object[] {
  return (last?.outcomes ?? []).map(({ action, effect, evidence, output }) => ({
    ...{ action: actionText(action), effect, evidence },
    ...(output !== undefined && { output }),
  }));
}

/** Longest line that is read, in UTF-16 code units. */
const longestProgramLine = 1024 * 1024;
/** The number of bytes to keep of its standard error: of its beginning and its end each. */
const keptErrors = 256 * 1024;
/** The part of it that its final error quotes, in UTF-16 code units. */
const quotedErrors = 2000;
/** The longest wait for its standard error, in milliseconds: a process that it left behind may hold it open. */
const lastErrorsMs = 500;
/** After its standard input has ended. */
const inputEndGraceMs = 2000;

/** A command that speaks lines of JSON on its standard streams. Disposing this ends it and all that it starts. */
export class AgentProgram implements AsyncDisposable {
  readonly #folder: TemporaryFolder;
  readonly #child: Child;
  readonly #command: string;
  readonly #lines: AsyncIterator<string>;
  readonly #errors: OutputEnds | undefined;
  #sent = 0;

  private constructor(command: string, folder: TemporaryFolder, child: Child) {
    this.#command = command;
    this.#folder = folder;
    this.#child = child;
    const { stdout, stderr } = child.process;
    this.#lines = readLines(stdout);
    this.#errors = stderr ? new OutputEnds(stderr, keptErrors) : undefined;
    // The next request shows that it no longer reads.
    child.process.stdin?.on('error', () => undefined);
  }

  /** A folder for files that it is given, removed with it. */
  get folder(): string {
    return this.#folder.path;
  }

  /** Starts it in the current folder, with this process's environment. */
  static async start(command: string): Promise<AgentProgram> {
    const folder = await openTemporaryFolder('agent');
    try {
      const streams = { piped: true, pipedErrors: true };
      const child = await startChild('/bin/sh', ['-c', `exec ${command}`], { env: process.env, ...streams });
      return new AgentProgram(command, folder, child);
    } catch (error) {
      await folder[Symbol.asyncDispose]();
      throw error;
    }
  }

  /**
   * Waits until the line is passed on, so a program that does not read holds up only itself. Returns the `id` of the
   * message, from 1.
   */
  async send(message: object, signal: AbortSignal): Promise<number> {
    const id = (this.#sent += 1);
    const { stdin } = this.#child.process;
    if (!stdin || stdin.destroyed) return id;
    if (!stdin.write(`${toJson({ id, ...message })}\n`)) {
      // The wait for its answer shows why it no longer reads.
      const drained = once(stdin, 'drain').catch(() => undefined);
      await raceSignal(Promise.race([drained, this.#child.stopped]), signal);
    }
    return id;
  }

  /** Its next line. Errors: `agent-ended` after the last one, `too-large`. */
  async receive(signal: AbortSignal): Promise<string> {
    const line = await raceSignal(this.#lines.next(), signal);
    if (line.done !== true) return line.value;
    await this.#child.stop();
    throw await this.#ended();
  }

  /** Its standard error; if that is long, the beginning and the end. */
  get errors(): string {
    return this.#errors?.text() ?? '';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.process.stdin?.end();
    await raceSignal(this.#child.stopped, AbortSignal.timeout(inputEndGraceMs)).catch(() => undefined);
    await this.#child.stop();
    await this.#lastErrors();
    this.#child.process.stdout?.destroy();
    this.#child.process.stderr?.destroy();
    await this.#folder[Symbol.asyncDispose]();
  }

  async #ended(): Promise<PwpError> {
    const { code, signal } = await this.#child.stopped;
    const how = signal === null ? `exit code ${code}` : signal;
    await this.#lastErrors();
    const said = clipEnd(this.errors, quotedErrors).trim();
    const words = said === '' ? '' : `; it wrote: ${said}`;
    return new PwpError('agent-ended', `${this.#command} ended with ${how} before it had finished${words}`, {
      help: 'It has to run until it is asked to stop, or answers {"done": true}; see docs/agents.md.',
    });
  }

  /** Waits for the output that it had written when it ended. */
  async #lastErrors(): Promise<void> {
    const { stderr } = this.#child.process;
    if (!stderr || stderr.readableEnded || stderr.destroyed) return;
    await raceSignal(once(stderr, 'close'), AbortSignal.timeout(lastErrorsMs)).catch(() => undefined);
  }
}

/** Whole lines; a last one without a line end is dropped. Errors: `too-large`. */
async function* readLines(stream: NodeJS.ReadableStream | null): AsyncGenerator<string, undefined> {
  if (!stream) return undefined;
  stream.setEncoding('utf8');
  let rest = '';
  for await (const piece of stream) {
    const lines = `${rest}${piece as string}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line.trim() !== '');
    if (rest.length > longestProgramLine)
      throw new PwpError('too-large', `a line of the agent is longer than ${longestProgramLine} characters`);
  }
  return undefined;
}

/** Reads a stream to its end and keeps its first and its last bytes, however much it has. */
class OutputEnds {
  readonly #most: number;
  readonly #first: Buffer[] = [];
  #firstLength = 0;
  #last: Buffer = Buffer.alloc(0);
  /** Bytes between the two. */
  #leftOut = 0;

  /** @param most bytes to keep of each end */
  constructor(stream: Readable, most: number) {
    this.#most = most;
    stream.on('error', () => stream.destroy());
    stream.on('data', (chunk: Buffer) => this.#take(chunk));
  }

  /** As UTF-8, with a line for what is left out. */
  text(): string {
    const gap = this.#leftOut > 0 ? `\n… ${this.#leftOut} bytes are left out …\n` : '';
    return `${Buffer.concat(this.#first).toString('utf8')}${gap}${this.#last.toString('utf8')}`;
  }

  #take(chunk: Buffer): void {
    const first = chunk.subarray(0, this.#most - this.#firstLength);
    if (first.length > 0) this.#first.push(first);
    this.#firstLength += first.length;
    if (first.length === chunk.length) return;
    const last = Buffer.concat([this.#last, chunk.subarray(first.length)]);
    this.#last = last.subarray(-this.#most);
    this.#leftOut += last.length - this.#last.length;
  }
}
