import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { harbor } from '../../../host/tasks/datasets/harbor/harbor.ts';
import { exportToHarbor, loadTask } from '../../../host/tasks/index.ts';

describe('an export to Harbor', () => {
  let out: string;
  before(async () => {
    out = await mkdtemp(join(tmpdir(), 'pwp-export-'));
  });
  after(() => rm(out, { recursive: true, force: true }));

  it('has the initial state as an image, the tests, and the solution', async () => {
    const task = await loadTask('tasks/vscode/autosave-500');
    const { folder, leftOut } = await exportToHarbor(task, out);
    assert.ok(folder);
    assert.ok(leftOut.some((line) => line.includes('solutions by tools, mouse and keyboard: gui')));
    const dockerfile = await readFile(join(folder, 'environment/Dockerfile'), 'utf8');
    assert.match(
      dockerfile,
      /^FROM node:24.*COPY workspace\/ \/workspace\/\nCOPY ide\/ \/ide\/\nWORKDIR \/workspace\n$/s,
    );
    assert.match(await readFile(join(folder, 'tests/test.sh'), 'utf8'), /reward\.txt/);
    assert.match(
      await readFile(join(folder, 'task.toml'), 'utf8'),
      /^schema_version = "1\.4"\nartifacts = \[ "\/workspace", "\/ide" \]\n/,
    );
    await assert.rejects(exportToHarbor(task, out), /is there already/);
  });

  it('is read like any task of Harbor, with its image and separate tests', async () => {
    await exportToHarbor(await loadTask('tasks/general-swe/rename-class'), out);
    const again = await (await harbor.open(out)).load('general-swe-rename-class');
    assert.match(again.config.pwp.image ?? '', /general-swe-rename-class\/environment$/);
    assert.ok(again.imageTests?.runs[0]?.separate);
    assert.equal((await again.solutions()).length, 1);
  });

  it('is refused with the reason for a task that makes no sense without an IDE', async () => {
    const asked = await exportToHarbor(await loadTask('tasks/vscode/conditional-breakpoint'), out);
    assert.deepEqual([asked.folder, asked.leftOut], [null, ['its tests ask an IDE for breakpoints']]);
    const running = await exportToHarbor(await loadTask('tasks/general-swe/move-class'), out);
    assert.match(running.leftOut.join(), /tests\/check\.py has code run in a sandbox of its own/);
  });
});
