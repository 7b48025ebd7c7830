import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parse } from 'smol-toml';
import { openLargeFile } from '../../../host/tasks/format/archive.ts';
import { makeTask } from '../../../host/tasks/format/made-task.ts';
import type { RawTaskConfig } from '../../../host/tasks/format/task-config.ts';
import { findTasks, loadTask } from '../../../host/tasks/index.ts';
import { wholeHere } from '../../support/run-variant.ts';
import { taskFiles, taskToml, tempFolder } from './folder.ts';

const solution = [
  'set -euo pipefail',
  "sed -i 's/old_name/brand_new_name/g' /workspace/src/app.py",
  'echo "the total is 4711, as the invoice of May says" > /workspace/answer.txt',
].join('\n');
const tests = 'grep -qx "the total is 4711, as the invoice of May says" /workspace/answer.txt && echo 1';

describe('the leak audit', () => {
  const leaks = async (files: Record<string, string | Uint8Array>, toml = taskToml) => {
    await using folder = await tempFolder({
      ...taskFiles('f/t', toml),
      'f/t/tests/test.sh': tests,
      'f/t/solution/solve.sh': solution,
      'f/t/environment/workspace/src/app.py': 'old_name = 1\nprint(old_name)\n',
    });
    await folder.write(files);
    const found = await (await loadTask(join(folder.path, 'f/t'))).leaks();
    return found.map(({ secret, inside }) => `${secret} in ${inside}`);
  };

  it('finds nothing in a sound task', async () => assert.deepEqual(await leaks({}), []));

  it('finds a solution under another name, with other indentation, in the home folder', async () => {
    const moved = solution.replaceAll('\n', '\n    ');
    assert.deepEqual(await leaks({ 'f/t/environment/home/.notes': `notes\n${moved}\nmore` }), [
      'solution/solve.sh in /root/.notes',
    ]);
  });

  it('finds a solution in a large file, even across the boundary of two parts', async () => {
    await using folder = await tempFolder();
    const text = 'SELECT town FROM parcel WHERE weight > 12 ORDER BY town';
    await folder.write({ large: `${' '.repeat(8 * 1024 * 1024 - 20)}${text}` });
    const task = makeTask({
      ...{ id: 'f/t', path: folder.path, instruction: 'Do it.', config: parse(taskToml) as RawTaskConfig },
      ...{ workspace: [], large: [await openLargeFile('all.db', join(folder.path, 'large'))], tests: [] },
      solutions: [{ name: 'gold', text }],
      falseSolutions: [],
    });
    assert.deepEqual(await task.leaks(), [
      { secret: 'solution/gold.sh', inside: '/workspace/all.db', share: 1 },
    ]);
  });

  it('finds a short answer as a whole', async () => {
    const files = {
      'f/t/tests/answer.txt': 'parse_header/12',
      'f/t/environment/workspace/hint.md': 'It is parse_header/12.',
    };
    assert.deepEqual(await leaks(files), ['tests/answer.txt in /workspace/hint.md']);
  });

  it('accepts files that are meant to be inside, and what a fixed copy has in common with them', async () => {
    const lines = Array.from(
      { length: 40 },
      (_, line) => `value_${line} = compute(${line * 7919}, "${line}")`,
    );
    const mending = 'value_20 = compute_with_the_right_sign(-158380, "20", strict=True)';
    const mended = lines.with(20, mending);
    const files = {
      'f/t/environment/workspace/a.py': lines.join('\n'),
      'f/t/tests/before/a.py': lines.join('\n'),
      'f/t/tests/mended.py': mended.join('\n'),
    };
    const toml = `${taskToml}\nknown_inside = ["tests/before"]\n`;
    assert.deepEqual(await leaks(files, toml), []);
    const reported = { ...files, 'f/t/environment/workspace/.a.py.orig': mended.slice(18, 23).join('\n') };
    assert.deepEqual(await leaks(reported, toml), ['tests/mended.py in /workspace/.a.py.orig']);
  });

  it('finds compressed solutions', async () => {
    const file = { 'f/t/environment/workspace/old.gz': gzipSync(solution) };
    assert.deepEqual(await leaks(file), ['solution/solve.sh in /workspace/old.gz (object 1)']);
  });

  for (const packed of [false, true]) {
    it(`finds solutions in a repository's history, ${packed ? 'in a pack' : 'in objects'}`, async () => {
      await using repository = await tempFolder({ 'solve.sh': solution, 'other.txt': 'other\n' });
      const git = (...words: string[]) =>
        execFileSync('git', ['-C', repository.path, '-c', 'user.name=A', '-c', 'user.email=a@b', ...words], {
          encoding: 'utf8',
        });
      git('init', '-q');
      git('add', '.');
      git('commit', '-qm', 'first');
      git('rm', '-q', 'solve.sh');
      git('commit', '-qm', 'clean');
      if (packed) git('gc', '-q');
      const files = git('ls-files', '--others', '--cached').split('\n');
      assert.ok(!files.includes('solve.sh'));
      const objects = execFileSync('find', ['.git/objects', '-type', 'f'], {
        cwd: repository.path,
        encoding: 'utf8',
      });
      const copied: Record<string, Uint8Array> = {};
      for (const path of objects.trim().split('\n')) {
        copied[`f/t/environment/workspace/${path}`] = await readFile(join(repository.path, path));
      }
      const found = await leaks(copied);
      assert.equal(found.length, 1);
      assert.match(found[0] ?? '', /^solution\/solve\.sh in \/workspace\/\.git\/objects\/.* \(object \d+\)$/);
    });
  }

  it('allows files that the task means to be there, by name', async () => {
    const files = { 'f/t/tests/app.py': `# ${solution}`, 'f/t/environment/workspace/a.py': `# ${solution}` };
    const known = `${taskToml}known_inside = ["tests/app.py", "solution/solve.sh"]\n`;
    assert.equal((await leaks(files)).length, 2);
    assert.deepEqual(await leaks(files, known), []);
  });

  it('reports a name without a file in the task', async () => {
    const known = `${taskToml}known_inside = ["tests/none.py"]\n`;
    await assert.rejects(leaks({}, known), { code: 'bad-task', message: /found "tests\/none\.py"/ });
  });

  it('finds nothing in the tasks that come with the project', async () => {
    for (const found of await findTasks(['tasks'])) {
      const task = await wholeHere(found);
      assert.deepEqual([task.id, await task.leaks()], [task.id, []]);
    }
  });
});
