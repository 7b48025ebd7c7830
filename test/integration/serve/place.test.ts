import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request as ask, type RequestOptions } from 'node:https';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { execa } from 'execa';
import { WebSocket } from 'ws';
import { requireHost } from '../../../host/doors/serve/access.ts';
import { type Certificate, makeCertificate, readCertificate } from '../../../host/doors/serve/certificate.ts';
import { openServer, type Server } from '../../../host/doors/serve/server.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';

/** An address of the loopback interface that servers do not use by default. */
const host = '127.0.0.2';

describe('a server that other machines reach', () => {
  let tls: Certificate;
  let server: Server;
  before(async () => {
    tls = await makeCertificate(host);
    const answer = {
      shared: true,
      GET: (_: unknown, response: { end(text: string): void }, __: unknown, visitor: { address: string }) => {
        response.end(visitor.address);
        return Promise.resolve();
      },
      socket: (socket: WebSocket) => {
        socket.send('hello');
        return Promise.resolve();
      },
    };
    server = await openServer({ '/': answer }, 0, { place: { host, tls } });
  });
  after(() => server[Symbol.asyncDispose]());

  async function get(options: RequestOptions = {}): Promise<{ status: number | undefined; body: string }> {
    const asked = ask(server.url, { ca: tls.certificate, ...options }).end();
    const [response] = (await once(asked, 'response')) as [NodeJS.ReadableStream & { statusCode?: number }];
    return { status: response.statusCode, body: await text(response) };
  }

  it('is reached by its name, with a certificate valid for it', async () => {
    assert.match(server.url, /^https:\/\/127\.0\.0\.2:\d+\/\?token=/);
    assert.match(server.share({ rights: 'view', ttlMs: 60_000 }).url, /^https:\/\/127\.0\.0\.2:/);
    const { status, body } = await get();
    assert.equal(status, 200);
    assert.match(body, /^127\./);
  });

  it('serves its WebSockets over TLS too', async () => {
    const socket = new WebSocket(server.url.replace('https', 'wss'), { ca: tls.certificate });
    const [message] = (await once(socket, 'message')) as [Buffer];
    assert.equal(message.toString(), 'hello');
    socket.close();
  });

  it('refuses other names, other origins, and clients without the token', async () => {
    // Such a page has its own certificate, which the browser trusts.
    const trusted = { checkServerIdentity: () => undefined };
    assert.equal((await get({ ...trusted, headers: { Host: 'localhost' } })).status, 421);
    assert.equal((await get({ ...trusted, headers: { Host: 'rebound.example' } })).status, 421);
    assert.equal((await get({ headers: { Origin: 'https://rebound.example' } })).status, 403);
    const { host: own } = new URL(server.url);
    assert.equal((await get({ headers: { Origin: `http://${own}` } })).status, 403);
    assert.equal((await get({ headers: { Origin: `https://${own}` } })).status, 200);
    assert.equal((await get({ path: '/?token=wrong' })).status, 401);
  });

  it('listens only on that address, and answers nothing in plain text', async () => {
    const port = Number(new URL(server.url).port);
    const elsewhere = connect({ host: '127.0.0.1', port });
    await assert.rejects(once(elsewhere, 'connect'), { code: 'ECONNREFUSED' });
    const plain = connect({ host, port });
    plain.end(`GET / HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`);
    assert.doesNotMatch(await text(plain).catch(() => ''), /^HTTP/);
  });

  it('is refused for wildcard addresses, for invalid names, and for addresses of other machines', async () => {
    for (const each of [
      '0.0.0.0',
      '::',
      '::ffff:0.0.0.0',
      '0',
      '',
      'a b',
      '-x',
      'http://x',
      '[::1]',
      'a,IP:::1',
    ])
      assert.throws(() => requireHost(each), { code: 'usage' }, each);
    assert.equal(requireHost('Devbox.example.org'), 'devbox.example.org');
    for (const each of ['192.0.2.1', 'there-is-no.invalid'])
      await assert.rejects(openServer({}, 0, { place: { host: each, tls } }), { code: 'usage' }, each);
    await using own = await openServer({}, 0, { place: { host: requireHost('::1'), tls } });
    assert.match(own.url, /^https:\/\/\[::1\]:\d+\//);
  });
});

describe('a TLS certificate', () => {
  let folder: TemporaryFolder;
  before(async () => {
    folder = await temporaryFolder();
  });
  after(() => folder[Symbol.asyncDispose]());

  it('is read from files, with its fingerprint', async () => {
    const { certificate, key, fingerprint } = await makeCertificate('devbox.example.org');
    const [one, other] = [folder.file('a.pem'), folder.file('a-key.pem')];
    await writeFile(one, certificate);
    await writeFile(other, key);
    assert.deepEqual(await readCertificate(one, other), { certificate, key, fingerprint });
    const { stdout } = await execa('openssl', ['x509', '-in', one, '-noout', '-fingerprint', '-sha256']);
    assert.equal(stdout.split('=')[1], fingerprint);
  });

  it('is refused with another key, when expired, and if it is not a certificate', async () => {
    const [first, second] = [await makeCertificate('a.example'), await makeCertificate('a.example')];
    const [one, other, none] = [folder.file('b.pem'), folder.file('b-key.pem'), folder.file('none.pem')];
    await writeFile(one, first.certificate);
    await writeFile(other, second.key);
    const refused = (why: RegExp) => ({ code: 'no-certificate', message: why }) as const;
    await assert.rejects(readCertificate(one, other), refused(/key is that of another certificate/));
    await assert.rejects(readCertificate(none, other), refused(/none\.pem.*ENOENT/));
    await writeFile(none, 'no certificate');
    await assert.rejects(readCertificate(none, other), refused(/none\.pem/));
    const [late, request] = [folder.file('late.pem'), folder.file('request.pem')];
    await execa('openssl', ['req', '-new', '-key', other, '-out', request, '-subj', '/CN=x']);
    const signing = ['x509', '-req', '-in', request, '-signkey', other, '-out', late];
    await execa('openssl', [...signing, '-days', '-1']);
    await assert.rejects(readCertificate(late, other), refused(/is valid from .* to /));
  });
});
