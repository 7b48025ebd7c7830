import type { IncomingMessage } from 'node:http';
import { readBounded } from '../../../../bridge/lib/index.ts';
import { programVersion } from '../../../lib/index.ts';
import { episodeRoutes, mostBodyBytes, sendReply, type ServedTable } from '../episodes/index.ts';
import { nemoGymRoutes } from '../nemo-gym/index.ts';
import { openEnvRoutes, openEnvSockets } from '../openenv/index.ts';
import { orsRoutes } from '../ors/index.ts';
import { osworldRoutes } from '../osworld/index.ts';
import type { MethodHandlers, RequestHandler, Routes } from '../server.ts';
import { relayEpisodes } from './episode-relay.ts';
import type { Fleet } from './fleet.ts';
import { FrontTable } from './front-table.ts';
import { passRequest, repeatRequest, toPassed } from './pass-request.ts';
import { passSocket } from './pass-socket.ts';
import { readSessionChoice } from './session-choice.ts';

/** Episodes in all protocols for trainers and programs. */
export function trainerRoutes(table: ServedTable): Routes {
  return orsRoutes(table, {
    ...nemoGymRoutes(table),
    ...osworldRoutes(table),
    ...openEnvRoutes(table),
    ...episodeRoutes(table),
  });
}

/**
 * The same for a front: sessions and episodes are those of its workers. What names none of them, and what can't be passed to a
 * worker, is answered here, as a server without episodes would.
 */
export function frontRoutes(served: Pick<ServedTable, 'tasks' | 'tools'>, fleet: Fleet): Routes {
  const table = new FrontTable(served, fleet);
  const passed = Object.entries(trainerRoutes(table)).map(([path, handlers]) => [
    path,
    passRoute(typeof handlers === 'function' ? { GET: handlers } : handlers, path, fleet, table),
  ]);
  return {
    ...(Object.fromEntries(passed) as Routes),
    '/health': async (_, response) => {
      const { size: episodes, capacity } = table;
      const workers = fleet.links.map(({ worker: { id, name, labels }, room }) => ({
        id,
        name,
        labels,
        ...room,
      }));
      sendReply(response, 200, { status: 'healthy', version: programVersion, episodes, capacity, workers });
      return Promise.resolve();
    },
  };
}

function passRoute(here: MethodHandlers, path: string, fleet: Fleet, table: ServedTable): MethodHandlers {
  const { GET, POST, DELETE, ...more } = here;
  const kind = openEnvSockets[path];
  return {
    ...more,
    ...(GET && { GET: passHandler(GET, fleet) }),
    ...(POST && { POST: passHandler(POST, fleet) }),
    ...(DELETE && { DELETE: passHandler(DELETE, fleet) }),
    ...(kind && { socket: passSocket(fleet, table, kind) }),
    ...(path === '/episodes' && { socket: relayEpisodes(fleet, table) }),
  };
}

/** @param here answers what is passed to no worker */
function passHandler(here: RequestHandler, fleet: Fleet): RequestHandler {
  return async (request, response, signal, visitor) => {
    // A longer one is refused here: it would be by any worker, in the same way.
    if (Number(request.headers['content-length'] ?? 0) > mostBodyBytes)
      return here(request, response, signal, visitor);
    const body = await readBody(request);
    const choice = readSessionChoice(request, visitor.user, body);
    const links = (body?.length ?? 0) > mostBodyBytes ? [] : fleet.choose(choice);
    for await (const link of links)
      if (await passRequest(link, toPassed(request, visitor.user, body), response, signal, choice.begins))
        return;
    return here(body ? repeatRequest(request, body) : request, response, signal, visitor);
  };
}

/** Undefined for a request that has none. One that is too long stays so. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (request.method !== 'POST') return undefined;
  return (await readBounded(request, mostBodyBytes)) ?? Buffer.alloc(mostBodyBytes + 1);
}
