import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { openServer } from '../../../host/doors/serve/server.ts';

/** Requests like a proxy or a container: by another name, on this server's port. */
async function ask(
  origin: string,
  headers: Record<string, string>,
): Promise<{ status: number | undefined; body: string }> {
  const asked = request(origin, { headers }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: await text(response) };
}

describe('the host names of a server', () => {
  const routes = {
    '/': (_: IncomingMessage, response: { end(text: string): void }) => Promise.resolve(response.end('yes')),
  };

  it('are its own; a refusal says how to allow more', async () => {
    await using server = await openServer(routes, 0);
    const { origin, token } = server;
    const authorization = `Bearer ${token}`;
    const answer = await ask(origin, { authorization, host: 'host.docker.internal:80' });
    assert.equal(answer.status, 421);
    assert.match(answer.body, /"host\.docker\.internal:80".*--allow-host/);
    assert.deepEqual(await ask(origin, { authorization, host: 'localhost' }), { status: 200, body: 'yes' });
  });

  it('include allowed ones, for pages that a proxy serves by TLS', async () => {
    const allowHosts = ['Host.Docker.Internal', 'ide.example.org', 'fd00::7'];
    await using server = await openServer(routes, 0, { allowHosts });
    const { origin, token } = server;
    const authorization = `Bearer ${token}`;
    const statusOf = async (headers: Record<string, string>) => (await ask(origin, headers)).status;
    for (const host of [
      'host.docker.internal:8123',
      'HOST.docker.internal',
      'ide.example.org',
      '[fd00::7]:1',
    ])
      assert.equal(await statusOf({ authorization, host }), 200, host);
    const host = 'ide.example.org';
    assert.equal(await statusOf({ authorization, host, origin: `https://${host}` }), 200);
    assert.equal(await statusOf({ authorization, host, origin: 'https://evil.example' }), 403);
    assert.equal(await statusOf({ authorization, host: 'evil.example' }), 421);
    assert.equal(await statusOf({ host }), 401);
  });

  it('are names and addresses', async () => {
    for (const name of ['a b', '0.0.0.0', 'https://ide.example.org'])
      await assert.rejects(openServer(routes, 0, { allowHosts: [name] }), { code: 'usage' }, name);
  });

  it('come with a user and the token in an address, for clients that only take one', async () => {
    await using server = await openServer(
      { '/': (_request, response, _signal, { user }) => Promise.resolve(void response.end(user)) },
      0,
    );
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
    const { status, body } = await ask(server.origin, basic(`episode-1:${server.token}`));
    assert.deepEqual([status, body], [200, 'episode-1']);
    for (const wrong of [`episode-1:${server.token}x`, server.token, 'episode-1:', ''])
      assert.equal((await ask(server.origin, basic(wrong))).status, 401, wrong);
  });
});
