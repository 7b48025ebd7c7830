import { type Cancellable, neverAborted, PwpError, raceSignal } from '../../../bridge/lib/index.ts';
import type {
  AnswerBlock,
  CallResult,
  FunctionTool,
  MessageContent,
  Model,
  ModelTurn,
  TurnRequest,
} from './model.ts';
import { unknownTokenUsage } from './token-usage.ts';

/** The facts that are known once the episode has begun. */
type EpisodeFacts = Pick<TurnRequest, 'tools'> & { readonly task: readonly MessageContent[] };

interface WaitingCall {
  readonly block: Extract<AnswerBlock, { kind: 'call' }>;
  readonly answer: (result: CallResult) => void;
}

/**
 * A program that calls tools, in a model's place: each of its calls is a turn, and the next turn has the answer. One
 * instance, one episode. When the program has gone, it has nothing left to say.
 */
export class ClientModel implements Model {
  readonly vendor = 'client';
  readonly hasComputer = false;
  readonly needsPictures = false;
  readonly notSet: readonly string[] = [];
  readonly name: string;
  readonly #begun = Promise.withResolvers<EpisodeFacts>();
  readonly #waiting: WaitingCall[] = [];
  #taken: WaitingCall | undefined;
  #wake = Promise.withResolvers<undefined>();
  /** Why no further call is a turn. */
  #over: string | undefined;
  #calls = 0;

  /** @param name of the program, as it calls itself */
  constructor(name: string) {
    this.name = name;
    // The episode may be over before anyone asks: an unhandled rejection would end the process.
    this.#begun.promise.catch(() => undefined);
  }

  /** The tools that it may call; resolves when the episode has begun. Rejects if it was over before. */
  async tools({ signal = neverAborted }: Cancellable = {}): Promise<readonly FunctionTool[]> {
    return (await raceSignal(this.#begun.promise, signal)).tools;
  }

  /** The task, and until the first call what is on the screen. Rejects if the episode was over before it began. */
  async task({ signal = neverAborted }: Cancellable = {}): Promise<readonly MessageContent[]> {
    const { task } = await raceSignal(this.#begun.promise, signal);
    return this.#calls === 0 ? task : task.slice(0, 1);
  }

  /** Makes a call; calls are done one after the other. Resolves with the result, also if the episode is over. */
  call(name: string, given: Readonly<Record<string, unknown>>): Promise<CallResult> {
    const id = `call-${(this.#calls += 1)}`;
    if (this.#over !== undefined) return Promise.resolve(refuseClientCall(id, this.#over));
    const { promise, resolve } = Promise.withResolvers<CallResult>();
    this.#waiting.push({ block: { kind: 'call', id, name, arguments: given }, answer: resolve });
    this.#wake.resolve(undefined);
    return promise;
  }

  /** The program has gone, or the episode has ended: all its present and later calls are answered with the reason. */
  end(why: string): void {
    if (this.#over !== undefined) return;
    this.#over = why;
    this.#begun.reject(new PwpError('cancelled', why));
    // This call was done; its effect is no longer looked at.
    this.#taken?.answer({ ...refuseClientCall(this.#taken.block.id, why), failed: false });
    for (const { block, answer } of this.#waiting.splice(0)) answer(refuseClientCall(block.id, why));
    this.#wake.resolve(undefined);
  }

  check(): Promise<void> {
    return Promise.resolve();
  }

  async turn(
    { messages, tools }: TurnRequest,
    { signal = neverAborted }: Cancellable = {},
  ): Promise<ModelTurn> {
    const newest = messages.at(-1);
    if (newest?.role === 'user') this.#begun.resolve({ tools, task: newest.content });
    if (newest?.role === 'results') this.#answer(newest.results);
    const at = new Date().toISOString();
    const start = performance.now();
    const block = await this.#next(signal);
    const ms = performance.now() - start;
    const said: AnswerBlock = block ?? { kind: 'text', text: this.#over ?? '' };
    return {
      message: { role: 'model', blocks: [said], verbatim: null },
      stop: block ? 'calls' : 'end',
      usage: unknownTokenUsage,
      exchange: { url: this.name, request: null, status: null, response: said },
      tries: [{ at, ms, status: null, error: null, waitedMs: 0 }],
      ms,
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.end('The episode is over.');
    return Promise.resolve();
  }

  #answer(results: readonly CallResult[]): void {
    const result = results.find(({ id }) => id === this.#taken?.block.id);
    if (result) this.#taken?.answer(result);
    this.#taken = undefined;
  }

  /** The next call; undefined when it is over. */
  async #next(signal: AbortSignal): Promise<WaitingCall['block'] | undefined> {
    while (this.#over === undefined) {
      this.#taken = this.#waiting.shift();
      if (this.#taken) return this.#taken.block;
      this.#wake = Promise.withResolvers();
      await raceSignal(this.#wake.promise, signal);
    }
    return undefined;
  }
}

function refuseClientCall(id: string, why: string): CallResult {
  return { id, failed: true, content: [{ kind: 'text', text: why }] };
}
