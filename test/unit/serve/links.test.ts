import assert from 'node:assert/strict';
import { once } from 'node:events';
import { AccessTokens } from '../../../host/doors/serve/access.ts';

const origin = 'http://127.0.0.1:1';

describe('the links of a server', () => {
  let links: AccessTokens;
  beforeEach(() => (links = new AccessTokens()));
  afterEach(() => links[Symbol.dispose]());
  const tokenOf = (url: string) => new URL(url).searchParams.get('token') ?? '';

  it('allow the owner everything, and no one without a token', () => {
    assert.equal(links.find(links.token)?.isOwner, true);
    assert.equal(links.find(links.token)?.rights, 'control');
    for (const token of ['', 'x', links.token.slice(1), `${links.token}x`])
      assert.equal(links.find(token), undefined);
  });

  it('allow others the rights they were given', () => {
    const [view, control] = (['view', 'control'] as const).map((rights) =>
      links.add(origin, { rights, ttlMs: 60_000 }),
    );
    assert.ok(view && control && view.url !== control.url);
    const [watcher, guest] = [links.find(tokenOf(view.url)), links.find(tokenOf(control.url))];
    assert.deepEqual([watcher?.isOwner, watcher?.rights], [false, 'view']);
    assert.deepEqual([guest?.isOwner, guest?.rights], [false, 'control']);
  });

  it('expire', async () => {
    const token = tokenOf(links.add(origin, { rights: 'view', ttlMs: 20 }).url);
    const visitor = links.find(token);
    assert.ok(visitor && !visitor.expired.aborted);
    await once(visitor.expired, 'abort');
    assert.equal(links.find(token), undefined);
  });

  it('are limited in number and time', () => {
    for (const ttlMs of [0, -1, Number.NaN, 2 ** 31])
      assert.throws(() => links.add(origin, { rights: 'view', ttlMs }), { code: 'usage' });
    for (let i = 0; i < 100; i += 1) links.add(origin, { rights: 'view', ttlMs: 60_000 });
    assert.throws(() => links.add(origin, { rights: 'view', ttlMs: 60_000 }), { code: 'usage' });
  });
});
