import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PwpError } from '../bridge/lib/index.ts';
import { connectSocket, connectWebSocket, type Transport } from '../bridge/rpc/index.ts';
import { defaultDisplay, defaultLimits, type Node, type Sandbox } from '../host/node/index.ts';
import { connectRemoteNode } from '../host/node/remote/remote-node.ts';
import { summarise } from './lib/stats.ts';
import { inputOf } from './lib/xdotool.ts';

const rounds = { bytes: 15, screenshots: 40 } as const;
const megabytes = 64;
const size = megabytes * 1024 * 1024;
const big = '/root/big';
const spec = { seeds: [], keep: false, display: defaultDisplay, limits: defaultLimits } as const;
const token = 'bench';

/** A node in its own process, which listens on a Unix socket and on a port. */
interface Served extends AsyncDisposable {
  readonly transports: readonly (readonly [string, () => Promise<Transport>])[];
  /** CPU time of that process and this one so far, in seconds. */
  cpu(): Promise<number>;
}

/** The cost of the connection to a node in another process: 64 MB each way, and a screenshot of a workbench. */
export async function wire(signal: AbortSignal): Promise<void> {
  await using served = await serve(signal);
  for (const [name, connect] of served.transports) {
    await using node = await connectRemoteNode(await connect(), { signal });
    const up = await measureBytes(served, () => sendSeed(node, signal));
    report(`${name}: ${megabytes} MB up`, up);
    await using sandbox = await node.start({ ...spec, name: 'bench', role: 'bare' }, { signal });
    const argv = ['bash', '-c', `head -c ${size} /dev/urandom > ${big}`];
    await sandbox.exec({ argv, cwd: '/', env: {}, timeoutMs: 60_000, maxOutputBytes: 1000 }, { signal });
    const down = await measureBytes(served, () => sandbox.readFile(big, size));
    report(`${name}: ${megabytes} MB down`, down);
    await using ide = await node.start({ ...spec, name: 'bench', role: 'ide' }, { signal });
    await ide.ready({ signal });
    const { times, kb } = await screenshots(ide, signal);
    const { median, p10, p90 } = summarise(times);
    console.log(
      `${name}: screenshot, ${kb} KB  ${median.toFixed(1)} ms (${p10.toFixed(1)} - ${p90.toFixed(1)})`,
    );
  }
}

/** The node receives the seed but starts no sandbox with it: that time has nothing to do with the wire. */
async function sendSeed(node: Node, signal: AbortSignal): Promise<void> {
  const seeds = [{ path: '/root', tar: payload }];
  try {
    await node.start({ ...spec, name: 'take', role: 'bare', seeds }, { signal });
  } catch (error) {
    if (!(error instanceof PwpError) || error.message !== `${size} bytes`) throw error;
  }
}

const payload = Buffer.alloc(size, 'some text and some more of it\n');

interface Moved {
  readonly mbPerSecond: readonly number[];
  readonly cpuSeconds: readonly number[];
}

async function measureBytes(served: Served, move: () => Promise<unknown>): Promise<Moved> {
  const [mbPerSecond, cpuSeconds]: [number[], number[]] = [[], []];
  for (let round = -1; round < rounds.bytes; round += 1) {
    const [begin, cpu] = [performance.now(), await served.cpu()];
    await move();
    const ms = performance.now() - begin;
    if (round < 0) continue;
    mbPerSecond.push(megabytes / (ms / 1000));
    cpuSeconds.push((await served.cpu()) - cpu);
  }
  return { mbPerSecond, cpuSeconds };
}

function report(what: string, { mbPerSecond, cpuSeconds }: Moved): void {
  const [speed, cpu] = [summarise(mbPerSecond), summarise(cpuSeconds)];
  const spread = ({ p10, p90 }: typeof speed, digits: number) =>
    `${p10.toFixed(digits)} - ${p90.toFixed(digits)}`;
  console.log(
    `${what}  ${speed.median.toFixed(0)} MB/s (${spread(speed, 0)}), ` +
      `${cpu.median.toFixed(2)} s CPU (${spread(cpu, 2)})`,
  );
}

/** Screenshots, each of a screen that has just changed. */
async function screenshots(
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<{ readonly times: readonly number[]; readonly kb: number }> {
  const times: number[] = [];
  let bytes = 0;
  for (let i = -1; i < rounds.screenshots; i += 1) {
    await sandbox.input(inputOf(`xdotool mousemove ${100 + i * 7} ${200 + i * 5}`), { signal });
    const begin = performance.now();
    bytes = (await sandbox.capture({ signal })).bytes.length;
    if (i >= 0) times.push(performance.now() - begin);
  }
  return { times, kb: Math.round(bytes / 1000) };
}

async function serve(signal: AbortSignal): Promise<Served> {
  const folder = await mkdtemp(join(tmpdir(), 'pwp-bench-'));
  const path = join(folder, 'node.sock');
  const program = fork(fileURLToPath(new URL('lib/wire-node.ts', import.meta.url)), [path, token], {
    signal,
  });
  const ask = async () => {
    const answer = once(program, 'message');
    program.send('cpu');
    const [value] = (await answer) as [number];
    return value;
  };
  const [port] = (await once(program, 'message', { signal })) as [number];
  return {
    transports: [
      ['Unix socket', () => connectSocket(path, signal)],
      ['WebSocket', () => connectWebSocket({ host: '127.0.0.1', port, token }, signal)],
    ],
    async cpu() {
      const { user, system } = process.cpuUsage();
      return (await ask()) + (user + system) / 1e6;
    },
    async [Symbol.asyncDispose]() {
      const ended = once(program, 'exit');
      program.disconnect();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
