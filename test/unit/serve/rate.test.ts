import assert from 'node:assert/strict';
import { MessageRateLimiter } from '../../../host/doors/serve/live/page-channel.ts';

describe('a rate limit', () => {
  it('admits a burst after a rest, then a fixed number per second', () => {
    let now = 0;
    const rate = new MessageRateLimiter(100, 20, () => now);
    const passed = (tries: number) => Array.from({ length: tries }, () => rate.pass()).filter(Boolean).length;
    assert.equal(passed(1000), 20);
    now += 50;
    assert.equal(passed(1000), 5);
    now += 60_000;
    assert.equal(passed(1000), 20);
  });
});
