import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import { parseRequestUrl } from '../../../../bridge/lib/index.ts';
import { tryParseJson } from '../../../../bridge/text/index.ts';
import { readWorkerId } from '../../../run/index.ts';
import type { SessionChoice } from './fleet.ts';

/** Requests that may begin a session, of all protocols. */
const beginnings: ReadonlySet<string> = new Set([
  'POST /episodes',
  'POST /create_session',
  'POST /reset',
  'POST /seed_session',
  'POST /openenv/reset',
  'GET /openenv/ws',
  'GET /openenv/mcp',
]);
const rpcPath = '/openenv/mcp';
const rpcBeginning = 'openenv/session/create';

/** The fields of bodies that choose a worker. */
const namingBody = z.object({
  request: z.string().optional().catch(undefined),
  session_id: z.string().optional().catch(undefined),
  method: z.string().optional().catch(undefined),
  params: z
    .object({ session_id: z.string().optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

/**
 * What a request is about, in any protocol: ids of sessions and episodes are in the path, in a header, the body, the query, a
 * cookie, or the user of the address.
 * @param user the name in `http://name:token@…`
 */
export function readSessionChoice(request: IncomingMessage, user: string, body?: Buffer): SessionChoice {
  const { method = '', headers } = request;
  const { pathname = '', searchParams } = parseRequestUrl(request) ?? {};
  const given = namingBody.safeParse(body && tryParseJson(body.toString('utf8'))).data;
  const named = given?.session_id ?? given?.params?.session_id;
  const [, , inPath = ''] = pathname.startsWith('/episodes/') ? pathname.split('/') : [];
  const session = [
    ...[inPath, headers['x-session-id'], named],
    ...[searchParams?.get('session_id'), searchParams?.get('episode')],
    ...[/(?:^|; *)pwp_session="?([\w-]+)/.exec(headers.cookie ?? '')?.[1], user],
  ].find((id) => typeof id === 'string' && readWorkerId(id) !== undefined);
  const isBeginning =
    pathname === rpcPath && method === 'POST'
      ? given?.method === rpcBeginning
      : beginnings.has(`${method} ${pathname}`);
  return {
    ...(typeof session === 'string' && { session }),
    begins: isBeginning && named === undefined && !searchParams?.has('session_id'),
    stays: pathname.startsWith('/openenv/'),
    ...(pathname === '/episodes' && given?.request !== undefined && { request: given.request }),
    labels: readLabels(headers['x-pwp-labels']),
  };
}

function readLabels(header: string | string[] | undefined): string[] {
  return String(header ?? '')
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== '');
}
