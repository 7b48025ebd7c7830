import assert from 'node:assert/strict';
import { makeSandboxImageKey, parseKeyLanguages } from '../../../host/node/image/sandbox-image.ts';
import { resolveLanguages } from '../../../host/node/index.ts';

const layer = (name: string, digit: string) => ({ name, key: digit.repeat(64) });
const [base, own] = [layer('base', 'a'), layer('own', 'b')];

describe('languages of an image', () => {
  it('are in a fixed order, each once', () => {
    assert.deepEqual(resolveLanguages(['go', 'cpp', 'go']), ['cpp', 'go']);
    assert.throws(() => resolveLanguages(['cpp', 'cobol']), { code: 'usage', message: /"cobol"/ });
  });

  it('do not change the key of an image without them', () => {
    assert.equal(makeSandboxImageKey(base, own, null), `${'a'.repeat(16)}-${'b'.repeat(16)}`);
    assert.deepEqual(parseKeyLanguages(makeSandboxImageKey(base, own, null)), []);
  });

  it('are in the key of an image that has them', () => {
    const key = makeSandboxImageKey(base, own, layer('languages-cpp-go', 'c'));
    assert.equal(key, `${'a'.repeat(16)}-${'b'.repeat(16)}-cpp-go-${'c'.repeat(16)}`);
    assert.deepEqual(parseKeyLanguages(key), ['cpp', 'go']);
  });
});
