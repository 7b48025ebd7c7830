import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readCheckpointBudget } from '../../../host/node/checkpoint-store/eviction.ts';
import { findFirstCut, maxBlockBytes } from '../../../host/node/checkpoint-store/pack-format.ts';

function blocksOf(bytes: Buffer): string[] {
  const blocks: string[] = [];
  for (let rest = bytes; rest.length > 0;) {
    const length = findFirstCut(rest);
    blocks.push(rest.toString('latin1', 0, length));
    rest = rest.subarray(length);
  }
  return blocks;
}

describe('cutting into blocks', () => {
  it('loses no byte, and makes no block too long', () => {
    for (const bytes of [randomBytes(500_000), Buffer.alloc(500_000), Buffer.from('x'), Buffer.alloc(0)]) {
      const blocks = blocksOf(bytes);
      assert.equal(blocks.join(''), bytes.toString('latin1'));
      assert.ok(blocks.every(({ length }) => length <= maxBlockBytes));
    }
  });

  it('finds the same blocks again after an insertion', () => {
    const bytes = randomBytes(1_000_000);
    const before = new Set(blocksOf(bytes));
    const inserted = Buffer.concat([
      bytes.subarray(0, 500_000),
      Buffer.from('here'),
      bytes.subarray(500_000),
    ]);
    const fresh = blocksOf(inserted).filter((block) => !before.has(block));
    assert.ok(fresh.length <= 3, `${fresh.length} new blocks`);
    assert.ok(before.size > 50 && before.size < 300, `${before.size} blocks in a megabyte`);
  });
});

describe('the budget in the environment variable', () => {
  it('is a number of bytes, with or without a unit', () => {
    assert.equal(readCheckpointBudget({}), undefined);
    assert.equal(readCheckpointBudget({ PWP_CHECKPOINT_BUDGET: '20G' }), 20 * 2 ** 30);
    assert.equal(readCheckpointBudget({ PWP_CHECKPOINT_BUDGET: '1.5M' }), 1.5 * 2 ** 20);
    assert.equal(readCheckpointBudget({ PWP_CHECKPOINT_BUDGET: '4096' }), 4096);
    for (const bad of ['lots', '-1', '5 G', '0x10'])
      assert.throws(() => readCheckpointBudget({ PWP_CHECKPOINT_BUDGET: bad }), { code: 'bad-setting' });
  });
});
