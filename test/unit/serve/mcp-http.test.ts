import assert from 'node:assert/strict';
import { request } from 'node:http';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { McpSessions } from '../../../host/doors/serve/mcp/client-connection.ts';
import { chooseServedTools } from '../../../host/doors/serve/mcp/served-tools.ts';
import { SharedIde } from '../../../host/doors/serve/mcp/shared-ide.ts';
import { openServer, type Server } from '../../../host/doors/serve/server.ts';
import { McpClient } from '../../support/mcp-client.ts';

const greeting = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

describe('MCP over HTTP', () => {
  let server: Server;
  const owned = new AsyncDisposableStack();
  before(async () => {
    const ide = new SharedIde(new Promise<never>(() => undefined));
    const sessions = owned.use(new McpSessions(ide, chooseServedTools({})));
    server = owned.use(await openServer(sessions.routes, 0));
  });
  after(() => owned.disposeAsync());

  const connect = () => McpClient.connect(transportTo(server));
  const post = (headers: Record<string, string>, body: unknown = greeting) =>
    send(server, 'POST', headers, body);
  const bearer = () => ({ authorization: `Bearer ${server.token}` });

  it('serves many clients, each in its own session', async () => {
    await using one = await connect();
    await using two = await connect();
    assert.deepEqual(await one.client.listTools(), await two.client.listTools());
    const ids = [one, two].map(({ client }) => client.transport?.sessionId);
    assert.ok(ids[0] !== undefined && ids[0] !== ids[1]);
  });

  it('accepts the token in a header or in the address, and refuses clients without it', async () => {
    assert.equal((await post(bearer())).status, 200);
    assert.equal((await post({}, greeting)).status, 401);
    assert.equal((await post({ authorization: `Bearer ${server.token.slice(1)}x` })).status, 401);
    assert.equal((await post({ authorization: `Basic ${server.token}` })).status, 401);
  });

  it('refuses pages of other origins, and other names for this machine', async () => {
    const { port, host } = new URL(server.origin);
    assert.equal((await post({ ...bearer(), origin: server.origin })).status, 200);
    assert.equal((await post({ ...bearer(), origin: 'https://evil.example' })).status, 403);
    assert.equal((await post({ ...bearer(), origin: `http://127.0.0.1:${Number(port) + 1}` })).status, 403);
    assert.equal((await post({ ...bearer(), origin: 'null' })).status, 403);
    assert.equal((await post({ ...bearer(), host: `evil.example:${port}` })).status, 421);
    assert.equal((await post({ ...bearer(), host })).status, 200);
  });

  it('accepts only its own sessions, and only its own methods', async () => {
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
    assert.equal((await post({ ...bearer(), 'mcp-session-id': 'none' }, list)).status, 404);
    assert.equal((await post(bearer(), list)).status, 400);
    assert.equal((await send(server, 'PUT', bearer(), list)).status, 405);
  });

  it('ends a session when its client says so', async () => {
    const { session } = await post(bearer());
    const mine = { ...bearer(), 'mcp-session-id': session, 'mcp-protocol-version': '2025-06-18' };
    assert.equal((await send(server, 'DELETE', mine)).status, 200);
    assert.equal((await post(mine, { jsonrpc: '2.0', id: 2, method: 'ping' })).status, 404);
  });

  it('ends the least recently used session when there are too many', async () => {
    const first = await post(bearer());
    const second = await post(bearer());
    const ping = (session: string) =>
      post({ ...bearer(), 'mcp-session-id': session }, { jsonrpc: '2.0', id: 2, method: 'ping' });
    for (let i = 0; i < 31; i += 1) {
      assert.equal((await ping(first.session)).status, 200);
      assert.equal((await post(bearer())).status, 200);
    }
    assert.equal((await ping(first.session)).status, 200);
    assert.equal((await ping(second.session)).status, 404);
  });

  it('accepts a user’s own token, but none that can be guessed', async () => {
    const token = 'a-token-of-my-own-choice';
    await using other = await openServer({}, 0, { token });
    assert.equal(other.token, token);
    await assert.rejects(openServer({}, 0, { token: 'short' }), { code: 'usage' });
  });
});

function transportTo(server: Server): Transport {
  const requestInit = { headers: { Authorization: `Bearer ${server.token}` } };
  // Its optional properties are declared more loosely than the interface's.
  return new StreamableHTTPClientTransport(new URL('/mcp', server.origin), { requestInit });
}

/** Not `fetch`, which sets some headers itself. */
function send(server: Server, method: string, headers: Record<string, string>, body?: unknown) {
  const accept = 'application/json, text/event-stream';
  const options = { method, headers: { accept, 'content-type': 'application/json', ...headers } };
  return new Promise<{ status: number; session: string }>((resolve, reject) => {
    request(new URL('/mcp', server.origin), options, (response) => {
      response.resume();
      const session = response.headers['mcp-session-id'];
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, session: typeof session === 'string' ? session : '' }),
      );
    })
      .on('error', reject)
      .end(body === undefined ? undefined : JSON.stringify(body));
  });
}
