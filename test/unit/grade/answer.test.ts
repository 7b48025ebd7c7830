import assert from 'node:assert/strict';
import type { AgentFiles } from '../../../host/tasks/grade/checks/agent-files.ts';
import type { Check } from '../../../host/tasks/grade/checks/check-result.ts';
import {
  answerNames,
  answerNamesAndCounts,
  answerNumber,
  functionName,
} from '../../../host/tasks/grade/checks/file-checks.ts';
import { left } from './left.ts';

const path = '/workspace/answer.txt';

async function judged(text: string, check: (files: AgentFiles) => Promise<Check>): Promise<string> {
  await using folder = await left({ 'workspace/answer.txt': text });
  const { passed, why } = await check(folder.files);
  return passed ? 'passed' : why;
}

describe('an answer file', () => {
  it('names a function in any of the usual ways', async () => {
    const names = (text: string) => judged(text, (files) => answerNames(files, path, 'Cache.get'));
    for (const text of [
      'Cache.get',
      ' Cache.get()\n',
      '`Cache::get`',
      '"Cache#get"',
      'Cache.get (cache.py:12)',
    ])
      assert.equal(await names(text), 'passed', text);
    assert.equal(await names('Cache.put'), 'expected "Cache.get", found "Cache.put"');
    assert.match(await names('get'), /found "get"/);
    assert.match(await names('Cache.get Cache.put'), /^expected/);
    assert.match(await names(' \n'), /is empty/);
    assert.match(await names('x'.repeat(5000)), /bytes/);
    assert.equal(functionName('f'), 'f');
  });

  it('has a number that is close enough', async () => {
    const number = (text: string) => judged(text, (files) => answerNumber(files, path, 25));
    for (const text of ['25', '25.4 %', '24.5%\r\n']) assert.equal(await number(text), 'passed', text);
    assert.match(await number('26'), /within 2 %/);
    for (const text of ['about 25', '25 26', '0x19', '1e9'])
      assert.match(await number(text), /one number/, text);
  });

  it('has a name and a count', async () => {
    const both = (text: string) => judged(text, (files) => answerNamesAndCounts(files, path, 'a.b', 12));
    for (const text of ['a.b 12', 'a.b: 12\n', 'a.b()\n12', 'a.b, 12'])
      assert.equal(await both(text), 'passed', text);
    for (const text of ['a.b 13', 'c 12']) assert.match(await both(text), /^expected "a\.b 12"/, text);
    assert.match(await both('a.b'), /a name and a whole number/);
  });

  it('may be missing', async () => {
    await using folder = await left({});
    assert.match((await answerNames(folder.files, path, 'f')).why, /does not exist/);
  });
});
