import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect as connectNet, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { connect as connectTls } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { PwpError } from '../../bridge/lib/index.ts';
import { temporaryFolder } from './folder.ts';

/** A server of test/programs/doors.ts. */
export interface Door {
  readonly name: string;
  readonly port?: number;
  /** Path of a Unix socket. */
  readonly path?: string;
  readonly tls: boolean;
  /** Null if no token is needed. */
  readonly token: string | null;
}

/** The servers, in a separate process. */
export interface Doors extends AsyncDisposable {
  readonly doors: readonly Door[];
  /** Undefined while the process runs; then its last output. */
  readonly ended: () => string | undefined;
}

const program = fileURLToPath(new URL('../programs/doors.ts', import.meta.url));

export async function openDoors(): Promise<Doors> {
  const folder = await temporaryFolder();
  const child = spawn(process.execPath, [...process.execArgv, program, folder.path], { stdio: 'pipe' });
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said = (said + text.toString()).slice(-2000)));
  const exited = once(child, 'exit');
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), exited])) as [unknown];
  if (typeof line !== 'string') throw new PwpError('usage', `the doors did not open: ${said}`);
  return {
    doors: JSON.parse(line) as Door[],
    ended: () => (child.exitCode === null && child.signalCode === null ? undefined : said),
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await exited;
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** A connection to a door; the caller writes to it and closes it. */
export async function knock({ port, path, tls }: Door, plain = false): Promise<Socket> {
  const place = path === undefined ? { host: '127.0.0.1', port: port ?? 0 } : { path };
  const secure = tls && !plain;
  const socket = secure ? connectTls({ ...place, rejectUnauthorized: false }) : connectNet(place);
  socket.on('error', () => socket.destroy());
  await once(socket, secure ? 'secureConnect' : 'connect');
  return socket;
}

/** Resolves when the other side has answered or hung up, or with false when it does neither in time. */
export async function answered(socket: Socket, withinMs: number): Promise<boolean> {
  const signal = AbortSignal.timeout(withinMs);
  const heard = ['data', 'close'].map((event) => once(socket, event, { signal }));
  return Promise.race(heard).then(
    () => true,
    () => false,
  );
}
