import assert from 'node:assert/strict';
import { encodeWav } from '../../../host/ide/index.ts';

describe('a WAV file of played sound', () => {
  it('has its format and the samples', () => {
    const pcm = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
    const file = Buffer.from(encodeWav(pcm));
    const words = [
      ...['52494646', '2c000000', '57415645'],
      ...['666d7420', '10000000', '01000200', '80bb0000', '00ee0200', '04001000'],
      ...['64617461', '08000000', '0102030405060708'],
    ];
    assert.equal(file.toString('hex'), words.join(''));
  });
});
