import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type Docker from 'dockerode';
import { Header } from 'tar';
import { PwpError } from '../../../bridge/lib/index.ts';
import { connectSocket, connectWebSocket } from '../../../bridge/rpc/index.ts';
import { readBootId } from '../../lib/index.ts';
import type { NodeConnector } from './connector.ts';
import { askEngine, hasHttpStatus, withAbortSignals } from './engine.ts';
import { formatOwner, nodeLabel, ownerLabel } from './labels.ts';

/**
 * The ways to connect, in the order to try them. A Unix socket is tried unless something speaks against it: the attempt
 * itself shows whether the container is on this kernel. `PWP_NODE_TRANSPORT` chooses one, `PWP_NODE_PORT` is for a
 * forwarded engine. Errors: `bad-setting`.
 */
export async function listPossibleConnectors(
  engine: Docker,
  env: NodeJS.ProcessEnv = process.env,
): Promise<NodeConnector[]> {
  const websocket = websocketConnector(parsePort(env['PWP_NODE_PORT']));
  switch (env['PWP_NODE_TRANSPORT'] ?? '') {
    case 'socket':
      return [socketConnector];
    case 'websocket':
      return [websocket];
    case '':
      return (await mayBeThisKernel(engine)) ? [socketConnector, websocket] : [websocket];
    default:
      throw new PwpError(
        'bad-setting',
        `PWP_NODE_TRANSPORT is ${JSON.stringify(env['PWP_NODE_TRANSPORT'])}`,
        {
          help: 'Set it to socket or websocket, or not at all.',
        },
      );
  }
}

function parsePort(text: string | undefined): number | undefined {
  if (!text) return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new PwpError('bad-setting', `PWP_NODE_PORT is ${JSON.stringify(text)}, which is not a port`);
}

/** Docker Desktop runs its engine in a virtual machine, on Linux too. */
async function mayBeThisKernel(engine: Docker): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const ask = (abortSignal: AbortSignal) => withAbortSignals(engine).info({ abortSignal });
  return (await askEngine('its description', ask)).OperatingSystem !== 'Docker Desktop';
}

const socketFolderInside = '/run/pwp-node';

/** By a Unix socket in a folder of this machine, where the engine is on the same kernel. The container has no network. */
export const socketConnector: NodeConnector = {
  kind: 'socket',
  async prepare(_, { folder }) {
    // Not by the user's name: a number need not have one.
    const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
    const settings = {
      SOCKET: `${socketFolderInside}/node.sock`,
      SOCKET_UID: uid,
      SOCKET_GID: gid,
      BOOT_ID: await readBootId(),
    };
    return {
      env: Object.entries(settings).map(([name, value]) => `PWP_${name}=${value}`),
      // Not by `Binds`, which makes a folder that is missing: where it is, the engine is on another machine.
      mounts: [{ Type: 'bind', Source: folder, Target: socketFolderInside }],
      ports: {},
      networkMode: 'none',
    };
  },
  equip: () => Promise.resolve(),
  connect: (_, folder, signal) => connectSocket(join(folder, 'node.sock'), signal),
  forget: () => Promise.resolve(),
};

/** Inside the container. */
const nodePort = 4300;
const tokenFileInside = '/run/pwp-node-token';
const loopbackHost = '127.0.0.1';

/**
 * By a WebSocket that the engine publishes on its machine's loopback. The token is in files that only their owner can
 * read: anyone with access to the engine can see the environment of a container.
 * @param hostPort a port of the loopback; by default one that the engine finds free
 */
export function websocketConnector(hostPort?: number): NodeConnector {
  return {
    kind: 'websocket',
    async prepare(engine, { name }) {
      await createNetwork(engine, name);
      return {
        env: [`PWP_PORT=${nodePort}`, `PWP_TOKEN_FILE=${tokenFileInside}`],
        mounts: [],
        ports: {
          [`${nodePort}/tcp`]: [
            { HostIp: loopbackHost, HostPort: hostPort === undefined ? '' : String(hostPort) },
          ],
        },
        networkMode: name,
      };
    },
    async equip(container, { folder }) {
      const token = randomBytes(32).toString('base64url');
      await writeFile(hostTokenPath(folder), token, { mode: 0o600 });
      const tar = packTarFile(basename(tokenFileInside), token);
      await askEngine('a file for the node', (abortSignal) =>
        container.putArchive(tar, { path: dirname(tokenFileInside), abortSignal }),
      );
    },
    async connect(container, folder, signal) {
      const token = await readFile(hostTokenPath(folder), 'utf8');
      return connectWebSocket(
        { host: loopbackHost, port: await readPublishedPort(container, signal), token },
        signal,
      );
    },
    forget: removeNetwork,
  };
}

/** On this machine, where the folder is of a node that is reached this way. */
export function hostTokenPath(folder: string): string {
  return join(folder, 'token');
}

async function readPublishedPort(container: Docker.Container, signal: AbortSignal): Promise<number> {
  const ask = (abortSignal: AbortSignal) => container.inspect({ abortSignal });
  const { NetworkSettings } = await askEngine("the node's port", ask, { signal });
  const published = Number(NetworkSettings.Ports[`${nodePort}/tcp`]?.[0]?.HostPort);
  if (published > 0) return published;
  throw new PwpError('connect-failed', "the node's port is not published yet");
}

/** A network of the container's own: nothing else is on it, and it leads nowhere but to the engine's machine. */
async function createNetwork(engine: Docker, name: string): Promise<void> {
  const bridge = 'com.docker.network.bridge';
  const options = {
    Name: name,
    Driver: 'bridge',
    Labels: { [nodeLabel]: 'network', [ownerLabel]: await formatOwner() },
    Options: { [`${bridge}.enable_icc`]: 'false', [`${bridge}.enable_ip_masquerade`]: 'false' },
  };
  await askEngine('a network', (abortSignal) => engine.createNetwork({ ...options, abortSignal }));
}

async function removeNetwork(engine: Docker, name: string): Promise<void> {
  await engine
    .getNetwork(name)
    .remove()
    .catch((error: unknown) => {
      // 403: its container is still being removed; the sweep comes back to it.
      if (!hasHttpStatus(error, 403, 404)) throw error;
    });
}

const tarBlockBytes = 512;

/** An archive of one file that only root may read. */
function packTarFile(path: string, text: string): Buffer {
  const content = Buffer.from(text);
  const header = Buffer.alloc(tarBlockBytes);
  new Header({
    path,
    mode: 0o400,
    uid: 0,
    gid: 0,
    size: content.length,
    type: 'File',
    mtime: new Date(),
  }).encode(header);
  const padding = Buffer.alloc((tarBlockBytes - (content.length % tarBlockBytes)) % tarBlockBytes);
  return Buffer.concat([header, content, padding, Buffer.alloc(2 * tarBlockBytes)]);
}
