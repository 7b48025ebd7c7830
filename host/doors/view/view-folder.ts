import { open, realpath, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, relative, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { PwpError } from '../../../bridge/lib/index.ts';
import { toJson } from '../../../bridge/text/index.ts';
import { recordFiles } from '../../run/index.ts';

/** The viewed folder. Nothing outside of it is read, regardless of paths and links in it. */
export class ViewFolder {
  readonly path: string;
  readonly #real: string;

  private constructor(path: string, real: string) {
    this.path = path;
    this.#real = real;
  }

  /** Errors: `no-such-folder`. */
  static async open(path: string): Promise<ViewFolder> {
    const real = await realpath(path).catch(() => null);
    if (real === null || !(await stat(real)).isDirectory())
      throw new PwpError('no-such-folder', `${path} is not a folder`, {
        help: 'Give the folder of a study, or one that contains studies or records.',
      });
    return new ViewFolder(resolve(path), real);
  }

  /** The path of an id: names below this folder, joined by slashes. Errors: `usage` for one that leads out of it. */
  below(id: string): string {
    if (id === '') return this.#real;
    const names = id.split('/');
    if (names.some((name) => name === '' || name === '.' || name === '..' || name.includes('\0')))
      throw new PwpError('usage', `${JSON.stringify(id)} is not a path below the folder`);
    return join(this.#real, ...names);
  }

  idOf(path: string): string {
    return relative(this.#real, path).split(sep).join('/');
  }

  /**
   * The path of a regular file that is in this folder by its real name. Errors: `usage`; `no-such-file` if it does
   * not exist, or a link leads out of the folder.
   */
  async file(id: string, name: string): Promise<string> {
    const path = this.below(id === '' ? name : `${id}/${name}`);
    const real = await realpath(path).catch(() => null);
    if (real === null) throw new PwpError('no-such-file', `there is no ${name} in ${id}`);
    if (!real.startsWith(this.#real + sep))
      throw new PwpError('no-such-file', `${name} in ${id} is a link out of the folder, and is not followed`);
    if (!(await stat(real)).isFile()) throw new PwpError('no-such-file', `${name} in ${id} is not a file`);
    return real;
  }

  async has(id: string, name: string): Promise<boolean> {
    return this.file(id, name).then(
      () => true,
      () => false,
    );
  }
}

const mediaTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  svg: 'image/svg+xml',
  mkv: 'video/x-matroska',
};

/** The type of a file of a record that a page may load. Errors: `usage` for any other file. */
export function readMediaType(name: string): string {
  const [, ending = ''] = /^frames\/[\w-]{1,100}\.([a-z]{3,4})$/.exec(name) ?? [];
  const type =
    name === recordFiles.video ? mediaTypes.mkv : ending === 'mkv' ? undefined : mediaTypes[ending];
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
  const range = parseRange(request.headers.range, size);
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

interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** One range; several are answered with the whole file, as the protocol allows. */
function parseRange(header: string | undefined, size: number): ByteRange | 'outside' | null {
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
