import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import { parseRequestUrl, PwpError } from '../../../../bridge/lib/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import { programVersion } from '../../../lib/index.ts';
import type { Visitor } from '../access.ts';
import { readInput, sendReply, type ServedTable, splitPath } from '../episodes/index.ts';
import type { MethodHandlers, RequestHandler, Routes } from '../server.ts';
import { trainerPatienceMs } from '../sockets.ts';
import { describeOpenEnv } from './openenv-api.ts';
import { describeSchemas, openEnvRequests } from './openenv-messages.ts';
import { answerRpc, writeReason, requireSession } from './openenv-rpc.ts';
import { OpenEnvSessions } from './openenv-session.ts';
import { serveEnvironments, serveRpc } from './openenv-socket.ts';
import { environmentName, taskCalls, taskSplits } from './openenv-tasks.ts';

const description =
  'VS Code, driven by pixels, marks and tools: a task for each episode, scored by tests out of its reach.';

/** HTTP's status for an error's code; all others are 500. */
const openEnvStatuses: Readonly<Record<string, number>> = {
  usage: 400,
  'no-such-task': 404,
  'no-such-episode': 404,
  'not-reset': 409,
  'too-large': 413,
  'too-many-episodes': 429,
};

/** OpenEnv's protocol, version 0.10, below `/openenv`: its clients have that in their base address. */
export function openEnvRoutes(table: ServedTable): Routes {
  const sessions = new OpenEnvSessions(table);
  return {
    '/openenv/ws': { socket: serveEnvironments(sessions), patienceMs: trainerPatienceMs },
    '/openenv/mcp': {
      ...{ socket: serveRpc(sessions), patienceMs: trainerPatienceMs },
      POST: answer(async (request) => answerRpc(sessions, () => readInput(request, z.unknown()))),
    },
    ...describedRoutes(),
    ...sessionRoutes(sessions),
    ...taskRoutes(table),
  };
}

/** What does not change while the server runs. */
function describedRoutes(): Routes {
  const described: Readonly<Record<string, object>> = {
    health: { status: 'healthy' },
    metadata: { name: environmentName, description, version: programVersion },
    schema: describeSchemas(),
    'openapi.json': describeOpenEnv(),
    list_environments: [environmentName],
  };
  return Object.fromEntries(
    Object.entries(described).map(([name, value]) => [
      `/openenv/${name}`,
      answer(() => Promise.resolve(value)),
    ]),
  );
}

/** Episodes over HTTP alone: a reset makes a session, whose id is in its answer. */
function sessionRoutes(sessions: OpenEnvSessions): Routes {
  const pick = (id: string | null | undefined, { user }: Visitor) =>
    requireSession(sessions, id ?? (user === '' ? undefined : user));
  return {
    '/openenv/reset': {
      POST: answer(async (request, { user }) => {
        const { session_id: id, ...given } = await readInput(request, openEnvRequests.reset);
        const session = id === undefined ? sessions.find(user) : requireSession(sessions, id);
        return session ? session.reset(given) : sessions.begin(given);
      }),
    },
    '/openenv/step': {
      POST: answer(async (request, visitor) => {
        const { session_id: id, action, request_id } = await readInput(request, openEnvRequests.step);
        const { observation, ...ending } = await pick(id, visitor).step(action);
        return { observation: { ...observation, ...(request_id != null && { request_id }) }, ...ending };
      }),
    },
    '/openenv/state': answer((request, visitor) => {
      const id = parseRequestUrl(request)?.searchParams.get('session_id');
      return Promise.resolve(pick(id, visitor).state);
    }),
  };
}

function taskRoutes({ tasks }: ServedTable): Routes {
  const calls = Object.entries(taskCalls).map(([name, call]): [string, MethodHandlers] => [
    `/openenv/:environment/${name}`,
    {
      POST: answer(async (request) => {
        requireEnvironment(request);
        return call.answer(tasks, await readInput(request, call.input));
      }),
    },
  ]);
  const splits = answer((request) => {
    requireEnvironment(request);
    return Promise.resolve(taskSplits);
  });
  return { '/openenv/:environment/splits': splits, ...Object.fromEntries(calls) };
}

function requireEnvironment(request: IncomingMessage): void {
  const [, , name = ''] = splitPath(request);
  if (name.toLowerCase() === environmentName) return;
  throw new PwpError(
    'no-such-task',
    `there is no environment ${JSON.stringify(clip(name, 100))}: there is pwp`,
  );
}

/** Sends a result as JSON, or an error in the form of the owners' servers. */
function answer(run: (request: IncomingMessage, visitor: Visitor) => Promise<object>): RequestHandler {
  return async (request, response, _, visitor) => {
    try {
      sendReply(response, 200, await run(request, visitor));
    } catch (error) {
      const code = error instanceof PwpError ? error.code : 'internal';
      sendReply(response, openEnvStatuses[code] ?? 500, { detail: writeReason(error), code });
    }
  };
}
