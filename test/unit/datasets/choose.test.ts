import assert from 'node:assert/strict';
import { selectRecords } from '../../../host/tasks/datasets/choose-tasks.ts';
import { chooseTasks, isDataset } from '../../../host/tasks/index.ts';
import { sampleOf } from '../../support/datasets.ts';

const data = sampleOf('.');

describe('the selection of tasks', () => {
  const all = Array.from({ length: 200 }, (_, index) => `r${index}`);
  const draw = (sample: number, sampleSeed?: number, ids = all) =>
    selectRecords({ name: 'x' }, ids, { sample, sampleSeed });

  it('draws the same sample regardless of the order of the data, and larger ones that contain it', () => {
    const twenty = draw(20);
    assert.equal(twenty.length, 20);
    assert.deepEqual(new Set(draw(20, 0, all.toReversed())), new Set(twenty));
    assert.deepEqual(
      draw(40).filter((id) => twenty.includes(id)),
      twenty,
    );
    assert.notDeepEqual(draw(20, 1), twenty);
    assert.deepEqual(draw(500), all);
  });

  it('selects records by id, and refuses an unknown one', async () => {
    const names = ['humaneval'];
    const { tasks } = await chooseTasks({ names, data, ids: ['HumanEval/3', 'HumanEval/1'] });
    assert.deepEqual(
      tasks.map(({ id }) => id),
      ['humaneval/HumanEval-1', 'humaneval/HumanEval-3'],
    );
    await assert.rejects(chooseTasks({ names, data, ids: ['x'] }), { code: 'no-such-record' });
    await assert.rejects(chooseTasks({ names }), { code: 'usage' });
  });

  it('leaves out records whose files are missing, unless they are requested', async () => {
    const names = ['intercode-ctf'];
    const { tasks, lacking } = await chooseTasks({ names, data });
    assert.deepEqual([tasks.length, lacking.map(({ id }) => id)], [4, ['3']]);
    assert.match(lacking[0]?.why ?? '', /holds no file; its record has: wget/);
    assert.equal((await chooseTasks({ names, data, ids: ['3'] })).tasks.length, 1);
  });

  it('makes PwP-Bench-Lite of the available data, and names what is missing', async () => {
    const { tasks, benches } = await chooseTasks({ names: ['pwp-bench-lite'], data, sample: 2 });
    const [bench] = benches;
    assert.equal(bench?.families.length, 15);
    const families = new Set(tasks.map(({ id }) => id.split('/')[0]));
    assert.equal(families.size + bench.missing.length, 15);
    for (const name of ['humaneval', 'canitedit', 'intercode-ctf', 'bird', 'vscode', 'general-swe'])
      assert.equal(tasks.filter(({ id }) => id.startsWith(`${name}/`)).length, 2, name);
    const bare = await chooseTasks({ names: ['pwp-bench-lite'] });
    assert.equal(bare.benches[0]?.missing.length, 13);
    assert.equal(bare.tasks.length, 40);
    assert.ok(isDataset('bird') && isDataset('pwp-bench') && !isDataset('tasks'));
  });
});
