import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { deadline, describeError, pause } from '../bridge/lib/index.ts';
import { createLocalNode } from '../host/node/index.ts';
import { partNames, pidsOf } from './kills/processes.ts';
import { ServedClient, ServedError } from './lib/served-client.ts';

const cli = fileURLToPath(new URL('../dist/pwp.js', import.meta.url));
const usualCount = 12;
const port = 40_765;
/** Longest pause between two kills of a part of a sandbox, and time between two kills of the server; milliseconds. */
const killEveryMs = 20_000;
const serverKillEveryMs = 300_000;
const memoryEveryMs = 60_000;

/** Counts of what happened, by name. */
class Tally {
  readonly #counts = new Map<string, number>();

  add(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  toString(): string {
    const sorted = [...this.#counts].toSorted(([one], [other]) => one.localeCompare(other));
    return sorted.map(([name, count]) => `${name}: ${count}`).join('\n');
  }
}

/**
 * Clients of one `pwp serve --task` for some time, while parts of sandboxes, clients and the server itself are killed at
 * random. Each step of a client writes a line; a repeated request must not write it twice. At the end nothing may be left.
 * @param count environments at once
 * @param minutes how long
 */
export async function soak(signal: AbortSignal, count = usualCount, minutes = 30): Promise<void> {
  const token = randomBytes(24).toString('base64url');
  const tally = new Tally();
  const problems: string[] = [];
  const server = new KilledServer(token, count, tally);
  await server.start();
  using limit = deadline('the soak', minutes * 60_000, signal);
  const client = new ServedClient(`http://127.0.0.1:${port}`, token, limit.signal);
  const clients = Array.from({ length: count }, () => playUntil(limit.signal, { client, tally, problems }));
  await Promise.all([
    ...clients,
    repeatUntil(
      limit.signal,
      () => randomInt(killEveryMs),
      () => killPart(tally),
    ),
    repeatUntil(
      limit.signal,
      () => serverKillEveryMs,
      () => server.restart(),
    ),
    repeatUntil(
      limit.signal,
      () => memoryEveryMs,
      () => server.printMemory(),
    ),
  ]);
  signal.throwIfAborted();
  const log = await server.stop();
  console.log(`${tally.toString()}\n${log.slice(-2000)}`);
  await using node = await createLocalNode();
  const left = (await node.list()).map(({ id }) => `sandbox ${id} is left`);
  problems.push(...left);
  if (problems.length > 0) throw new Error(problems.join('; '));
}

async function repeatUntil(signal: AbortSignal, wait: () => number, run: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await pause(wait(), signal).catch(() => undefined);
    if (!signal.aborted) await run();
  }
}

interface Soaking {
  readonly client: ServedClient;
  readonly tally: Tally;
  readonly problems: string[];
}

async function playUntil(signal: AbortSignal, soaking: Soaking): Promise<void> {
  while (!signal.aborted) {
    try {
      await playEpisode(soaking);
      soaking.tally.add('episodes played to the end');
    } catch (error) {
      if (signal.aborted) return;
      const code = nameFailure(error);
      if (code === undefined) soaking.problems.push(describeError(error));
      soaking.tally.add(`episodes that ended with ${code ?? 'a problem'}`);
      await pause(randomInt(2000), signal).catch(() => undefined);
    }
  }
}

/** A failure that kills may bring; undefined for any other. */
function nameFailure(error: unknown): string | undefined {
  if (error instanceof ServedError) return error.code;
  // That is how `fetch` fails without a server, and when it ends in the middle of a reply.
  return error instanceof TypeError ? 'no connection' : undefined;
}

/** One episode. Now and then the client leaves in mid-step and asks again, sends a request twice, or never comes back. */
async function playEpisode({ client, tally }: Soaking): Promise<void> {
  const episode = await client.open();
  const written: string[] = [];
  for (let step = randomInt(2, 8); step > 0; step -= 1) {
    const line = randomUUID();
    const append = {
      request: line,
      name: 'shell',
      arguments: { command: `echo ${line} >> /workspace/lines` },
    };
    const chance = randomInt(20);
    if (chance === 0) {
      tally.add('episodes that their client left');
      return;
    }
    if (chance < 5) await leaveInTheMiddle(client, episode, append);
    const twice = chance < 8 ? [append, append] : [append];
    const [reply] = await Promise.all(twice.map((one) => client.call(episode, 'tool', one)));
    // A part that was killed may have taken the call with it.
    if (reply?.['effect'] === 'confirmed') written.push(line);
    else tally.add(`calls that were ${String(reply?.['effect'])}`);
  }
  const { output } = await client.call(episode, 'tool', {
    name: 'shell',
    arguments: { command: 'cat lines' },
  });
  const lines: string[] = String(output).match(/^[\da-f]{8}-[\da-f-]{27}$/gm) ?? [];
  const lost = written.filter((line) => !lines.includes(line));
  if (new Set(lines).size < lines.length || lost.length > 0)
    throw new Error(`${lines.join(', ')} are written; confirmed were ${written.join(', ')}`);
  if (randomInt(3) === 0) await client.call(episode, 'grade');
  await client.close(episode);
}

async function leaveInTheMiddle(client: ServedClient, episode: string, body: object): Promise<void> {
  const leaving = AbortSignal.timeout(randomInt(1, 300));
  await client.call(episode, 'tool', body, leaving).catch((error: unknown) => {
    if (!leaving.aborted) throw error;
  });
}

async function killPart(tally: Tally): Promise<void> {
  await using node = await createLocalNode();
  const sandboxes = await node.list();
  const chosen = sandboxes[randomInt(Math.max(sandboxes.length, 1))];
  const part = partNames[randomInt(partNames.length)];
  if (!chosen || !part) return;
  for (const pid of await pidsOf(chosen.id, part)) {
    try {
      process.kill(pid, 'SIGKILL');
      tally.add(`killed: ${part}`);
    } catch {
      // It has ended by itself.
    }
  }
}

/** `pwp serve --task`, killed now and then. */
class KilledServer {
  readonly #token: string;
  readonly #count: number;
  readonly #tally: Tally;
  #child: ChildProcess | undefined;
  #log: Promise<string> = Promise.resolve('');

  constructor(token: string, count: number, tally: Tally) {
    this.#token = token;
    this.#count = count;
    this.#tally = tally;
  }

  async start(): Promise<void> {
    const args = ['serve', '--task', 'tasks/vscode/swap-text-test', '--max-episodes', String(this.#count)];
    const child = spawn(process.execPath, [cli, ...args, '--port', String(port), '--idle', '15s', '--json'], {
      env: { ...process.env, PWP_TOKEN: this.#token },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.#log = text(child.stderr);
    const [first] = (await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])) as [unknown];
    if (!(first instanceof Buffer)) throw new Error(`the server ended: ${await this.#log}`);
  }

  async restart(): Promise<void> {
    this.#tally.add('killed: the server');
    await this.#end('SIGKILL');
    await this.start();
  }

  async printMemory(): Promise<void> {
    const status = await readFile(`/proc/${this.#child?.pid}/status`, 'utf8').catch(() => '');
    console.log(`server: ${/VmRSS:\s+(.*)/.exec(status)?.[1] ?? 'not running'}`);
  }

  /** Its standard error. */
  async stop(): Promise<string> {
    await this.#end('SIGTERM');
    return this.#log;
  }

  async #end(name: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(name);
    await ended;
  }
}
