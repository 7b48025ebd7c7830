import type { IncomingMessage } from 'node:http';
import { describeError, PwpError } from '../../../../bridge/lib/index.ts';
import { listAgentTools } from '../agent-tools.ts';
import { readInput, sendReply, type ServedTable, splitPath } from '../episodes/index.ts';
import type { MethodHandlers, RequestHandler, Routes } from '../server.ts';
import { EventStream } from './event-stream.ts';
import { orsEnvironment, OrsError, orsInputs, orsSplit } from './ors-messages.ts';
import { OrsSessions } from './ors-sessions.ts';
import { listOrsTasks, pickOrsTask, requireOrsEnvironment } from './ors-tasks.ts';

const sessionHeader = 'x-session-id';

/**
 * The Open Reward Standard beside other routes: one environment with all tasks, a session for each episode. Its clients drop
 * the path of the server's address, and some also the environment's name, so its routes are at the root in both forms. Where
 * another route has the same path, requests with a session's header are for this one.
 */
export function orsRoutes(table: ServedTable, beside: Routes): Routes {
  const sessions = new OrsSessions(table);
  const ofTasks = taskRoutes(table, sessions);
  const own = {
    ...sessionRoutes(table, sessions),
    ...prefixPaths('', ofTasks),
    ...prefixPaths('/:environment', ofTasks),
  };
  const merged = Object.entries(own).map(([path, handlers]) => {
    const other = beside[path];
    return [path, other === undefined ? handlers : shareRoute(handlers, other)] as const;
  });
  return { ...beside, ...Object.fromEntries(merged) };
}

function prefixPaths(
  prefix: string,
  handlers: Readonly<Record<string, MethodHandlers>>,
): Record<string, MethodHandlers> {
  return Object.fromEntries(Object.entries(handlers).map(([name, each]) => [`${prefix}/${name}`, each]));
}

/** GET of two doors, which differ by the header of sessions; other methods of either. */
function shareRoute(own: MethodHandlers, beside: MethodHandlers | RequestHandler): MethodHandlers {
  const other = typeof beside === 'function' ? { GET: beside } : beside;
  const { GET: mine } = own;
  const { GET: theirs } = other;
  if (!mine || !theirs) return { ...other, ...own };
  return {
    ...{ ...other, ...own },
    GET: (request, ...rest) => (sessionHeader in request.headers ? mine : theirs)(request, ...rest),
  };
}

function sessionRoutes(table: ServedTable, sessions: OrsSessions): Readonly<Record<string, MethodHandlers>> {
  const remove = {
    POST: answer(async (request) => {
      await sessions.delete(readSession(request));
      return { sid: readSession(request) };
    }),
  };
  return {
    '/list_environments': { GET: answer(() => [orsEnvironment]) },
    '/create_session': {
      POST: async (_, response, signal) => {
        const stream = new EventStream(response, signal);
        await stream.send('task_id', table.makeId());
        await stream.send('end', '');
        stream.end();
      },
    },
    '/create': {
      POST: answer(async (request) => {
        const sid = readSession(request);
        sessions.create(sid, await readInput(request, orsInputs.create));
        return { sid };
      }),
    },
    '/ping': {
      POST: answer((request) => {
        sessions.ping(readSession(request));
        return { status: 'ok' };
      }),
    },
    '/delete': remove,
    '/delete_session': remove,
  };
}

function taskRoutes(table: ServedTable, sessions: OrsSessions): Readonly<Record<string, MethodHandlers>> {
  const { tasks } = table;
  const named = { env_name: orsEnvironment };
  return {
    tools: { GET: answer(() => ({ tools: listOrsTools(table) })) },
    splits: { GET: answer(() => [{ name: orsSplit, type: 'train' }]) },
    tasks: {
      POST: answer(async (request) => ({
        ...{ tasks: listOrsTasks(tasks, await readInput(request, orsInputs.split)) },
        ...named,
      })),
    },
    num_tasks: {
      POST: answer(async (request) => ({
        num_tasks: listOrsTasks(tasks, await readInput(request, orsInputs.split)).length,
      })),
    },
    task: {
      POST: answer(async (request) => ({
        ...{ task: pickOrsTask(tasks, await readInput(request, orsInputs.task)) },
        ...named,
      })),
    },
    task_range: {
      POST: answer(async (request) => ({
        ...{ tasks: listOrsTasks(tasks, await readInput(request, orsInputs.range)) },
        ...named,
      })),
    },
    prompt: { GET: answer((request) => sessions.prompt(readSession(request))) },
    task_tools: {
      GET: answer(async (request) => {
        await sessions.ready(readSession(request));
        return { tools: listOrsTools(table) };
      }),
    },
    call: { POST: streamCall(sessions) },
  };
}

/** Streams the result of a call: its id first, so that a client whose connection is lost can come back to it. */
function streamCall(sessions: OrsSessions): RequestHandler {
  return guard(async (request, response, signal) => {
    const sid = readSession(request);
    const call = await sessions.call(sid, await readInput(request, orsInputs.call));
    const stream = new EventStream(response, signal);
    if (call) {
      await stream.send('task_id', call.id);
      const result = await stream.wait(call.result);
      if ('json' in result) await stream.sendPieces(result.json);
      else await stream.send('error', result.failure.replaceAll(/\s+/g, ' '));
    } else await stream.send('error', 'unknown task_id');
    stream.end();
  });
}

/** Errors: 400 without the header. */
function readSession({ headers }: IncomingMessage): string {
  const { [sessionHeader]: sid } = headers;
  if (typeof sid === 'string' && /^[\w-]{1,100}$/.test(sid.trim())) return sid.trim();
  throw new OrsError(400, 'X-Session-ID is missing, or is no id: POST /create_session gives one');
}

/** Sends a result as JSON. */
function answer(run: (request: IncomingMessage) => object | Promise<object>): RequestHandler {
  return guard(async (request, response) => sendReply(response, 200, await run(request)));
}

/** Checks the environment's name in the path, and answers errors that come before the answer. */
function guard(handler: RequestHandler): RequestHandler {
  return async (request, response, ...rest) => {
    try {
      const [, first = '', second] = splitPath(request);
      if (second !== undefined) requireOrsEnvironment(first);
      await handler(request, response, ...rest);
    } catch (error) {
      if (response.headersSent) throw error;
      sendReply(response, toStatus(error), { detail: describeError(error) });
    }
  };
}

const statuses: Readonly<Record<string, number>> = {
  ...{ usage: 400, cancelled: 410, 'too-large': 413, 'too-many-episodes': 429 },
};

function toStatus(error: unknown): number {
  if (error instanceof OrsError) return error.status;
  return (error instanceof PwpError ? statuses[error.code] : undefined) ?? 500;
}

function listOrsTools(table: ServedTable): object[] {
  return listAgentTools(table).map(({ name, description, schema }) => ({
    name,
    description,
    input_schema: schema,
  }));
}
