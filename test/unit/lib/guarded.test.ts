import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { guardListener, parseRequestUrl } from '../../../bridge/lib/index.ts';

describe('a guarded listener', () => {
  it('passes what it throws, at once or later, to the code that can end the cause', async () => {
    const heard: unknown[] = [];
    const listener = guardListener(
      (how: string) => {
        if (how === 'later') return Promise.reject(new Error(how));
        throw new Error(how);
      },
      (error, how) => heard.push([String(error), how]),
    );
    listener('at once');
    listener('later');
    await Promise.resolve();
    await Promise.resolve();
    assert.deepEqual(heard, [
      ['Error: at once', 'at once'],
      ['Error: later', 'later'],
    ]);
  });

  it("survives a cause that can't be ended", () => {
    const fail = () => {
      throw new Error('broken');
    };
    guardListener(fail, fail)();
  });
});

describe('the address of a request', () => {
  const paths: Readonly<Record<string, string | undefined>> = {
    '/data?a=%': '/data',
    '//': '//',
    '//evil.example/live': '//evil.example/live',
    '///': '///',
    '/a/../b': '/b',
    'http://127.0.0.1:1/live': '/live',
    '*': undefined,
    '': undefined,
    'http://[': undefined,
    'evil.example:443': undefined,
  };
  for (const [url, path] of Object.entries(paths))
    it(`of ${JSON.stringify(url)} is ${path ?? 'undefined'}`, () =>
      assert.equal(parseRequestUrl({ url } as IncomingMessage)?.pathname, path));
});
