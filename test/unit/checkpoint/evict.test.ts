import assert from 'node:assert/strict';
import {
  chooseToEvict,
  chooseToPack,
  type EvictionCandidate,
  findCheckpointByKey,
} from '../../../host/node/checkpoint-store/eviction.ts';

const one = (id: string, more: Partial<EvictionCandidate> = {}): EvictionCandidate => ({
  id,
  parent: null,
  key: null,
  proven: false,
  held: false,
  takenAt: 0,
  usedAt: 0,
  rawBytes: 1,
  packBytes: 0,
  ...more,
});

describe('the checkpoint that is evicted first', () => {
  const next = (...all: EvictionCandidate[]) => chooseToEvict(all)?.id ?? null;

  it('is the least recently used leaf', () => {
    assert.equal(next(one('a', { usedAt: 2 }), one('b', { usedAt: 1 })), 'b');
    assert.equal(next(one('root'), one('leaf', { parent: 'root', usedAt: 9 })), 'leaf');
  });

  it('is never one in use', () => {
    assert.equal(next(one('a', { held: true })), null);
    assert.equal(next(one('root'), one('leaf', { parent: 'root', held: true })), null);
  });

  it('is the least recently used one, with or without a key', () => {
    assert.equal(next(one('golden', { key: 'k', usedAt: 1 }), one('own', { usedAt: 2 })), 'golden');
    assert.equal(next(one('golden', { key: 'k', usedAt: 2 }), one('own', { usedAt: 1 })), 'own');
  });

  it('is, before all others, one whose key finds another checkpoint', () => {
    const old = one('old', { key: 'k', takenAt: 1, usedAt: 9 });
    assert.equal(next(one('own'), old, one('young', { key: 'k', takenAt: 2 })), 'old');
  });

  it('is not the last restored one of its key while the younger one was never restored', () => {
    const good = one('good', { key: 'k', proven: true, takenAt: 1 });
    const fresh = one('fresh', { key: 'k', takenAt: 2, usedAt: 9 });
    assert.equal(findCheckpointByKey('k', [fresh, good])?.id, 'good');
    assert.equal(next(good, fresh), 'fresh');
    assert.equal(next(good, { ...fresh, held: true }), null);
    const proven = { ...fresh, proven: true };
    assert.equal(findCheckpointByKey('k', [good, proven])?.id, 'fresh');
    assert.equal(next(good, proven), 'good');
  });

  it('is independent of the one that is packed first, except for the order', () => {
    const all = [one('root', { usedAt: 1 }), one('leaf', { parent: 'root', usedAt: 2 })];
    assert.equal(chooseToPack(all)?.id, 'root');
    assert.equal(chooseToPack([one('packed', { rawBytes: 0 })]), null);
  });
});
