import { once } from 'node:events';
import { rename } from 'node:fs/promises';
import { createServer } from 'node:net';

/** Leaves a socket file without a listener, as a killed process does: moved away, it outlives its server. */
export async function leaveDeadSocket(path: string): Promise<void> {
  const server = createServer().listen(`${path}.alive`);
  await once(server, 'listening');
  await rename(`${path}.alive`, path);
  server.close();
  await once(server, 'close');
}
