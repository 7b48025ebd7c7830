import assert from 'node:assert/strict';
import { join } from 'node:path';
import { loadTask, withUnixLineEnds } from '../../../host/tasks/index.ts';
import { taskFiles, tempFolder } from './folder.ts';
import { readArchive } from './read-archive.ts';

describe('scripts of a task with Windows line endings', () => {
  const windows = (text: string) => text.replaceAll('\n', '\r\n');
  const script = 'if true; then\n  echo 1\nfi\n';
  const python = '#!/usr/bin/env python3\nprint(1)\n';

  it('are converted for Linux where they run, and data is left unchanged', async () => {
    await using folder = await tempFolder(taskFiles('f/t'));
    await folder.write({
      'f/t/tests/test.sh': windows(script),
      'f/t/tests/lib/helper.bash': windows(script),
      'f/t/tests/check': windows(python),
      'f/t/tests/expected.csv': windows('a,b\n'),
      'f/t/tests/mixed.sh': 'one\r\ntwo\n',
      'f/t/solution/solve.sh': windows(script),
      'f/t/environment/workspace/run.sh': windows(script),
    });
    const task = await loadTask(join(folder.path, 'f/t'));
    const seed = (await task.testSeeds()).find(({ path }) => path === '/tests') ?? assert.fail();
    const tests = await readArchive(seed.tar);
    const text = (path: string) => tests.get(`./${path}`)?.text ?? tests.get(path)?.text;
    assert.equal(text('test.sh'), script);
    assert.equal(text('lib/helper.bash'), script);
    assert.equal(text('check'), python);
    assert.equal(text('expected.csv'), 'a,b\r\n');
    assert.equal(text('mixed.sh'), 'one\r\ntwo\n');
    assert.equal((await task.solutions())[0]?.text, script);
    const [workspace = assert.fail()] = await task.seeds();
    const own = [...(await readArchive(workspace.tar))].find(([path]) => path.endsWith('run.sh'));
    assert.equal(own?.[1].text, windows(script));
  });

  it('are changed only if all their lines end that way', () => {
    assert.equal(withUnixLineEnds('a\r\nb\r\n'), 'a\nb\n');
    assert.equal(withUnixLineEnds('a\r\nb'), 'a\nb');
    for (const text of ['a\nb\r\n', '\na\r\n', 'a\rb', 'a\n', '']) assert.equal(withUnixLineEnds(text), text);
  });
});
