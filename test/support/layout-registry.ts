import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** Changes what is sent for a blob; false: the answer was sent already. */
export type BlobFault = (digest: string, response: ServerResponse) => boolean | Promise<boolean>;

/** A registry on this machine, without TLS, that serves one OCI layout under any name and tag. */
export interface LayoutRegistry extends AsyncDisposable {
  /** `127.0.0.1:<port>` */
  readonly host: string;
  /** Digests of the blobs that were asked for. */
  readonly blobs: string[];
  fault: BlobFault | null;
}

/** @param folder an OCI layout of one image */
export async function startLayoutRegistry(folder: string): Promise<LayoutRegistry> {
  const server = createServer((request, response) => void answer(request, response));
  const registry = {
    host: '',
    blobs: [] as string[],
    fault: null as BlobFault | null,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const [, repository, kind, name = ''] =
      /^\/v2\/(?:(.+)\/(manifests|blobs)\/(.+))?$/.exec(request.url ?? '') ?? [];
    if (repository === undefined) response.end('{}');
    else if (repository === 'private') refuse(response, 401, 'UNAUTHORIZED');
    else if (name === 'none') refuse(response, 404, 'MANIFEST_UNKNOWN');
    else if (kind === 'manifests') await sendManifest(name, response);
    else {
      registry.blobs.push(name);
      if (registry.fault && !(await registry.fault(name, response))) return;
      await sendBlob(name, response);
    }
  };
  const sendManifest = async (name: string, response: ServerResponse) => {
    const { manifests } = JSON.parse(await readFile(join(folder, 'index.json'), 'utf8')) as {
      manifests: { digest: string; mediaType: string }[];
    };
    const digest = name.startsWith('sha256:') ? name : (manifests[0]?.digest ?? '');
    const bytes = await readFile(join(folder, 'blobs/sha256', digest.slice(7)));
    const type = (JSON.parse(bytes.toString()) as { mediaType: string }).mediaType;
    response.writeHead(200, { 'content-type': type, 'docker-content-digest': digest }).end(bytes);
  };
  const sendBlob = async (digest: string, response: ServerResponse) => {
    const file = join(folder, 'blobs/sha256', digest.slice(7));
    response.writeHead(200, { 'content-length': (await stat(file)).size });
    createReadStream(file).pipe(response);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  registry.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return registry;
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ errors: [{ code, message: code.toLowerCase().replace('_', ' ') }] }));
}
