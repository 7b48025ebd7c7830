import type Docker from 'dockerode';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { abortable, answered } from '../engine.ts';
import type { Connector } from './connector.ts';
import { socketConnector } from './socket.ts';
import { websocketConnector } from './websocket.ts';

/**
 * The ways to connect, in the order to try them. A Unix socket is tried unless something speaks against it: the attempt
 * itself shows whether the container is on this kernel. `PWP_NODE_TRANSPORT` chooses one, `PWP_NODE_PORT` is for a
 * forwarded engine. Errors: `bad-setting`.
 */
export async function possibleConnectors(
  engine: Docker,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Connector[]> {
  const websocket = websocketConnector(portOf(env['PWP_NODE_PORT']));
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

function portOf(text: string | undefined): number | undefined {
  if (!text) return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new PwpError('bad-setting', `PWP_NODE_PORT is ${JSON.stringify(text)}, which is not a port`);
}

/** Docker Desktop runs its engine in a virtual machine, on Linux too. */
async function mayBeThisKernel(engine: Docker): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const ask = (abortSignal: AbortSignal) => abortable(engine).info({ abortSignal });
  return (await answered('its description', ask)).OperatingSystem !== 'Docker Desktop';
}
