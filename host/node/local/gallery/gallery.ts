import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname } from 'node:path';
import type { Duplex } from 'node:stream';
import { addressOf, httpDoor, readBounded } from '../../../../bridge/lib/index.ts';
import { Refusals, type Egress } from '../../network/index.ts';
import { answerOf, assetPath, assets, extensionOf, uuidOf } from './answers.ts';
import type { Package } from './package.ts';
import { find, querySchema } from './query.ts';
import { galleryBase } from './place.ts';
import type { GalleryPackages } from './packages.ts';
import { zip } from './zip.ts';

/** More than the longest list of installed extensions that VS Code asks about, in bytes. */
const maxBody = 1024 * 1024;
/** To send a whole request, in milliseconds. */
const requestMs = 30_000;

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Uint8Array | string;
}

const notFound: Answer = { status: 404, type: 'text/plain', body: 'pwp: the gallery has no such thing\n' };

/** Answers one sandbox's requests to the gallery. They come from inside and are not trusted. */
export class Gallery implements Egress {
  readonly refusals = new Refusals();
  readonly #read: () => Promise<GalleryPackages>;
  #packages: Promise<GalleryPackages> | undefined;
  readonly #web = httpDoor(
    { request: (request, response) => this.#serve(request, response) },
    { requestTimeout: requestMs, keepAlive: false },
  );
  readonly #clients = new Set<Duplex>();

  /** @param read reads the packages when the first question comes; a broken one is reported to each caller */
  constructor(read: () => Promise<GalleryPackages>) {
    this.#read = read;
  }

  accept(client: Duplex): void {
    this.#clients.add(client);
    client.once('close', () => this.#clients.delete(client));
    client.on('error', () => client.destroy());
    this.#web.emit('connection', client);
  }

  [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) client.destroy();
    return Promise.resolve();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, type, body } = await this.#answer(request).catch((error: unknown): Answer => ({
      status: 500,
      type: 'text/plain',
      body: `pwp: ${String(error)}\n`,
    }));
    // A connection for each question: none is left to break when the sandbox is checkpointed.
    response.writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const address = addressOf(request);
    if (!address) return notFound;
    const words = address.pathname.split('/').slice(1).map(decode);
    const packages = await (this.#packages ??= this.#read());
    if (request.method === 'POST') return this.#post(words, packages, request);
    if (request.method !== 'GET' && request.method !== 'HEAD') return notFound;
    const [place, publisher = '', name = '', version = '', ...rest] = words;
    if (place === 'control') return json({ malicious: [], deprecated: {}, search: [] });
    const one = packages.get(`${publisher}.${name}`.toLowerCase());
    if (!one) return notFound;
    if (place === 'latest') return json(extensionOf(one, galleryBase));
    if (version !== one.manifest.version) return notFound;
    if (place === 'assets') return assetOf(one, rest.join('/'));
    return place === 'files' ? fileOf(one, rest.join('/')) : notFound;
  }

  async #post(
    words: readonly string[],
    packages: GalleryPackages,
    request: IncomingMessage,
  ): Promise<Answer> {
    // This is how VS Code counts installations.
    if (words[0] === 'publishers') return json({});
    if (words[0] !== 'extensionquery') return notFound;
    const body = await readBody(request);
    const query = querySchema.safeParse(body === undefined ? undefined : parse(body));
    if (!query.success) return { status: 400, type: 'text/plain', body: 'pwp: not a valid query\n' };
    return json(
      answerOf(
        query.data.filters.map((filter) => find(packages, filter, uuidOf)),
        galleryBase,
      ),
    );
  }
}

function json(value: unknown): Answer {
  return { status: 200, type: 'application/json', body: JSON.stringify(value) };
}

function assetOf(one: Package, type: string): Answer {
  if (type === assets.vsix) return bytes(one.vsix);
  if (type === assets.signature) return bytes(zip(new Map()));
  const path = assetPath(one, type);
  return path === undefined ? notFound : fileOf(one, path);
}

function bytes(body: Uint8Array): Answer {
  return { status: 200, type: 'application/octet-stream', body };
}

function fileOf({ files }: Package, path: string): Answer {
  const body = files.get(path);
  return body ? { status: 200, type: types[extname(path)] ?? 'text/plain; charset=utf-8', body } : notFound;
}

const types: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.gif': 'image/gif',
  '.svg': 'image/svg+xml',
  '.js': 'text/javascript',
};

/** Undefined for one that is too long. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  return (await readBounded(request, maxBody))?.toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function decode(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}
