import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname } from 'node:path';
import type { Duplex } from 'node:stream';
import { createHttpServer, parseRequestUrl, readBounded } from '../../../bridge/lib/index.ts';
import { tryParseJson } from '../../../bridge/text/index.ts';
import { type Egress, RefusalLog } from '../network/index.ts';
import { type ExtensionPackage, type GalleryPackages, zipFiles } from './extension-package.ts';
import {
  buildQueryAnswer,
  describePackage,
  findAssetPath,
  findPackages,
  galleryAssets,
  galleryQuerySchema,
  makeExtensionUuid,
} from './gallery-protocol.ts';

/** More than the longest list of installed extensions that VS Code asks about, in bytes. */
const maxBodyBytes = 1024 * 1024;
/** To send a whole request, in milliseconds. */
const requestMs = 30_000;

interface GalleryAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: Uint8Array | string;
}

const notFoundAnswer: GalleryAnswer = {
  status: 404,
  type: 'text/plain',
  body: 'pwp: the gallery has no such thing\n',
};

/** Answers one sandbox's requests to the gallery. They come from inside and are not trusted. */
export class Gallery implements Egress {
  readonly refusals = new RefusalLog();
  readonly #read: () => Promise<GalleryPackages>;
  #packages: Promise<GalleryPackages> | undefined;
  readonly #web = createHttpServer(
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
    const { status, type, body } = await this.#answer(request).catch((error: unknown): GalleryAnswer => ({
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

  async #answer(request: IncomingMessage): Promise<GalleryAnswer> {
    const address = parseRequestUrl(request);
    if (!address) return notFoundAnswer;
    const words = address.pathname.split('/').slice(1).map(decodeWord);
    const packages = await (this.#packages ??= this.#read());
    if (request.method === 'POST') return this.#post(words, packages, request);
    if (request.method !== 'GET' && request.method !== 'HEAD') return notFoundAnswer;
    const [place, publisher = '', name = '', version = '', ...rest] = words;
    if (place === 'control') return answerWithJson({ malicious: [], deprecated: {}, search: [] });
    const one = packages.get(`${publisher}.${name}`.toLowerCase());
    if (!one) return notFoundAnswer;
    if (place === 'latest') return answerWithJson(describePackage(one, galleryBase));
    if (version !== one.manifest.version) return notFoundAnswer;
    if (place === 'assets') return serveAsset(one, rest.join('/'));
    return place === 'files' ? serveFile(one, rest.join('/')) : notFoundAnswer;
  }

  async #post(
    words: readonly string[],
    packages: GalleryPackages,
    request: IncomingMessage,
  ): Promise<GalleryAnswer> {
    // This is how VS Code counts installations.
    if (words[0] === 'publishers') return answerWithJson({});
    if (words[0] !== 'extensionquery') return notFoundAnswer;
    const body = await readBody(request);
    const query = galleryQuerySchema.safeParse(body === undefined ? undefined : tryParseJson(body));
    if (!query.success) return { status: 400, type: 'text/plain', body: 'pwp: not a valid query\n' };
    return answerWithJson(
      buildQueryAnswer(
        query.data.filters.map((filter) => findPackages(packages, filter, makeExtensionUuid)),
        galleryBase,
      ),
    );
  }
}

function answerWithJson(value: unknown): GalleryAnswer {
  return { status: 200, type: 'application/json', body: JSON.stringify(value) };
}

function serveAsset(one: ExtensionPackage, type: string): GalleryAnswer {
  if (type === galleryAssets.vsix) return answerWithBytes(one.vsix);
  if (type === galleryAssets.signature) return answerWithBytes(zipFiles(new Map()));
  const path = findAssetPath(one, type);
  return path === undefined ? notFoundAnswer : serveFile(one, path);
}

function answerWithBytes(body: Uint8Array): GalleryAnswer {
  return { status: 200, type: 'application/octet-stream', body };
}

function serveFile({ files }: ExtensionPackage, path: string): GalleryAnswer {
  const body = files.get(path);
  return body
    ? { status: 200, type: mediaTypes[extname(path)] ?? 'text/plain; charset=utf-8', body }
    : notFoundAnswer;
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.gif': 'image/gif',
  '.svg': 'image/svg+xml',
  '.js': 'text/javascript',
};

/** Undefined for one that is too long. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  return (await readBounded(request, maxBodyBytes))?.toString('utf8');
}

function decodeWord(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}

/** Where the gallery answers inside a sandbox, on the loopback interface. */
export const galleryPort = 3129;

/**
 * Its address by way of code-server's own port: so the page, which may load from there alone, and programs inside have
 * the same one.
 */
const galleryBase = `http://127.0.0.1:8080/proxy/${galleryPort}`;

/** Where code-server, and its command line in terminals, finds the gallery. */
export const galleryEnvironment: Readonly<Record<string, string>> = {
  EXTENSIONS_GALLERY: JSON.stringify({
    serviceUrl: galleryBase,
    extensionUrlTemplate: `${galleryBase}/latest/{publisher}/{name}`,
    resourceUrlTemplate: `${galleryBase}/files/{publisher}/{name}/{version}/{path}`,
    controlUrl: `${galleryBase}/control`,
    recommendationsUrl: '',
    nlsBaseUrl: '',
  }),
};
