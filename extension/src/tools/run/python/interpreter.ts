import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { deadline, raceSignal, signalGroup } from '../../../../../bridge/lib/index.ts';
import { toolError } from '../../../../../bridge/protocol/index.ts';
import { interpreterOf } from '../../../language/index.ts';
import { Transcript } from '../../../lib/index.ts';
import { driver } from './driver.ts';

/** Maximum time for an interpreter to start, in milliseconds. */
const startMs = 30_000;
/** Maximum time for interrupted code to end before its interpreter is killed, in milliseconds. */
const interruptMs = 2000;

const hello = z.object({ engine: z.enum(['ipython', 'python']), version: z.string().max(100) });
const answer = z.object({ result: z.string().nullable(), error: z.string().nullable() });

export interface CellResult {
  readonly status: 'ok' | 'error' | 'timed-out' | 'died';
  readonly output: string;
  readonly result: string | null;
  readonly error: string | null;
}

/** A Python process that keeps its variables from one piece of code to the next. */
export class Interpreter implements Disposable {
  readonly about: z.output<typeof hello>;
  readonly #child: ChildProcess;
  readonly #requests: Writable;
  readonly #answers: AsyncIterator<string>;
  readonly #exited: Promise<void>;
  /** All output was read. */
  readonly #closed: Promise<void>;
  #output = new Transcript();
  #onOutput: () => void = () => undefined;

  private constructor(child: ChildProcess, answers: AsyncIterator<string>, about: z.output<typeof hello>) {
    this.#child = child;
    this.#answers = answers;
    this.about = about;
    this.#requests = child.stdio[3] as Writable;
    this.#exited = new Promise((resolve) => child.once('exit', () => resolve()));
    this.#closed = new Promise((resolve) => child.once('close', () => resolve()));
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output.add(text);
        this.#onOutput();
      });
  }

  /** Starts the interpreter that is chosen for the folder. Errors: `no-interpreter`. */
  static async start(folder: string, signal: AbortSignal): Promise<Interpreter> {
    const python = await interpreterOf(folder);
    const child = spawn(python, ['-u', '-c', driver], {
      cwd: folder,
      env: programEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
      detached: true,
    });
    const failed = new Promise<never>((_resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
    });
    failed.catch(() => undefined);
    child.stdio[3]?.on('error', () => undefined);
    const answers = createInterface({ input: child.stdio[4] as Readable })[Symbol.asyncIterator]();
    using limit = deadline('start of Python', startMs, signal);
    try {
      const first = await raceSignal(Promise.race([answers.next(), failed]), limit.signal);
      return new Interpreter(child, answers, hello.parse(JSON.parse(String(first.value))));
    } catch (cause) {
      child.kill('SIGKILL');
      signal.throwIfAborted();
      throw toolError('no-interpreter', `${python} could not be started`, {
        cause,
        help: 'Install Python 3, or make a .venv in the workspace',
      });
    }
  }

  get alive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Runs code; one piece at a time. */
  async run(code: string, ms: number, signal: AbortSignal): Promise<CellResult> {
    const mark = `\u0001${randomBytes(16).toString('hex')}\u0001`;
    this.#output = new Transcript();
    this.#requests.write(`${JSON.stringify({ code, mark })}\n`);
    const answered = this.#answers.next();
    const over = Promise.race([answered.then(({ done }) => done !== true), this.#exited.then(() => false)]);
    using limit = deadline('the code', ms, signal);
    let interrupted = false;
    let lives = await raceSignal(over, limit.signal).catch(() => undefined);
    if (lives === undefined) {
      interrupted = true;
      lives = await this.#interrupt(over);
    }
    if (!lives) {
      await this.#end();
      return { ...this.#cell(mark, null, null), status: interrupted ? 'timed-out' : 'died' };
    }
    await this.#untilMark(mark);
    const { result, error } = answer.parse(JSON.parse(String((await answered).value)));
    signal.throwIfAborted();
    const status = interrupted ? 'timed-out' : error === null ? 'ok' : 'error';
    return { ...this.#cell(mark, result, error), status };
  }

  [Symbol.dispose](): void {
    if (this.alive) this.#kill('SIGKILL');
  }

  /** False if it had to be killed, or has ended. */
  async #interrupt(over: Promise<boolean>): Promise<boolean> {
    this.#kill('SIGINT');
    using limit = deadline('end of the code', interruptMs);
    const lives = await raceSignal(over, limit.signal).catch(() => undefined);
    if (lives === undefined) this.#kill('SIGKILL');
    return lives ?? false;
  }

  /** Its answers can end before the process: this waits for its end, and for its last output. */
  async #end(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
    using limit = deadline('end of the output', interruptMs);
    // A program that the code has started may keep the pipes open.
    await raceSignal(this.#closed, limit.signal).catch(() => undefined);
  }

  /** Programs that the code has started receive the signal as well. */
  #kill(signal: NodeJS.Signals): void {
    signalGroup(this.#child.pid, signal);
  }

  async #untilMark(mark: string): Promise<void> {
    using limit = deadline('end of the output', interruptMs);
    while (!this.#output.text.includes(mark)) {
      const more = new Promise<void>((resolve) => (this.#onOutput = resolve));
      if (
        await raceSignal(more, limit.signal).then(
          () => false,
          () => true,
        )
      )
        return;
    }
  }

  #cell(mark: string, result: string | null, error: string | null) {
    return { output: this.#output.text.replace(mark, ''), result, error };
  }
}

/** The environment that Python programs inherit: without variables for the IDE's own processes. */
export function programEnvironment(): NodeJS.ProcessEnv {
  const own = /^(?:VSCODE_|ELECTRON_|NODE_OPTIONS$|NODE_CHANNEL|NODE_EXEC_PATH$|MALLOC_ARENA_MAX$|PWP_)/;
  const entries = Object.entries(process.env).filter(([name]) => !own.test(name));
  return { ...Object.fromEntries(entries), PYTHONIOENCODING: 'utf-8', MPLBACKEND: 'agg' };
}
