import assert from 'node:assert/strict';
import { parseVariables } from '../../../extension/python/src/program-environment.ts';

describe('variables of an .env file', () => {
  it('are its NAME=value lines', () => {
    const text = '# A comment\nA=1\n export B = "two words" \nC=\'x=y\'\nD=\nnot one\n2=3\n';
    assert.deepEqual(parseVariables(text), { A: '1', B: 'two words', C: 'x=y', D: '' });
  });
});
