import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { type Cancellable, describeError, neverAborted, pause, PwpError } from '../../../bridge/lib/index.ts';
import type { AnswerBlock, Model, ModelTurn } from './model.ts';
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
