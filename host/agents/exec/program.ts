import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PwpError, raceSignal, startChild, type Child } from '../../../bridge/lib/index.ts';

/** Longest line that is read, in UTF-16 code units. */
const longestLine = 1024 * 1024;
/** What is kept of its standard error for the error that it ends with, in bytes. */
const tailBytes = 2000;
/** After its standard input has ended. */
const graceMs = 2000;

/** A command that speaks lines of JSON on its standard streams. It and all that it starts end with it. */
export class AgentProgram implements AsyncDisposable {
  /** For files that it is given, gone with it. */
  readonly folder: string;
  readonly #child: Child;
  readonly #command: string;
  readonly #lines: AsyncIterator<string>;
  #sent = 0;

  private constructor(command: string, folder: string, child: Child) {
    this.#command = command;
    this.folder = folder;
    this.#child = child;
    this.#lines = linesOf(child.process.stdout);
    // What it does not read any more shows when it is asked.
    child.process.stdin?.on('error', () => undefined);
  }

  /** Starts it in the current folder, with this process's environment. */
  static async start(command: string): Promise<AgentProgram> {
    const folder = await mkdtemp(join(tmpdir(), 'pwp-agent-'));
    try {
      const log = join(folder, 'stderr');
      const child = await startChild('/bin/sh', ['-c', `exec ${command}`], {
        env: process.env,
        log,
        piped: true,
      });
      return new AgentProgram(command, folder, child);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /**
   * Waits until the line is passed on: a program that reads nothing holds up nobody but itself. Returns the number that
   * the message has as its `id`, from 1.
   */
  async send(message: object, signal: AbortSignal): Promise<number> {
    const id = (this.#sent += 1);
    const { stdin } = this.#child.process;
    if (!stdin || stdin.destroyed) return id;
    if (!stdin.write(`${JSON.stringify({ id, ...message })}\n`)) {
      // Why it reads no more shows when its answer is awaited.
      const drained = once(stdin, 'drain').catch(() => undefined);
      await raceSignal(Promise.race([drained, this.#child.stopped]), signal);
    }
    return id;
  }

  /** Its next line. Errors: `agent-ended` if there is none, `too-large`. */
  async receive(signal: AbortSignal): Promise<string> {
    const line = await raceSignal(this.#lines.next(), signal);
    if (line.done !== true) return line.value;
    await this.#child.stop();
    throw await this.#ended();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.process.stdin?.end();
    await raceSignal(this.#child.stopped, AbortSignal.timeout(graceMs)).catch(() => undefined);
    await this.#child.stop();
    this.#child.process.stdout?.destroy();
    await rm(this.folder, { recursive: true, force: true });
  }

  async #ended(): Promise<PwpError> {
    const { code, signal } = await this.#child.stopped;
    const how = signal === null ? `exit code ${code}` : signal;
    const said = (await this.#tail()).trim();
    const words = said === '' ? '' : `; it wrote: ${said}`;
    return new PwpError('agent-ended', `${this.#command} ended with ${how} before it had finished${words}`, {
      help: 'It goes on until it is told to stop, or says {"done": true}; see docs/agents.md.',
    });
  }

  async #tail(): Promise<string> {
    await using file = await open(join(this.folder, 'stderr'));
    const { size } = await file.stat();
    const length = Math.min(size, tailBytes);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8');
  }
}

/** Whole lines; a last one without an end is none. Errors: `too-large`. */
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
