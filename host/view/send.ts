import { open, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { PwpError, toJson } from '../../bridge/lib/index.ts';
import { recordFiles } from '../record/index.ts';

const types: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  svg: 'image/svg+xml',
  mkv: 'video/x-matroska',
};

/** The type of a file of a record that a page may load. Errors: `usage` for any other file. */
export function typeOf(name: string): string {
  const [, ending = ''] = /^frames\/[\w-]{1,100}\.([a-z]{3,4})$/.exec(name) ?? [];
  const type = name === recordFiles.video ? types.mkv : ending === 'mkv' ? undefined : types[ending];
  if (type === undefined)
    throw new PwpError('usage', `${JSON.stringify(name)} is not a picture or video of a record`);
  return type;
}

/** A picture or a part of a video. Opened as a page, it can do nothing: an SVG picture may contain a script. */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  type: string,
): Promise<void> {
  const { size } = await stat(path);
  const range = rangeOf(request.headers.range, size);
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
  response.setHeader('Accept-Ranges', 'bytes');
  // Files of a record are never rewritten.
  response.setHeader('Cache-Control', 'private, max-age=3600');
  if (range === 'outside') {
    response.writeHead(416, { 'Content-Range': `bytes */${size}` }).end();
    return;
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  response.setHeader('Content-Length', end - start + 1);
  if (range) response.setHeader('Content-Range', `bytes ${start}-${end}/${size}`);
  response.writeHead(range ? 206 : 200);
  if (size === 0) return void response.end();
  const file = await open(path);
  await pipeline(file.createReadStream({ start, end }), response);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** One range; several are answered with the whole file, as the protocol allows. */
function rangeOf(header: string | undefined, size: number): Range | 'outside' | null {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return null;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return start > end || start >= size ? 'outside' : { start, end };
}

export function sendJson(response: ServerResponse, value: unknown): void {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(toJson(value));
}

/** Sends values as they arrive, one line of JSON each; waits while the page does not read. */
export async function sendLines(
  response: ServerResponse,
  values: AsyncIterable<unknown>,
  signal: AbortSignal,
): Promise<void> {
  response.setHeader('Content-Type', 'application/x-ndjson; charset=utf-8');
  async function* texts() {
    for await (const value of values) yield `${JSON.stringify(value)}\n`;
  }
  await pipeline(texts, response, { signal });
}
