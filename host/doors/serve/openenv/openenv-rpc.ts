import * as z from 'zod';
import { describeError, PwpError } from '../../../../bridge/lib/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import { openEnvRequests, resetData, type RpcReply, rpcRequest } from './openenv-messages.ts';
import { isFull, type OpenEnvSession, type OpenEnvSessions, StartError } from './openenv-session.ts';

/** JSON-RPC's codes of errors. */
const rpcErrors = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  server: -32000,
} as const;

/** Longest explanation of what is wrong with a message. */
const longestReason = 2000;

const toolParams = z.object({
  session_id: openEnvRequests.reset.shape.session_id,
  name: z.string().min(1).max(200),
  arguments: z.record(z.string(), z.unknown()).default({}),
});

/**
 * Answers a request of JSON-RPC, of which there are four: `tools/list`, `tools/call`, `openenv/session/create` and
 * `…/close`. Never rejects.
 * @param read returns the request, or fails if it is not JSON
 * @param own the session of the connection that it came by
 */
export async function answerRpc(
  sessions: OpenEnvSessions,
  read: () => unknown,
  own?: OpenEnvSession,
): Promise<RpcReply> {
  const nameless = { jsonrpc: '2.0', id: null } as const;
  let value: unknown;
  try {
    value = await read();
  } catch (error) {
    return { ...nameless, error: { code: rpcErrors.parse, message: writeReason(error) } };
  }
  const parsed = rpcRequest.safeParse(value);
  if (!parsed.success)
    return { ...nameless, error: { code: rpcErrors.request, message: explainInvalid(parsed.error) } };
  const named = { ...nameless, id: parsed.data.id ?? null };
  const { method, params } = parsed.data;
  const run = rpcMethods[method];
  if (!Object.hasOwn(rpcMethods, method) || !run)
    return { ...named, error: { code: rpcErrors.method, message: `Method not found: ${method}` } };
  try {
    return { ...named, result: await run(sessions, params, own) };
  } catch (error) {
    return { ...named, error: describeRpcError(error, sessions) };
  }
}

type RpcMethod = (
  sessions: OpenEnvSessions,
  params: Record<string, unknown>,
  own: OpenEnvSession | undefined,
) => Promise<object>;

const rpcMethods: Readonly<Record<string, RpcMethod>> = {
  'tools/list': (sessions) =>
    Promise.resolve({
      tools: sessions.table.tools.map(({ name, description, inputSchema }) => ({
        ...{ name, description, inputSchema },
      })),
    }),
  async 'tools/call'(sessions, params, own) {
    const { name, arguments: given, session_id: id } = parseParams(toolParams, params);
    const session = requireSession(sessions, id, own);
    const { output, evidence, effect } = await session.callTool(name, given);
    const text = output === '' ? evidence : output;
    return { content: [{ type: 'text', text }], isError: effect === 'refused', data: text };
  },
  /** With any of a reset's data, the session begins with an episode. */
  async 'openenv/session/create'(sessions, params, own) {
    const given = parseParams(resetData, params);
    if (Object.keys(given).length === 0) return { session_id: (own ?? sessions.add()).id };
    const { observation } = await (own ? own.reset(given) : sessions.begin(given));
    return { session_id: observation.session_id, observation };
  },
  async 'openenv/session/close'(sessions, params) {
    const { session_id: id } = parseParams(openEnvRequests.reset, params);
    await sessions.end(requireSession(sessions, id));
    return { session_id: id, closed: true };
  },
};

/** Errors: `not-reset` without an id, `no-such-episode`. */
export function requireSession(
  sessions: OpenEnvSessions,
  id: string | undefined,
  own?: OpenEnvSession,
): OpenEnvSession {
  const session = id === undefined ? own : sessions.find(id);
  if (session) return session;
  const help = 'POST /mcp openenv/session/create makes a session';
  if (id === undefined) throw new PwpError('not-reset', "'session_id' is required", { help });
  const why = sessions.table.explainLoss(id);
  const lost = why === undefined ? '' : `: ${why}`;
  throw new PwpError('no-such-episode', `Unknown session_id: ${clip(id, 100)}${lost}`, { help });
}

function parseParams<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  throw new PwpError('usage', `Invalid params: ${explainInvalid(parsed.error)}`);
}

export function explainInvalid(error: z.ZodError): string {
  return clip(z.prettifyError(error), longestReason);
}

/** An error's message with what to do. */
export function writeReason(error: unknown): string {
  const { help } = error instanceof PwpError ? error : {};
  return help === undefined ? describeError(error) : `${describeError(error)}. ${help}`;
}

/** What a full server says of its room, and one that can't start an episode of that. */
export function describeRoom(error: unknown, { table }: OpenEnvSessions): object {
  if (isFull(error)) return { active_sessions: table.size, max_sessions: table.capacity };
  return error instanceof StartError ? { factory_name: error.task } : {};
}

function describeRpcError(error: unknown, sessions: OpenEnvSessions): NonNullable<RpcReply['error']> {
  const message = writeReason(error);
  if (isFull(error) || error instanceof StartError)
    return { code: rpcErrors.server, message, data: describeRoom(error, sessions) };
  const isOwn = error instanceof PwpError && ['usage', 'not-reset', 'no-such-episode'].includes(error.code);
  return { code: isOwn ? rpcErrors.params : rpcErrors.internal, message };
}
