import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import * as z from 'zod';
import {
  type Cancellable,
  describeError,
  neverAborted,
  pause,
  PwpError,
  raceSignal,
} from '../../../bridge/lib/index.ts';
import { openTemporaryFolder, type TemporaryFolder } from '../../lib/index.ts';
import {
  type AnswerBlock,
  collectContents,
  type ConversationMessage,
  type MessageContent,
  type Model,
  type ModelTurn,
  parseCallArguments,
} from './model.ts';
import { unknownTokenUsage } from './token-usage.ts';

const scriptedBlock = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string() }),
  z.strictObject({ kind: z.literal('thinking'), text: z.string() }),
  z.strictObject({
    kind: z.literal('call'),
    name: z.string(),
    arguments: z.record(z.string(), z.unknown()).default({}),
  }),
  z.strictObject({ kind: z.literal('computer'), actions: z.array(z.record(z.string(), z.unknown())).min(1) }),
]);

/** One line of a script: what the model says in one turn. */
const scriptedTurn = z.strictObject({
  blocks: z.array(scriptedBlock).max(100),
  /** Milliseconds that it takes. */
  ms: z.number().nonnegative().max(600_000).default(0),
});
type ScriptedTurn = z.output<typeof scriptedTurn>;

/**
 * Says what a file of JSON lines prescribes, regardless of what it is sent: the number of turns in a conversation
 * chooses the line, and after the last line it has finished. For tests, demonstrations and measuring the cost of
 * everything else.
 */
export class ScriptedModel implements Model {
  readonly vendor = 'scripted';
  readonly needsPictures = false;
  readonly hasComputer = true;
  readonly notSet: readonly string[] = [];
  readonly name: string;
  readonly #turns: readonly ScriptedTurn[];

  constructor(name: string, turns: readonly ScriptedTurn[]) {
    this.name = name;
    this.#turns = turns;
  }

  /** Errors: `no-such-model` if there is no such file, `usage` if a line of it is not a turn. */
  static async read(path: string): Promise<ScriptedModel> {
    const text = await readFile(path, 'utf8').catch((cause: unknown) => {
      throw new PwpError('no-such-model', `can't read the script: ${describeError(cause)}`, { cause });
    });
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return new ScriptedModel(
      path,
      lines.map((line, i) => readScriptedTurn(line, `${path}:${i + 1}`)),
    );
  }

  check(): Promise<void> {
    return Promise.resolve();
  }

  async turn(
    { messages }: Parameters<Model['turn']>[0],
    { signal = neverAborted }: Cancellable = {},
  ): Promise<ModelTurn> {
    const said = messages.filter(({ role }) => role === 'model').length;
    const { blocks: written, ms } = this.#turns[said] ?? { blocks: [], ms: 0 };
    const at = new Date().toISOString();
    const start = performance.now();
    await pause(ms, signal);
    const blocks = written.map((one, i) => withCallId(one, `turn-${said}-${i}`));
    const tookMs = performance.now() - start;
    return {
      message: { role: 'model', blocks, verbatim: written },
      stop: blocks.some(({ kind }) => kind === 'call' || kind === 'computer') ? 'calls' : 'end',
      usage: unknownTokenUsage,
      exchange: { url: this.name, request: null, status: null, response: written },
      tries: [{ at, ms: tookMs, status: null, error: null, waitedMs: 0 }],
      ms: tookMs,
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}

function withCallId(written: z.output<typeof scriptedBlock>, id: string): AnswerBlock {
  if (written.kind === 'call') return { ...written, id };
  return written.kind === 'computer' ? { ...written, id, safetyChecks: [] } : written;
}

function readScriptedTurn(line: string, where: string): ScriptedTurn {
  try {
    return scriptedTurn.parse(JSON.parse(line));
  } catch (cause) {
    const why = cause instanceof z.ZodError ? z.prettifyError(cause) : describeError(cause);
    throw new PwpError('usage', `${where} is not a turn of a model: ${why}`, { cause });
  }
}

const humanHelp = `Write one per line: name {json} calls a function, { … } is a computer action, other text is said.
An empty line ends the turn.`;

/**
 * A person at the terminal, in a model's place: reads what a model would be sent, with pictures as files, and answers.
 */
export class HumanModel implements Model {
  readonly vendor = 'human';
  readonly needsPictures = false;
  readonly name = 'human';
  readonly hasComputer = true;
  readonly notSet: readonly string[] = [];
  readonly #input: Readable;
  readonly #output: Writable;
  #interface: Interface | undefined;
  #lines: AsyncIterator<string, undefined> | undefined;
  #folder: Promise<TemporaryFolder> | undefined;
  #pictures = 0;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  check(): Promise<void> {
    return Promise.resolve();
  }

  /** Errors: `model-unavailable` when the input has ended. */
  async turn(
    { system, messages, tools }: Parameters<Model['turn']>[0],
    { signal = neverAborted }: Cancellable = {},
  ): Promise<ModelTurn> {
    const at = new Date().toISOString();
    const start = performance.now();
    const said = messages.findLastIndex(({ role }) => role === 'model');
    if (said < 0) this.#print(`${system}\n\n${tools.map(({ name }) => name).join(', ')}\n\n${humanHelp}\n`);
    for (const message of messages.slice(said + 1)) await this.#show(message);
    const blocks = await this.#read(messages.length, signal);
    const ms = performance.now() - start;
    return {
      message: { role: 'model', blocks, verbatim: null },
      stop: blocks.some(({ kind }) => kind !== 'text') ? 'calls' : 'end',
      usage: unknownTokenUsage,
      exchange: { url: 'terminal', request: null, status: null, response: null },
      tries: [{ at, ms, status: null, error: null, waitedMs: 0 }],
      ms,
    };
  }

  /** Removes the pictures. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#interface?.close();
    await (await this.#folder)?.[Symbol.asyncDispose]();
  }

  async #show(message: ConversationMessage): Promise<void> {
    for (const content of collectContents(message))
      this.#print(content.kind === 'text' ? content.text : await this.#picture(content));
  }

  async #picture({ bytes, mime }: Extract<MessageContent, { kind: 'image' }>): Promise<string> {
    this.#folder ??= openTemporaryFolder('human');
    this.#pictures += 1;
    const path = join((await this.#folder).path, `${this.#pictures}.${mime.slice('image/'.length)}`);
    await writeFile(path, bytes);
    return `[picture] ${path}`;
  }

  async #read(turn: number, signal: AbortSignal): Promise<AnswerBlock[]> {
    this.#interface ??= createInterface({ input: this.#input });
    // An iterator keeps the lines that come between turns.
    this.#lines ??= this.#interface[Symbol.asyncIterator]();
    const blocks: AnswerBlock[] = [];
    for (;;) {
      this.#output.write('> ');
      const next = await raceSignal(this.#lines.next(), signal);
      if (next.done) throw new PwpError('model-unavailable', 'human: the input has ended');
      const line = next.value.trim();
      if (line === '') return blocks;
      blocks.push(readHumanLine(line, `line-${turn}-${blocks.length}`));
    }
  }

  #print(text: string): void {
    this.#output.write(`${text}\n`);
  }
}

function readHumanLine(line: string, id: string): AnswerBlock {
  const [, name, json] = /^([\w.-]+) *(\{.*\})$/s.exec(line) ?? [];
  if (name !== undefined && json !== undefined)
    return { kind: 'call', id, name, ...parseCallArguments(json) };
  const action = line.startsWith('{') ? parseCallArguments(line).arguments : null;
  return action
    ? { kind: 'computer', id, actions: [action], safetyChecks: [] }
    : { kind: 'text', text: line };
}
