import type Docker from 'dockerode';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { abortable, answered } from '../engine.ts';
import type { Reach } from './reach.ts';
import { socketReach } from './socket.ts';
import { websocketReach } from './websocket.ts';

/**
 * The ways to try, in this order. A Unix socket is tried where nothing speaks against it: the attempt itself tells
 * whether the container is on this kernel. `PWP_NODE_TRANSPORT` decides for one, `PWP_NODE_PORT` is for a forwarded engine.
 * Errors: `bad-setting`.
 */
export async function possibleReaches(
  engine: Docker,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Reach[]> {
  const websocket = websocketReach(portOf(env['PWP_NODE_PORT']));
  switch (env['PWP_NODE_TRANSPORT'] ?? '') {
    case 'socket':
      return [socketReach];
    case 'websocket':
      return [websocket];
    case '':
      return (await mayBeThisKernel(engine)) ? [socketReach, websocket] : [websocket];
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
  throw new PwpError('bad-setting', `PWP_NODE_PORT is ${JSON.stringify(text)}, which is no port`);
}

/** Docker Desktop runs its engine in a virtual machine, on Linux too. */
async function mayBeThisKernel(engine: Docker): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const ask = (abortSignal: AbortSignal) => abortable(engine).info({ abortSignal });
  return (await answered('its description', ask)).OperatingSystem !== 'Docker Desktop';
}
