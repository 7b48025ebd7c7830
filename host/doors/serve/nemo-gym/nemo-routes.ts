import type { IncomingMessage } from 'node:http';
import { describeError, PwpError } from '../../../../bridge/lib/index.ts';
import { toJson } from '../../../../bridge/text/index.ts';
import { listAgentTools } from '../agent-tools.ts';
import { readInput, sendReply, type ServedTable, splitPath } from '../episodes/index.ts';
import type { RequestHandler, Routes } from '../server.ts';
import {
  nemoMetrics,
  nemoRow,
  nemoStep,
  nemoToolArguments,
  nemoVerify,
  summarizeRewards,
} from './nemo-messages.ts';
import { NemoSessions } from './nemo-sessions.ts';

const cookieName = 'pwp_session';

/**
 * Two kinds of server of NeMo Gym: that of Gymnasium (`/reset`, `/step`), and the one with tools and a verifier
 * (`/seed_session`, `/<tool>`, `/verify`). Its client writes addresses of a host and a port alone, so they are at the root.
 */
export function nemoGymRoutes(table: ServedTable): Routes {
  const sessions = new NemoSessions(table);
  const begin = async (request: IncomingMessage) =>
    sessions.begin(readCookie(request), await readInput(request, nemoRow));
  const tools = listAgentTools(table, { pictures: false });
  const toolRoutes = tools.map(({ name }) => [`/${name}`, { POST: callTool(sessions) }] as const);
  return {
    ...Object.fromEntries(toolRoutes),
    '/reset': {
      POST: answer(async (request) => {
        const { id, begun } = await begin(request);
        const { task, instruction, from, observation } = begun;
        return [id, { observation: observation.text, info: { task, instruction, from } }];
      }),
    },
    '/step': {
      POST: answer(async (request, id) => [id, await sessions.step(id, await readInput(request, nemoStep))]),
    },
    '/seed_session': { POST: answer(async (request) => [(await begin(request)).id, {}]) },
    '/verify': {
      POST: answer(async (request, id) => {
        const given = await readInput(request, nemoVerify);
        return [id, { ...given, reward: await sessions.grade(id) }];
      }),
    },
    '/aggregate_metrics': {
      POST: answer(async (request, id) => [id, summarizeRewards(await readInput(request, nemoMetrics))]),
    },
    '/nemo-gym/tasks.jsonl': async (_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/jsonl' });
      for (const { id, instruction } of table.tasks)
        response.write(`${toJson(writeRow(id, instruction, tools))}\n`);
      response.end();
      return Promise.resolve();
    },
  };
}

/** A row of a data set, with what the model is asked and the tools that it can call. */
function writeRow(task: string, instruction: string, tools: ReturnType<typeof listAgentTools>): object {
  return {
    responses_create_params: {
      input: [{ role: 'user', content: instruction }],
      tools: tools.map(({ name, description, schema: parameters }) => ({
        ...{ type: 'function', name, description, parameters, strict: false },
      })),
    },
    task,
  };
}

/** A tool's answer as text: it is given to the model as it is. */
function callTool(sessions: NemoSessions): RequestHandler {
  return guard(async (request, response) => {
    const [, name = ''] = splitPath(request);
    const id = readCookie(request);
    const given = await sessions.callTool(id, name, await readInput(request, nemoToolArguments));
    response.setHeader('Set-Cookie', writeCookie(id));
    response.writeHead(given.ok ? 200 : 400, { 'Content-Type': 'text/plain; charset=utf-8' });
    response.end(given.ok ? given.text : given.error);
  });
}

/** Sends a result as JSON, and the session's id with each: clients keep the cookies of the newest answer alone. */
function answer(
  run: (request: IncomingMessage, session: string) => Promise<[string, object]>,
): RequestHandler {
  return guard(async (request, response) => {
    const [id, result] = await run(request, readCookie(request));
    if (id !== '') response.setHeader('Set-Cookie', writeCookie(id));
    sendReply(response, 200, result);
  });
}

function guard(handler: RequestHandler): RequestHandler {
  return async (request, response, ...rest) => {
    try {
      await handler(request, response, ...rest);
    } catch (error) {
      sendReply(response, statusOf(error), { detail: describeError(error) });
    }
  };
}

const statuses: Readonly<Record<string, number>> = {
  ...{ usage: 400, 'no-such-task': 404, 'no-such-episode': 404, 'too-large': 413 },
  'too-many-episodes': 429,
};

function statusOf(error: unknown): number {
  return (error instanceof PwpError ? statuses[error.code] : undefined) ?? 500;
}

/** Empty for a client without a session. */
function readCookie({ headers }: IncomingMessage): string {
  return (
    new RegExp(`(?:^|; *)${cookieName}="?([\\w-]{1,100})"?(?:;|$)`).exec(headers.cookie ?? '')?.[1] ?? ''
  );
}

function writeCookie(id: string): string {
  return `${cookieName}=${id}; Path=/; HttpOnly; SameSite=Strict`;
}
