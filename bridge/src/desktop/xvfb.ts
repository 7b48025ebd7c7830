import { connect } from 'node:net';
import { rm } from 'node:fs/promises';
import { poll, type Probe } from '../../lib/index.ts';
import type { Config } from '../config.ts';
import { START_MS, type Part } from './part.ts';
import { describeExit, startProgram, whileAlive } from './program.ts';

const SOCKET = '/tmp/.X11-unix/X1';

/** The screen: an X server that draws into memory. Who may open its socket's folder may use it; it asks for no key. */
export function xvfb({ screen, env }: Config): Part {
  return {
    name: 'xvfb',
    needs: [],
    startMs: START_MS,
    async start(signal) {
      await Promise.all([rm(SOCKET, { force: true }), rm('/tmp/.X1-lock', { force: true })]);
      const size = `${screen.width}x${screen.height}x24`;
      const argv = ['Xvfb', ':1', '-screen', '0', size, '-nolisten', 'tcp', '-noreset'] as const;
      const child = await startProgram('xvfb', [...argv], env);
      try {
        const drawn = poll('the X server', () => probeSocket(SOCKET), { intervalMs: 20, signal });
        await whileAlive('xvfb', child, drawn);
      } catch (error) {
        await child.stop();
        throw error;
      }
      return {
        ended: child.stopped.then((exit) => describeExit('xvfb', exit)),
        [Symbol.asyncDispose]: async () => void (await child.stop()),
      };
    },
  };
}

function probeSocket(path: string): Promise<Probe<true>> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve({ done: true, value: true });
    });
    socket.once('error', ({ message }) => resolve({ done: false, saw: message }));
  });
}
