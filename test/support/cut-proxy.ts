import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A network between two sides on this machine that can fail without notice to either side. */
export interface CutProxy extends AsyncDisposable {
  readonly port: number;
  /** Stops passing data on. What either side sends is kept. */
  cut(): void;
  /** Passes on the kept data, and all later data. */
  mend(): void;
}

/** Forwards a port of its own to another port of 127.0.0.1. */
export async function openCutProxy(to: number): Promise<CutProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const pass = (from: Socket, into: Socket) => {
    sockets.add(from);
    from.on('data', (bytes) => into.write(bytes));
    from.on('end', () => into.end());
    from.on('error', () => into.destroy());
    if (isCut) from.pause();
  };
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port: to, host: '127.0.0.1', allowHalfOpen: true });
    pass(near, far);
    pass(far, near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.pause();
    },
    mend: () => {
      isCut = false;
      for (const socket of sockets) socket.resume();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
