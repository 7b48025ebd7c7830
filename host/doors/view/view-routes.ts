import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename } from 'node:path';
import * as z from 'zod';
import { describeError, parseRequestUrl, PwpError } from '../../../bridge/lib/index.ts';
import { type MethodHandlers, type RequestHandler, type Routes, sendPage } from '../serve/index.ts';
import { FolderViewer } from './folder-viewer.ts';
import type { LiveStates } from './live-states.ts';
import { sendFile, sendJson, sendLines, ViewFolder } from './view-folder.ts';

/** The maximum number of moments in one answer. */
const mostMoments = 500;

const idParam = z.string().max(4000);
const placeParam = z.coerce.number().pipe(z.int().nonnegative().max(100_000_000));
const wordParam = z.string().max(500).default('');
const criteriaParams = z.object({ effect: wordParam, tool: wordParam, mark: wordParam, text: wordParam });

/**
 * A page (`/`) that shows the attempts below a folder, and its data. Nothing is written, and nothing outside of the folder
 * is read. Errors: `no-such-folder`.
 * @param live opens steps as live IDEs. Default: steps can't be opened
 */
export async function viewRoutes(path: string, live?: LiveStates): Promise<Routes> {
  const folder = await ViewFolder.open(path);
  const viewed = new FolderViewer(folder, live !== undefined);
  return {
    ...(live && { '/data/live': liveHandlers(live, viewed) }),
    '/': (_, response) => sendPage(response, 'studies', basename(folder.path)),
    '/data/index': (_, response) => viewed.index().then((index) => sendJson(response, index)),
    '/data/facts': (_, response, signal) => sendLines(response, viewed.facts(signal), signal),
    '/data/find': handleQuery(criteriaParams, async (wanted, { response, signal }) =>
      sendLines(response, viewed.find(wanted, signal), signal),
    ),
    '/data/find-in': handleQuery(
      criteriaParams.extend({ id: idParam }),
      async ({ id: of, ...wanted }, { response, signal }) =>
        sendJson(response, await viewed.findIn(of, wanted, signal)),
    ),
    '/data/attempt': handleQuery(z.object({ id: idParam }), async ({ id: of }, { response }) =>
      sendJson(response, await viewed.attempt(of)),
    ),
    '/data/moments': handleQuery(
      z.object({ id: idParam, from: placeParam, to: placeParam }),
      async ({ id: of, from, to }, { response }) =>
        sendJson(response, await viewed.moments(of, from, Math.min(to, from + mostMoments))),
    ),
    '/data/moment': handleQuery(
      z.object({ id: idParam, at: z.string().max(100) }),
      async ({ id: of, at }, { response }) => sendJson(response, await viewed.moment(of, at)),
    ),
    '/data/aligned': handleQuery(z.object({ a: idParam, b: idParam }), async ({ a, b }, { response }) =>
      sendJson(response, await viewed.aligned(a, b)),
    ),
    '/data/file': handleQuery(
      z.object({ id: idParam, name: z.string().max(200) }),
      async ({ id: of, name }, { request, response }) => {
        const { path: file, type } = await viewed.file(of, name);
        await sendFile(request, response, file, type);
      },
    ),
    '/data/thumb': handleQuery(
      z.object({ id: idParam, name: z.string().max(200) }),
      async ({ id: of, name }, { response }) => {
        const picture = await viewed.thumb(of, name);
        response.setHeader('Content-Type', 'image/webp');
        response.setHeader('Cache-Control', 'private, max-age=3600');
        response.end(picture);
      },
    ),
  };
}

/** Only the owner of the page opens and ends them, and no page of another origin. */
function liveHandlers(live: LiveStates, viewed: FolderViewer): MethodHandlers {
  return {
    GET: (_, response) => Promise.resolve(sendJson(response, live.open)),
    POST: handleQuery(
      z.object({ id: idParam, step: placeParam }),
      async ({ id: of, step }, { response, signal }) => {
        const folder = await viewed.recordFolder(of);
        return sendLines(response, live.start(of, { folder, step }, signal), signal);
      },
    ),
    DELETE: handleQuery(z.object({ sandbox: z.string().max(200) }), async ({ sandbox }, { response }) => {
      await live.end(sandbox);
      sendJson(response, live.open);
    }),
  };
}

interface QueryContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly signal: AbortSignal;
}

/** A handler that checks its query; if it can't answer, it sends the reason with a status. */
function handleQuery<T extends z.ZodType>(
  question: T,
  handle: (question: z.output<T>, asking: QueryContext) => Promise<void>,
): RequestHandler {
  return async (request, response, signal) => {
    const given = question.safeParse(Object.fromEntries(readParams(request)));
    if (!given.success) return refuseQuery(response, 400, z.prettifyError(given.error));
    try {
      await handle(given.data, { request, response, signal });
    } catch (error) {
      if (!(error instanceof PwpError) || response.headersSent) throw error;
      refuseQuery(response, error.code === 'usage' ? 400 : 404, describeError(error));
    }
  };
}

function refuseQuery(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(text);
}

function readParams(request: IncomingMessage): URLSearchParams {
  return parseRequestUrl(request)?.searchParams ?? new URLSearchParams();
}
