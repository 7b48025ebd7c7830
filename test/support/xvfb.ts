import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Child, deadline, poll, startChild } from '../../bridge/lib/index.ts';
import { connectDisplay } from '../../host/node/display/display.ts';

/** A bare X server on this machine, for tests and measurements of only input and pictures. */
export interface Xvfb extends AsyncDisposable {
  /** e.g. `:231` */
  readonly name: string;
  readonly socket: string;
  readonly child: Child;
}

/** Starts Debian's Xvfb on a free display number. Disposing it ends it. */
export async function startXvfb(width = 1920, height = 1080): Promise<Xvfb> {
  const number = freeNumber();
  const folder = mkdtempSync(join(tmpdir(), 'pwp-xvfb-'));
  const log = join(folder, 'log');
  const screen = `${width}x${height}x24`;
  const args = ['Xvfb', `:${number}`, '-screen', '0', screen, '-nolisten', 'tcp', '-noreset'];
  // It ends with this process, even if that is killed in the middle of a test.
  const child = await startChild('setpriv', ['--pdeathsig', 'KILL', ...args], {
    env: { PATH: process.env.PATH },
    log,
  });
  const socket = `/tmp/.X11-unix/X${number}`;
  const stop = async () => {
    await child.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await answers(socket);
  } catch (error) {
    await stop();
    throw error;
  }
  return { name: `:${number}`, socket, child, [Symbol.asyncDispose]: stop };
}

async function answers(socket: string): Promise<void> {
  using limit = deadline('the start of Xvfb', 20_000);
  const probe = async () => {
    await using display = await connectDisplay(socket, limit.signal);
    return { done: true, value: display.size } as const;
  };
  await poll('Xvfb', probe, { intervalMs: 50, signal: limit.signal });
}

function freeNumber(): number {
  for (;;) {
    const number = randomInt(200, 30_000);
    if (!existsSync(`/tmp/.X11-unix/X${number}`) && !existsSync(`/tmp/.X${number}-lock`)) return number;
  }
}
