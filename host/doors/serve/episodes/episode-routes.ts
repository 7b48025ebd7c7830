import type { IncomingMessage } from 'node:http';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { programVersion } from '../../../lib/index.ts';
import type { RequestHandler, Routes } from '../server.ts';
import { trainerPatienceMs } from '../sockets.ts';
import { episodeCalls, isEpisodeCall, openCall } from './episode-calls.ts';
import { writeError } from './episode-input.ts';
import { episodeSocket } from './episode-socket.ts';
import type { ServedTable } from './episode-table.ts';
import { readInput, sendReply, splitPath } from './json-messages.ts';
import { describeApi } from './open-api.ts';

/** HTTP's status for an error's code; all others are 500. */
const statuses: Readonly<Record<string, number>> = {
  usage: 400,
  'bad-name': 400,
  'exec-failed': 400,
  'no-such-file': 404,
  'no-such-task': 404,
  'no-such-episode': 404,
  'no-such-checkpoint': 404,
  'not-reset': 409,
  'too-large': 413,
  'too-many-episodes': 429,
};

/**
 * The episodes of a table over HTTP. A client that has gone does not stop what it asked for: it can ask again, with the
 * same id, and gets the reply.
 */
export function episodeRoutes(table: ServedTable): Routes {
  return {
    '/health': answer(() =>
      Promise.resolve({
        status: 'healthy',
        version: programVersion,
        episodes: table.size,
        capacity: table.capacity,
        ...(table.worker !== undefined && { worker: table.worker }),
      }),
    ),
    '/tasks': answer(() =>
      Promise.resolve({ tasks: table.tasks.map(({ id, instruction }) => ({ id, instruction })) }),
    ),
    '/tools': answer(() => Promise.resolve({ tools: table.tools })),
    '/openapi.json': answer(() => Promise.resolve(describeApi())),
    '/episodes': {
      POST: answer(async (request) => table.open(await readInput(request, openCall.input))),
      socket: episodeSocket(table),
      patienceMs: trainerPatienceMs,
    },
    '/episodes/:episode': {
      DELETE: answer(async (request) => {
        const [, , id = ''] = splitPath(request);
        await table.close(id);
        return { episode: id };
      }),
    },
    '/episodes/:episode/:call': {
      POST: answer(async (request) => {
        const [, , id = '', name = ''] = splitPath(request);
        if (!isEpisodeCall(name))
          throw new PwpError('usage', `an episode has no ${JSON.stringify(name)}`, {
            help: `It has ${Object.keys(episodeCalls).join(', ')}.`,
          });
        return table.call(id, name, await readInput(request, episodeCalls[name].input));
      }),
    },
  };
}

/** Sends a result as JSON, or an error with its code. */
function answer(run: (request: IncomingMessage) => Promise<object>): RequestHandler {
  return async (request, response) => {
    try {
      sendReply(response, 200, await run(request));
    } catch (error) {
      const failed = writeError(error);
      sendReply(response, statuses[failed.error.code] ?? 500, failed);
    }
  };
}
