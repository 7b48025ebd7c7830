import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Refusal } from '../../../bridge/protocol/index.ts';
import type { Node, Sandbox } from '../../../host/node/index.ts';
import { onEachConnection } from '../../support/each-connection.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { bareImage, bareSpec, bash, says } from '../../support/node-sandbox.ts';
import { startTls, startWeb, type WebServer } from '../../support/web-servers.ts';

/** Requests with Python's own client, which uses the environment's proxy. Prints status and body, or the error. */
const ask = `
import os, ssl, sys, urllib.request, urllib.error
if '--proxy-all' in sys.argv: os.environ['no_proxy'] = os.environ['NO_PROXY'] = ''
context = ssl.create_default_context()
if os.path.exists('/root/cert.pem'): context.load_verify_locations('/root/cert.pem')
try:
  data = sys.argv[2].encode() if len(sys.argv) > 2 and sys.argv[2] != '--proxy-all' else None
  with urllib.request.urlopen(urllib.request.Request(sys.argv[1], data=data), timeout=20, context=context) as r:
    print(r.status, r.read().decode())
except urllib.error.HTTPError as e: print(e.code, e.read().decode())
except Exception as e: print('error', e)
`;

onEachConnection('a sandbox with a list of allowed hosts', (open) => {
  let folder: TemporaryFolder;
  let web: WebServer;
  let tls: WebServer;
  let opened: { readonly node: Node } & AsyncDisposable;
  let node: Node;
  let sandbox: Sandbox;
  const refusals: Refusal[] = [];
  before(async function () {
    // The first run builds the image.
    this.timeout(300_000);
    folder = await temporaryFolder();
    web = await startWeb();
    tls = await startTls(folder.path, 'secure.test');
    const names = { 'plain.test': '127.0.0.1', 'secure.test': '127.0.0.1', 'other.test': '127.0.0.1' };
    opened = await open({ home: folder.path, image: bareImage, names });
    node = opened.node;
    const hosts = [`plain.test:${web.port}`, `secure.test:${tls.port}`, `127.0.0.1:${web.port}`];
    sandbox = await node.start(bareSpec({ network: { mode: 'allowlist', hosts } }));
    sandbox.onRefusal((refusal) => refusals.push(refusal));
    const files = { 'ask.py': ask, 'cert.pem': await readFile(join(folder.path, 'cert.pem'), 'utf8') };
    for (const [name, text] of Object.entries(files))
      await says(sandbox, `echo ${Buffer.from(text).toString('base64')} | base64 -d > /root/${name}`);
  });
  beforeEach(() => void refusals.splice(0));
  after(async () => {
    await opened[Symbol.asyncDispose]();
    await web[Symbol.asyncDispose]();
    await tls[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  const get = (...args: string[]) => says(sandbox, `python3 /root/ask.py ${args.join(' ')}`);
  const refused = () => refusals.map(({ host, port, why }) => [host, port, why]);

  it('keeps its egress across a restore and in a fork', async () => {
    const { id } = await sandbox.checkpoint();
    await sandbox.restore(id);
    await using fork = await node.fork(id, { name: 'fork', keep: false });
    const line = `python3 /root/ask.py http://plain.test:${web.port}/x; python3 /root/ask.py http://bad.test/`;
    for (const each of [sandbox, fork])
      assert.match(await says(each, line), /^200 .*\n403 pwp: host bad\.test is not allowed$/);
    assert.deepEqual(refused(), [['bad.test', 80, 'host-not-allowed']]);
  });

  it('reaches an allowed host, with a request and its body', async () => {
    const answer = await get(`http://plain.test:${web.port}/a?b=c`, 'hello');
    const stated = { method: 'POST', url: '/a?b=c', host: `plain.test:${web.port}`, body: 'hello' };
    assert.equal(answer, `200 ${JSON.stringify(stated)}`);
    assert.deepEqual(refused(), []);
  });

  it("reaches an allowed host by TLS, with the host's own certificate", async () => {
    assert.match(await get(`https://secure.test:${tls.port}/x`), /^200 .*"url":"\/x"/);
    assert.deepEqual(refused(), []);
  });

  it('sends the server the host that was checked, not the one that a header claims', async () => {
    const lines = `GET http://plain.test:${web.port}/ HTTP/1.1\\r\\nHost: other.test\\r\\nConnection: close\\r\\n\\r\\n`;
    const answer = await says(sandbox, `exec 3<>/dev/tcp/127.0.0.1/3128; printf '${lines}' >&3; cat <&3`);
    assert.match(answer, new RegExp(`"host":"plain.test:${web.port}"`));
  });

  it('is refused any other host, and the refusal is reported', async () => {
    assert.match(await get(`http://other.test:${web.port}/`), /^403 pwp: host other.test is not allowed/);
    assert.match(await get(`https://other.test:${tls.port}/`), /^error .*403/);
    assert.deepEqual(refused(), [
      ['other.test', web.port, 'host-not-allowed'],
      ['other.test', tls.port, 'host-not-allowed'],
    ]);
  });

  it('is refused addresses, listed private ones and other ports', async () => {
    assert.match(await get('http://1.1.1.1/'), /^403 /);
    assert.match(await get(`http://127.0.0.1:${web.port}/`, '--proxy-all'), /^403 .*not a public address/);
    assert.match(await get(`https://secure.test:${web.port}/`), /^error .*403/);
    assert.deepEqual(refused(), [
      ['1.1.1.1', 80, 'address-not-allowed'],
      ['127.0.0.1', web.port, 'private-address'],
      ['secure.test', web.port, 'port-not-allowed'],
    ]);
  });

  it('has no route except the proxy, and no name server', async () => {
    const direct = await bash(sandbox, 'exec 3<>/dev/tcp/1.1.1.1/443');
    assert.match(direct.stderr, /Network is unreachable/);
    const udp = `import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.sendto(b'x', ('9.9.9.9', 53))`;
    assert.match((await bash(sandbox, `python3 -c "${udp}"`)).stderr, /Network is unreachable/);
    const lookup = `import socket; socket.getaddrinfo('plain.test', 80)`;
    assert.match((await bash(sandbox, `python3 -c "${lookup}"`)).stderr, /gaierror/);
    assert.equal(await says(sandbox, "grep -c : /proc/net/dev; grep -o 'lo:' /proc/net/dev"), '1\nlo:');
  });

  it('gets an error for malformed requests, and its proxy continues', async () => {
    const say = (text: string) =>
      says(sandbox, `exec 3<>/dev/tcp/127.0.0.1/3128; printf '${text}' >&3; head -1 <&3`);
    assert.match(await say('CONNECT plain.test HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n'), /^HTTP\/1.1 400 /);
    assert.match(await say('GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n'), /^HTTP\/1.1 400 /);
    assert.match(await say('nonsense\\r\\n\\r\\n'), /^HTTP\/1.1 400 /);
    assert.match(await get(`http://plain.test:${web.port}/`), /^200 /);
  });

  it('can hold many connections without harm: those above the limit are ended and reported', async () => {
    const hold = `
import select, socket, time
held = [socket.create_connection(('127.0.0.1', 3128)) for _ in range(160)]
time.sleep(1)
ended = len(select.select(held, [], [], 0)[0])
print(ended)`;
    assert.equal(await says(sandbox, `python3 -c "${hold}"`), '32');
    assert.deepEqual(new Set(refusals.map(({ why }) => why)), new Set(['too-many-connections']));
    assert.match(await get(`http://plain.test:${web.port}/`), /^200 /);
  });

  it('closes the egress of only one sandbox', async () => {
    const hosts = [`plain.test:${web.port}`];
    const second = await node.start(bareSpec({ network: { mode: 'allowlist', hosts } }));
    await second.stop();
    assert.match(await get(`http://plain.test:${web.port}/`), /^200 /);
  });

  it('is refused together with keep, and with an invalid host', async () => {
    const network = { mode: 'public' } as const;
    await assert.rejects(node.start(bareSpec({ keep: true, network })), {
      code: 'unsupported',
    });
    const bad = bareSpec({ network: { mode: 'allowlist', hosts: ['http://a.org'] } });
    await assert.rejects(node.start(bad), { code: 'bad-host' });
    assert.equal((await node.list()).filter(({ owner }) => owner.pid === process.pid).length, 1);
  });
});
