import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';

/** A server on this machine's loopback. By default it returns the request that it got. */
export interface WebServer extends AsyncDisposable {
  readonly port: number;
}

const tell: RequestListener = (request, response) => {
  void (async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    response.end(
      JSON.stringify({ method: request.method, url: request.url, host: request.headers.host, body }),
    );
  })();
};

export function startWeb(listener: RequestListener = tell): Promise<WebServer> {
  return listen(createServer(listener));
}

/** @param folder for its certificate for one name, `cert.pem` */
export function startTls(folder: string, name: string): Promise<WebServer> {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const options = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${name}`];
  const names = ['-addext', `subjectAltName=DNS:${name}`];
  execFileSync('openssl', ['req', '-x509', ...options, ...names, '-keyout', key, '-out', cert], {
    stdio: 'pipe',
  });
  return listen(createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, tell));
}

async function listen(server: Server): Promise<WebServer> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      if ('closeAllConnections' in server) (server as { closeAllConnections(): void }).closeAllConnections();
      await closed;
    },
  };
}
