import assert from 'node:assert/strict';
import { chmod, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { StreamedTaskSeed } from '../../../host/tasks/format/archive.ts';
import type { TaskSeed } from '../../../host/tasks/format/task-seeds.ts';
import { findTasks, loadTask, readWrittenCalls } from '../../../host/tasks/index.ts';
import { wholeHere } from '../../support/run-variant.ts';
import { taskFiles, taskToml, tempFolder } from './folder.ts';
import { readArchive } from './read-archive.ts';

async function unpack(seeds: readonly (TaskSeed | StreamedTaskSeed)[], path: string) {
  const seed = seeds.find((candidate) => candidate.path === path);
  return seed ? readArchive(seed.tar) : assert.fail(`no seed for ${path}`);
}

const withState = `${taskToml}
open = ["src/a.py"]
workspace_settings = { "editor.tabSize" = 2 }
keybindings = [{ key = "ctrl+k", command = "list.find" }]
[pwp.settings]
"files.autoSave" = "off"
`;

describe('a task folder', () => {
  it('is loaded with its id and instruction', async () => {
    await using folder = await tempFolder(taskFiles('family/one'));
    const task = await loadTask(join(folder.path, 'family/one'));
    assert.equal(task.id, 'family/one');
    assert.equal(task.instruction, 'Do it.');
    assert.equal(task.path, join(folder.path, 'family/one'));
  });

  it('returns the initial state as archives', async () => {
    await using folder = await tempFolder(taskFiles('f/t', withState));
    await folder.write({
      'f/t/environment/workspace/src/a.py': 'print()\n',
      'f/t/environment/workspace/run.sh': '#!/bin/sh\n',
      'f/t/environment/home/.gitconfig': '[user]\n',
    });
    await chmod(join(folder.path, 'f/t/environment/workspace/run.sh'), 0o750);
    const seeds = await (await loadTask(join(folder.path, 'f/t'))).seeds({ 'editor.minimap.enabled': false });

    const workspace = await unpack(seeds, '/workspace');
    assert.equal(workspace.get('src/a.py')?.text, 'print()\n');
    assert.equal(workspace.get('src/a.py')?.mode, 0o644);
    assert.equal(workspace.get('run.sh')?.mode, 0o755);
    assert.deepEqual(JSON.parse(workspace.get('.vscode/settings.json')?.text ?? ''), { 'editor.tabSize': 2 });
    const profile = await unpack(seeds, '/ide');
    const settings = { 'editor.minimap.enabled': false, 'files.autoSave': 'off' };
    assert.deepEqual(JSON.parse(profile.get('data/User/settings.json')?.text ?? ''), settings);
    assert.deepEqual(JSON.parse(profile.get('start.json')?.text ?? ''), { open: ['/workspace/src/a.py'] });
    assert.match(profile.get('data/User/keybindings.json')?.text ?? '', /list\.find/);
    assert.equal((await unpack(seeds, '/root')).get('.gitconfig')?.text, '[user]\n');
  });

  it('is the same in another workspace', async () => {
    await using folder = await tempFolder(taskFiles('f/t', withState));
    await folder.write({
      'f/t/environment/workspace/src/a.py': 'print()\n',
      'f/t/environment/root/testbed/more.txt': 'more\n',
    });
    const task = await loadTask(join(folder.path, 'f/t'));
    const seeds = await task.seeds({}, '/testbed');
    assert.deepEqual(
      seeds.map(({ path }) => path),
      ['/testbed', '/ide', '/'],
    );
    assert.ok((await unpack(seeds, '/testbed')).has('.vscode/settings.json'));
    const profile = await unpack(seeds, '/ide');
    assert.deepEqual(JSON.parse(profile.get('start.json')?.text ?? ''), { open: ['/testbed/src/a.py'] });
    const files = async (workspace?: string) =>
      (await task.workspace(workspace)).entries.flatMap(({ kind, path }) => (kind === 'file' ? [path] : []));
    const own = ['src/a.py', '.vscode/settings.json'];
    assert.deepEqual([await files(), await files('/testbed')], [own, [...own, 'more.txt']]);
  });

  it('reads a file NAME.symlink as a symbolic link', async () => {
    await using folder = await tempFolder(taskFiles('f/t'));
    await folder.write({ 'f/t/environment/workspace/bin/python.symlink': '/usr/bin/python3\n' });
    const workspace = await unpack(await (await loadTask(join(folder.path, 'f/t'))).seeds(), '/workspace');
    assert.equal(workspace.get('bin/python')?.link, '/usr/bin/python3');
    assert.equal(workspace.has('bin/python.symlink'), false);
  });

  it('returns the same bytes every time', async () => {
    await using one = await tempFolder(taskFiles('f/t', withState));
    await one.write({ 'f/t/environment/workspace/src/a.py': 'x', 'f/t/environment/workspace/b': 'y' });
    await using two = await tempFolder({ 'f/t/environment/workspace/b': 'y' });
    await two.write({ 'f/t/environment/workspace/src/a.py': 'x', ...taskFiles('f/t', withState) });
    await chmod(join(two.path, 'f/t/environment/workspace/b'), 0o600);
    const tasks = await Promise.all([one, two].map(({ path }) => loadTask(join(path, 'f/t'))));
    const [first, second] = await Promise.all(tasks.map((task) => task.seeds()));
    assert.deepEqual(first, second);
  });

  it('keeps tests apart from the initial state', async () => {
    await using folder = await tempFolder(taskFiles('f/t'));
    const task = await loadTask(join(folder.path, 'f/t'));
    for (const seed of await task.seeds())
      assert.ok(![...(await readArchive(seed.tar)).keys()].includes('test.sh'));
    const seeds = await task.testSeeds();
    assert.ok((await unpack(seeds, '/tests')).has('test.sh'));
    assert.ok((await unpack(seeds, '/logs')).has('verifier/'));
  });

  it('lists solutions, and false solutions with why they must fail', async () => {
    await using folder = await tempFolder(taskFiles('f/t'));
    await folder.write({
      'f/t/solution/solve.sh': '#!/bin/bash\ntrue\n',
      'f/t/solution/gui.xdotool': 'xdotool key F1\n',
      'f/t/solution/notes.md': 'none',
      'f/t/false-solutions/wrong.sh': '#!/bin/bash\n# Does nothing.\ntrue\n',
    });
    const task = await loadTask(join(folder.path, 'f/t'));
    const kinds = (await task.solutions()).map(({ name, kind }) => `${name} ${kind}`);
    assert.deepEqual(kinds, ['gui xdotool', 'solve shell']);
    assert.deepEqual(
      (await task.falseSolutions()).map(({ name, why }) => `${name}: ${why}`),
      ['wrong: Does nothing.'],
    );
  });
});

describe('a wrong task folder', () => {
  const rejects = (path: string, expected: object) => assert.rejects(loadTask(path), expected);

  it('reports that it is not a task', async () => {
    await using folder = await tempFolder();
    await rejects(folder.path, { code: 'no-such-task' });
    await rejects(join(folder.path, 'missing'), { code: 'no-such-task' });
  });

  it('reports that a file is missing or empty', async () => {
    await using folder = await tempFolder(taskFiles('f/t'));
    const path = join(folder.path, 'f/t');
    await folder.write({ 'f/t/instruction.md': ' \n' });
    await rejects(path, {
      code: 'bad-task',
      message: /instruction\.md: expected the instruction .* found an empty file/,
    });
    await rm(join(path, 'instruction.md'));
    await rejects(path, {
      code: 'bad-task',
      message: /instruction\.md: expected a text file in UTF-8, found nothing/,
    });
    await folder.write({ 'f/t/instruction.md': 'x' });
    await rm(join(path, 'tests/test.sh'));
    await rejects(path, {
      code: 'bad-task',
      message: /tests\/test\.sh: expected the test script, found nothing/,
    });
  });

  it('reports that an open file does not exist', async () => {
    await using folder = await tempFolder(taskFiles('f/t', `${taskToml}open = ["a.py"]`));
    await rejects(join(folder.path, 'f/t'), { code: 'bad-task', message: /pwp\.open: .* found "a\.py"/ });
  });

  it('reports that workspace settings are given twice', async () => {
    await using folder = await tempFolder(taskFiles('f/t', `${taskToml}workspace_settings = {}`));
    await folder.write({ 'f/t/environment/workspace/.vscode/settings.json': '{}' });
    await rejects(join(folder.path, 'f/t'), {
      code: 'bad-task',
      message: /pwp\.workspace_settings: expected no/,
    });
  });

  it('reports that a false solution does not say why', async () => {
    await using folder = await tempFolder(taskFiles('f/t'));
    await folder.write({ 'f/t/false-solutions/x.sh': '#!/bin/bash\ntrue\n' });
    await rejects(join(folder.path, 'f/t'), {
      code: 'bad-task',
      message: /x\.sh: first line: expected a comment/,
    });
  });
});

describe('finding tasks', () => {
  it('walks folders, sorts by id and counts a task once', async () => {
    await using folder = await tempFolder({
      ...taskFiles('b/two'),
      ...taskFiles('a/deep/one'),
      ...taskFiles('a/.hidden/no'),
    });
    await symlink(folder.path, join(folder.path, 'a/loop'));
    const tasks = await findTasks([folder.path, join(folder.path, 'b')]);
    assert.deepEqual(
      tasks.map(({ id }) => id),
      ['b/two', 'deep/one'],
    );
  });

  it('reports a folder without tasks and a missing one', async () => {
    await using folder = await tempFolder({ 'x/readme': '' });
    await assert.rejects(findTasks([folder.path]), { code: 'no-such-task', message: /no task in/ });
    await assert.rejects(findTasks([join(folder.path, 'y')]), { code: 'no-such-task' });
  });

  it('refuses two tasks with one id', async () => {
    await using folder = await tempFolder({ ...taskFiles('a/f/t'), ...taskFiles('b/f/t') });
    await assert.rejects(findTasks([folder.path]), { code: 'bad-task', message: /found f\/t also in/ });
  });

  it('loads the tasks that come with the project', async () => {
    const tasks = await findTasks(['tasks']);
    for (const found of tasks) {
      const task = await wholeHere(found);
      const solutions = await task.solutions();
      const kinds = new Set(solutions.map(({ kind }) => kind));
      assert.ok(kinds.has('xdotool') && (kinds.has('shell') || kinds.has('tools')), task.id);
      assert.ok((await task.falseSolutions()).length >= 2, task.id);
    }
  });
});

describe('a solution with tools', () => {
  const load = async (text: string) => {
    await using folder = await tempFolder({ ...taskFiles('f/t'), 'f/t/solution/solve.tools': text });
    return await (await loadTask(join(folder.path, 'f/t'))).solutions();
  };

  it('is one call per line', async () => {
    const [solution, ...more] = await load('# Reads.\n\nread_file {"path": "a b"}\nlist_dir {}\n');
    assert.deepEqual([solution?.kind, more], ['tools', []]);
    assert.deepEqual(readWrittenCalls(solution ?? { text: '' }), [
      { name: 'read_file', arguments: { path: 'a b' } },
      { name: 'list_dir', arguments: {} },
    ]);
  });

  for (const line of ['read_file', 'read_file {"path"', 'read_file []', '{"path": "a"}']) {
    it(`reports a line that is not an action: ${line}`, async () => {
      const message = /solve\.tools: expected a tool and its arguments in JSON, found/;
      await assert.rejects(load(line), { code: 'bad-task', message });
    });
  }
});
