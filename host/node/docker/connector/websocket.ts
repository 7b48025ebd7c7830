import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type Docker from 'dockerode';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { connectWebSocket } from '../../../../bridge/rpc/index.ts';
import { answered, hasStatus } from '../engine.ts';
import { nodeLabel, ownerLabel, ownerText } from '../labels.ts';
import type { Connector } from './connector.ts';
import { tarOfFile } from './tar.ts';

/** Inside the container. */
const port = 4300;
const tokenFile = '/run/pwp-node-token';
const host = '127.0.0.1';

/**
 * By a WebSocket that the engine publishes on its machine's loopback. The token is in files that only their owner can
 * read: anyone with access to the engine can see the environment of a container.
 * @param hostPort a port of the loopback; by default one that the engine finds free
 */
export function websocketConnector(hostPort?: number): Connector {
  return {
    kind: 'websocket',
    async prepare(engine, { name }) {
      await createNetwork(engine, name);
      return {
        env: [`PWP_PORT=${port}`, `PWP_TOKEN_FILE=${tokenFile}`],
        mounts: [],
        ports: {
          [`${port}/tcp`]: [{ HostIp: host, HostPort: hostPort === undefined ? '' : String(hostPort) }],
        },
        networkMode: name,
      };
    },
    async equip(container, { folder }) {
      const token = randomBytes(32).toString('base64url');
      await writeFile(tokenPath(folder), token, { mode: 0o600 });
      const tar = tarOfFile(basename(tokenFile), token);
      await answered('a file for the node', (abortSignal) =>
        container.putArchive(tar, { path: dirname(tokenFile), abortSignal }),
      );
    },
    async connect(container, folder, signal) {
      const token = await readFile(tokenPath(folder), 'utf8');
      return connectWebSocket({ host, port: await publishedPort(container, signal), token }, signal);
    },
    forget: removeNetwork,
  };
}

/** On this machine, where the folder is of a node that is reached this way. */
export function tokenPath(folder: string): string {
  return join(folder, 'token');
}

async function publishedPort(container: Docker.Container, signal: AbortSignal): Promise<number> {
  const ask = (abortSignal: AbortSignal) => container.inspect({ abortSignal });
  const { NetworkSettings } = await answered("the node's port", ask, { signal });
  const published = Number(NetworkSettings.Ports[`${port}/tcp`]?.[0]?.HostPort);
  if (published > 0) return published;
  throw new PwpError('connect-failed', "the node's port is not published yet");
}

/** A network of the container's own: nothing else is on it, and it leads nowhere but to the engine's machine. */
async function createNetwork(engine: Docker, name: string): Promise<void> {
  const bridge = 'com.docker.network.bridge';
  const options = {
    Name: name,
    Driver: 'bridge',
    Labels: { [nodeLabel]: 'network', [ownerLabel]: await ownerText() },
    Options: { [`${bridge}.enable_icc`]: 'false', [`${bridge}.enable_ip_masquerade`]: 'false' },
  };
  await answered('a network', (abortSignal) => engine.createNetwork({ ...options, abortSignal }));
}

async function removeNetwork(engine: Docker, name: string): Promise<void> {
  await engine
    .getNetwork(name)
    .remove()
    .catch((error: unknown) => {
      // 403: its container is still being removed; the sweep comes back to it.
      if (!hasStatus(error, 403, 404)) throw error;
    });
}
