import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { packagedTasksFolder } from '../../../host/lib/index.ts';
import { findTasks, loadTask, resolveTaskPath } from '../../../host/tasks/index.ts';
import { temporaryFolder } from '../../support/folder.ts';

describe('the name of a task', () => {
  it('may be an id of a task that comes with the program', async () => {
    assert.equal(
      (await loadTask('vscode/autosave-500')).path,
      join(packagedTasksFolder(), 'vscode/autosave-500'),
    );
    assert.deepEqual(
      (await findTasks(['vscode/autosave-500'])).map(({ id }) => id),
      ['vscode/autosave-500'],
    );
  });

  it('may be the name of a family', async () => {
    const ids = (await findTasks(['general-swe'])).map(({ id }) => id);
    assert.ok(ids.length > 1 && ids.every((id) => id.startsWith('general-swe/')), ids.join(' '));
  });

  it('is a path first', async () => {
    await using folder = await temporaryFolder();
    const path = folder.file('vscode');
    await mkdir(path);
    assert.equal(await resolveTaskPath(path), path);
    assert.equal(await resolveTaskPath('tasks/vscode'), join(process.cwd(), 'tasks/vscode'));
  });

  for (const name of ['../tasks', './vscode', 'vscode/autosave-500/tests', 'no-such', '..'])
    it(`is not looked for elsewhere as ${name}`, async () =>
      assert.equal(await resolveTaskPath(name), join(process.cwd(), name)));
});
