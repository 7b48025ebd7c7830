import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { execa } from 'execa';

/** The link's two ends, of a range that is reserved for measurements. */
const [hostAddress, workerAddress] = [`198.18.${process.pid % 256}.1`, `198.18.${process.pid % 256}.2`];

/** A network namespace that reaches one server, over a link that can be put down. */
export interface CutLink extends AsyncDisposable {
  /** Words before a command that runs in the namespace. */
  readonly prefix: readonly string[];
  /** A server's address as programs in the namespace have it. */
  translate(url: string): string;
  set(state: 'up' | 'down'): Promise<void>;
}

/** @param url of a server on this machine's loopback */
export async function openCutLink(url: string): Promise<CutLink> {
  await using owned = new AsyncDisposableStack();
  const name = `pwpq${process.pid}`;
  const [outside, inside] = [`${name}a`, `${name}b`];
  const ip = (...args: readonly string[]) => execa('ip', args);
  await ip('netns', 'add', name);
  owned.defer(async () => void (await ip('netns', 'del', name)));
  await ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', inside, 'netns', name);
  await ip('addr', 'add', `${hostAddress}/30`, 'dev', outside);
  await ip('link', 'set', outside, 'up');
  await ip('-n', name, 'addr', 'add', `${workerAddress}/30`, 'dev', inside);
  await ip('-n', name, 'link', 'set', inside, 'up');
  const { port } = owned.use(await forward(Number(new URL(url).port)));
  const kept = owned.move();
  return {
    prefix: ['ip', 'netns', 'exec', name],
    translate: (address) => address.replace(/127\.0\.0\.1:\d+/, `${hostAddress}:${port}`),
    set: async (state) => void (await ip('-n', name, 'link', 'set', inside, state)),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Passes connections on to a port of the loopback, where the server listens alone. */
async function forward(to: number): Promise<AsyncDisposable & { readonly port: number }> {
  const sockets = new Set<Socket>();
  const server = createServer((from) => {
    const onward = connect(to, '127.0.0.1');
    for (const [one, other] of [
      [from, onward],
      [onward, from],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy()).on('close', () => sockets.delete(one) && other.destroy());
    }
  });
  server.listen(0, hostAddress);
  await once(server, 'listening');
  const address = server.address();
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
