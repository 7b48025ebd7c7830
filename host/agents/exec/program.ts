import { once } from 'node:events';
import { PwpError, raceSignal, startChild, type Child, clipEnd, toJson } from '../../../bridge/lib/index.ts';
import { openTemporaryFolder, type TemporaryFolder } from '../../lib/index.ts';
import { OutputEnds } from './output-ends.ts';

/** Longest line that is read, in UTF-16 code units. */
const longestLine = 1024 * 1024;
/** The number of bytes to keep of its standard error: of its beginning and its end each. */
const keptErrors = 256 * 1024;
/** The part of it that its final error quotes, in UTF-16 code units. */
const quotedErrors = 2000;
/** The longest wait for its standard error, in milliseconds: a process that it left behind may hold it open. */
const lastErrorsMs = 500;
/** After its standard input has ended. */
const graceMs = 2000;

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
    this.#lines = linesOf(stdout);
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
    await raceSignal(this.#child.stopped, AbortSignal.timeout(graceMs)).catch(() => undefined);
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
async function* linesOf(stream: NodeJS.ReadableStream | null): AsyncGenerator<string, undefined> {
  if (!stream) return undefined;
  stream.setEncoding('utf8');
  let rest = '';
  for await (const piece of stream) {
    const lines = `${rest}${piece as string}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line.trim() !== '');
    if (rest.length > longestLine)
      throw new PwpError('too-large', `a line of the agent is longer than ${longestLine} characters`);
  }
  return undefined;
}
