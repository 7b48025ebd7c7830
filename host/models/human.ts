import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { PwpError, neverAborted, raceSignal, type Cancellable } from '../../bridge/lib/index.ts';
import { openTemporaryFolder, type TemporaryFolder } from '../lib/index.ts';
import { parsedObject } from './arguments.ts';
import { contentsOf, type Block, type Content, type Message, type Model, type ModelTurn } from './model.ts';
import { unknownUsage } from './usage.ts';

const help = `Write one per line: name {json} calls a function, { … } is a computer action, other text is said.
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
    if (said < 0) this.#print(`${system}\n\n${tools.map(({ name }) => name).join(', ')}\n\n${help}\n`);
    for (const message of messages.slice(said + 1)) await this.#show(message);
    const blocks = await this.#read(messages.length, signal);
    const ms = performance.now() - start;
    return {
      message: { role: 'model', blocks, verbatim: null },
      stop: blocks.some(({ kind }) => kind !== 'text') ? 'calls' : 'end',
      usage: unknownUsage,
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

  async #show(message: Message): Promise<void> {
    for (const content of contentsOf(message))
      this.#print(content.kind === 'text' ? content.text : await this.#picture(content));
  }

  async #picture({ bytes, mime }: Extract<Content, { kind: 'image' }>): Promise<string> {
    this.#folder ??= openTemporaryFolder('human');
    this.#pictures += 1;
    const path = join((await this.#folder).path, `${this.#pictures}.${mime.slice('image/'.length)}`);
    await writeFile(path, bytes);
    return `[picture] ${path}`;
  }

  async #read(turn: number, signal: AbortSignal): Promise<Block[]> {
    this.#interface ??= createInterface({ input: this.#input });
    // An iterator keeps the lines that come between turns.
    this.#lines ??= this.#interface[Symbol.asyncIterator]();
    const blocks: Block[] = [];
    for (;;) {
      this.#output.write('> ');
      const next = await raceSignal(this.#lines.next(), signal);
      if (next.done) throw new PwpError('model-unavailable', 'human: the input has ended');
      const line = next.value.trim();
      if (line === '') return blocks;
      blocks.push(readLine(line, `line-${turn}-${blocks.length}`));
    }
  }

  #print(text: string): void {
    this.#output.write(`${text}\n`);
  }
}

function readLine(line: string, id: string): Block {
  const [, name, json] = /^([\w.-]+) *(\{.*\})$/s.exec(line) ?? [];
  if (name !== undefined && json !== undefined) return { kind: 'call', id, name, ...parsedObject(json) };
  const action = line.startsWith('{') ? parsedObject(line).arguments : null;
  return action
    ? { kind: 'computer', id, actions: [action], safetyChecks: [] }
    : { kind: 'text', text: line };
}
