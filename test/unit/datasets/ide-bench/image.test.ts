import assert from 'node:assert/strict';
import { cp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ideBenchDataset } from '../../../../host/tasks/datasets/ide-bench/ide-bench.ts';
import { sampleOf } from '../../../support/datasets.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../support/folder.ts';
import { useOwnHome } from '../../../support/own-home.ts';

describe('the image of a code base of IDE-Bench', () => {
  let folder: TemporaryFolder;
  useOwnHome();
  before(async () => {
    folder = await temporaryFolder();
  });
  after(() => folder[Symbol.asyncDispose]());
  const load = async (id: string, data = sampleOf('ide-bench')) =>
    (await ideBenchDataset.open(data)).load(id);
  const imageOf = async (id: string, data?: string) => (await load(id, data)).config.pwp.image ?? '';

  it('is built from its own Dockerfile and code, without any task', async () => {
    const image = await imageOf('rates/own-code');
    const files = await readdir(image, { recursive: true });
    assert.ok(files.includes('Dockerfile') && files.includes('rates/convert.py'), files.join());
    assert.deepEqual(
      files.filter((path) => path.startsWith('tasks')),
      ['tasks'],
    );
    assert.equal(await imageOf('rates/fix-direction'), image);
  });

  it('is another one if a file of the code base differs', async () => {
    const data = folder.file('data');
    await cp(sampleOf('ide-bench'), data, { recursive: true });
    await rm(join(data, 'parcels'), { recursive: true });
    await writeFile(join(data, 'rates/rates/window.py'), '# changed\n');
    assert.notEqual(await imageOf('rates/own-code', data), await imageOf('rates/own-code'));
  });

  it("has the workspace; the task's own code is added to it", async () => {
    const task = await load('rates/own-code');
    assert.equal(task.config.environment.workdir, '/app');
    const { entries } = await task.workspace('/app');
    const files = entries.flatMap(({ kind, path }) => (kind === 'file' ? [path] : []));
    assert.deepEqual(files, ['tasks/own-code/scripts/count.sh']);
    assert.deepEqual(await task.leaks(), []);
  });

  it('shows a solution that the code base has elsewhere, as a leak', async () => {
    const data = folder.file('leaky');
    await cp(join(sampleOf('ide-bench'), 'rates'), data, { recursive: true });
    await cp(join(data, 'tasks/fix-direction/task_tests.py'), join(data, 'rates/notes.txt'));
    const [leak] = await (await load('leaky/fix-direction', data)).leaks();
    assert.equal(leak?.secret, 'tests/tree/tasks/fix-direction/task_tests.py');
  });
});
