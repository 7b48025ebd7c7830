import { connect } from 'node:net';
import type { Probe } from '../../lib/index.ts';

/** Whether a server listens on a Unix socket. */
export function probeSocket(path: string): Promise<Probe<true>> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve({ done: true, value: true });
    });
    socket.once('error', ({ message }) => resolve({ done: false, saw: message }));
  });
}
