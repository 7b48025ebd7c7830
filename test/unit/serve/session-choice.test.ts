import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { toPassed } from '../../../host/doors/serve/front/pass-request.ts';
import { readSessionChoice } from '../../../host/doors/serve/front/session-choice.ts';

const id = 'w0123456789ab_x-Y';

function requestOf(line: string, headers: Readonly<Record<string, string>> = {}): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  [request.method, request.url] = line.split(' ', 2);
  request.headers = headers;
  request.rawHeaders = Object.entries(headers).flat();
  return request;
}

function choose(line: string, headers: Readonly<Record<string, string>> = {}, body?: unknown, user = '') {
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  return readSessionChoice(requestOf(line, headers), user, bytes);
}

describe('what a request to a front is about', () => {
  it('is a session that it names, in the place of each protocol', () => {
    const named = [
      choose(`POST /episodes/${id}/step`, {}, {}),
      choose(`DELETE /episodes/${id}`),
      choose('POST /pwp/call', { 'x-session-id': id }, {}),
      choose('POST /step', { cookie: `other=1; pwp_session=${id}` }, {}),
      choose(`GET /screenshot?episode=${id}`),
      choose('POST /execute', {}, {}, id),
      choose('POST /openenv/step', {}, { session_id: id }),
      choose(`GET /openenv/state?session_id=${id}`),
      choose('POST /openenv/mcp', {}, { method: 'tools/call', params: { session_id: id } }),
    ];
    for (const [at, { session, begins }] of named.entries())
      assert.deepEqual([session, begins], [id, false], String(at));
    // NeMo Gym's next episode takes the place of the one before.
    assert.partialDeepStrictEqual(choose('POST /reset', { cookie: `pwp_session=${id}` }, {}), {
      session: id,
      begins: true,
    });
  });

  it('is a new session, or no session at all', () => {
    for (const line of ['POST /episodes', 'POST /create_session', 'POST /seed_session', 'GET /openenv/ws'])
      assert.deepEqual(choose(line).begins, true, line);
    assert.equal(choose('POST /openenv/mcp', {}, { method: 'openenv/session/create' }).begins, true);
    for (const line of ['GET /tasks', 'POST /tasks', 'POST /openenv/mcp', 'GET /openenv/ws?session_id=other'])
      assert.partialDeepStrictEqual(choose(line, {}, {}, 'x'), { begins: false }, line);
    assert.equal(choose('POST /episodes/none/step').session, undefined);
    assert.equal(choose('POST /episodes', {}, { request: 'r' }).request, 'r');
    assert.equal(choose('POST /openenv/reset', {}, [{ session_id: 1 }]).begins, true);
    assert.deepEqual(choose('POST /episodes', { 'x-pwp-labels': 'docker, a:b,' }).labels, ['docker', 'a:b']);
  });

  it('is passed on without what belongs to the connection, or gave access', () => {
    const headers = {
      ...{ Host: 'front', Authorization: 'Bearer x', 'X-API-Key': 'x', Origin: 'http://front' },
      ...{
        Connection: 'keep-alive, X-Hop',
        'X-Hop': '1',
        'Transfer-Encoding': 'chunked',
        Accept: 'a',
        Cookie: 'c',
      },
    };
    const request = requestOf('POST http://front/step?a=%20b&token=secret', {
      ...headers,
      connection: headers.Connection,
    });
    const { path, headers: passed } = toPassed(request, 'user', Buffer.from(''));
    assert.deepEqual([path, passed], ['/step?a=+b', ['Accept', 'a', 'Cookie', 'c']]);
    assert.equal(toPassed(requestOf('GET /a?b=%20c'), '').path, '/a?b=%20c');
  });
});
