import assert from 'node:assert/strict';
import { languagesOf } from '../../../host/node/index.ts';
import { imageKey, languagesOfKey } from '../../../host/node/local/image/key.ts';

const layer = (name: string, digit: string) => ({ name, key: digit.repeat(64) });
const [base, own] = [layer('base', 'a'), layer('own', 'b')];

describe('languages of an image', () => {
  it('are in a fixed order, each once', () => {
    assert.deepEqual(languagesOf(['go', 'cpp', 'go']), ['cpp', 'go']);
    assert.throws(() => languagesOf(['cpp', 'cobol']), { code: 'usage', message: /"cobol"/ });
  });

  it('do not change the key of an image without them', () => {
    assert.equal(imageKey(base, own, null), `${'a'.repeat(16)}-${'b'.repeat(16)}`);
    assert.deepEqual(languagesOfKey(imageKey(base, own, null)), []);
  });

  it('are in the key of an image that has them', () => {
    const key = imageKey(base, own, layer('languages-cpp-go', 'c'));
    assert.equal(key, `${'a'.repeat(16)}-${'b'.repeat(16)}-cpp-go-${'c'.repeat(16)}`);
    assert.deepEqual(languagesOfKey(key), ['cpp', 'go']);
  });
});
