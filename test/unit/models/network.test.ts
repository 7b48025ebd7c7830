import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectCauses, describeError } from '../../../bridge/lib/index.ts';
import { openModel } from '../../../host/run/index.ts';
import { chat } from '../../support/vendors/chat.ts';
import { VendorServer } from '../../support/vendors/server.ts';

const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'];
const retry = { firstPauseMs: 1, mostPauseMs: 5, tries: 1, tryMs: 5000 };

describe('the proxy in the environment', () => {
  const before = names.map((name) => [name, process.env[name]] as const);
  const seen: string[] = [];
  let proxy: Server;
  let url: string;
  beforeEach(async () => {
    seen.length = 0;
    proxy = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: [{ id: 'x' }] }));
    });
    proxy.on('connect', (request, socket) => {
      seen.push(`CONNECT ${request.url}`);
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    url = `http://ada:secret@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    for (const name of names) delete process.env[name];
  });
  afterEach(async () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    proxy.closeAllConnections();
    proxy.close();
    await once(proxy, 'close');
  });

  async function check(baseUrl: string): Promise<string> {
    await using model = await openModel('chat:x', { baseUrl, retry }, {});
    return await model.check().then(
      () => '',
      (error: unknown) => [error, ...collectCauses(error)].map(describeError).join(' '),
    );
  }

  it('is used for http and https', async () => {
    process.env['HTTP_PROXY'] = url;
    process.env['https_proxy'] = url;
    assert.equal(await check('http://model.test/v1'), '');
    const said = await check('https://model.test/v1');
    assert.match(said, /502/);
    assert.ok(!said.includes('secret'), said);
    assert.deepEqual(seen, ['GET http://model.test/v1/models', 'CONNECT model.test:443']);
  });

  it('is not used for hosts in NO_PROXY, nor for this machine', async () => {
    process.env['HTTP_PROXY'] = url;
    process.env['NO_PROXY'] = 'nowhere.invalid';
    await using server = await VendorServer.start(chat, []);
    await check(server.url);
    await check('http://nowhere.invalid/v1');
    assert.deepEqual(seen, []);
    assert.equal(server.seen.length, 1);
  });

  it('is refused if it is not an address', async () => {
    process.env['HTTPS_PROXY'] = 'nonsense';
    assert.match(await check('http://model.test/v1'), /is not an address/);
  });
});
