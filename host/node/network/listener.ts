import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Server } from 'node:net';
import { PwpError, deadline, messageOf } from '../../../bridge/lib/index.ts';

/** A short-lived program that takes the port, hands it over and is ended. In milliseconds. */
const listenMs = 15_000;

/**
 * Listens on 127.0.0.1 of another network namespace, and accepts in this process: a socket belongs to the namespace it
 * was created in, whichever process holds it. So nothing of the proxy runs inside, and it ends with this process.
 * @param netns file that the namespace is mounted on
 */
export async function listenIn(netns: string, port: number, signal: AbortSignal): Promise<Server> {
  using limit = deadline("the sandbox's way out", listenMs, signal);
  const script = `const s = require('node:net').createServer(); s.listen(${port}, '127.0.0.1', 512, () => process.send('listening', s));`;
  const child = spawn(
    'nsenter',
    [`--net=${netns}`, '--', process.execPath, '--disable-sigusr1', '-e', script],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { PATH: process.env['PATH'] },
      detached: true,
    },
  );
  try {
    return await receive(child, limit.signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw new PwpError('network-failed', `can't listen for the sandbox: ${messageOf(cause)}`, { cause });
  } finally {
    child.kill('SIGKILL');
  }
}

async function receive(child: ChildProcess, signal: AbortSignal): Promise<Server> {
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`nsenter ended with exit code ${String(code)}`);
  });
  const [, server] = (await Promise.race([once(child, 'message', { signal }), ended])) as unknown[];
  ended.catch(() => undefined);
  if (server instanceof Server) return server;
  throw new Error('no socket came over');
}
