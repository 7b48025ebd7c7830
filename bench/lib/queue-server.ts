import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { type Child, deadline, poll, PwpError, signalGroup, startChild } from '../../bridge/lib/index.ts';
import { openTemporaryFolder } from '../../host/lib/index.ts';

/** The longest time until a server answers, in milliseconds. */
const startMs = 30_000;

/** A server for queues or stores, on a port of its own. Disposing it ends it and removes its data. */
export interface QueueServer extends AsyncDisposable {
  readonly url: string;
  /** Its first process, at the moment. */
  readonly pid: number;
  /** Ends it by SIGKILL. */
  kill(): Promise<void>;
  /** Ends it by SIGKILL, and starts it again on its data. */
  restart(): Promise<void>;
}

/** @param connections the most that it takes */
export type OpenQueueServer = (connections?: number) => Promise<QueueServer>;

/** Debian's Redis, which writes each change to its disk: the program of redis-tools, which is the server by its name. */
export const openRedis: OpenQueueServer = () =>
  openServer(async (folder, port) => {
    const program = join(folder, 'redis-server');
    await symlink('/usr/bin/redis-check-rdb', program);
    const settings = {
      port,
      dir: folder,
      bind: '127.0.0.1',
      appendonly: 'yes',
      'maxmemory-policy': 'noeviction',
    };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    return {
      url: `redis://127.0.0.1:${port}`,
      start: () => startChild(program, args, { env: process.env, log: join(folder, 'log') }),
      check: () => execa('redis-cli', ['-p', String(port), 'ping']),
    };
  });

/** Debian's PostgreSQL, as its own user: it does not run as root. */
export const openPostgres: OpenQueueServer = (connections = 200) =>
  openServer(async (folder, port) => {
    const [programs] = globSync('/usr/lib/postgresql/*/bin');
    if (programs === undefined)
      throw new PwpError('command-missing', 'PostgreSQL is not installed', {
        help: 'apt-get install -y --no-install-recommends postgresql',
      });
    const as = ['--reuid', 'postgres', '--regid', 'postgres', '--clear-groups'];
    const data = join(folder, 'data');
    await execa('chown', ['postgres', dirname(folder), folder]);
    await execa('setpriv', [...as, join(programs, 'initdb'), '-D', data, '-A', 'trust', '--no-sync']);
    const args = [
      ...as,
      ...[join(programs, 'postgres'), '-D', data, '-p', String(port), '-k', folder],
      ...['-c', 'listen_addresses=127.0.0.1', '-c', `max_connections=${connections}`],
    ];
    return {
      url: `postgres://postgres@127.0.0.1:${port}/postgres`,
      start: () => startChild('setpriv', args, { env: process.env, log: join(folder, 'log') }),
      check: () => execa(join(programs, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)]),
    };
  });

interface ServerParts {
  readonly url: string;
  readonly start: () => Promise<Child>;
  readonly check: () => Promise<unknown>;
}

/** Starts a program that serves a port of its own, and waits until it answers. */
export async function openServer(
  make: (folder: string, port: number) => Promise<ServerParts>,
): Promise<QueueServer> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await openTemporaryFolder('server'));
  const place = join(folder.path, 'server');
  await mkdir(place);
  const { url, start, check } = await make(place, await findFreePort());
  let child = await start();
  owned.defer(() => child[Symbol.asyncDispose]());
  const ready = async () => {
    using limit = deadline(url, startMs);
    const probe = async () => {
      // What a killed server has left may end after it, and be in the way.
      if (child.process.exitCode !== null) child = await start();
      await check();
      return { done: true, value: undefined } as const;
    };
    await poll(url, probe, { intervalMs: 100, signal: limit.signal });
  };
  await ready();
  const kept = owned.move();
  const kill = async () => {
    signalGroup(child.pid, 'SIGKILL');
    await child.stopped;
  };
  return {
    url,
    get pid() {
      return child.pid;
    },
    kill,
    async restart() {
      await kill();
      child = await start();
      await ready();
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
