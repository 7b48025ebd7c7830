import assert from 'node:assert/strict';
import { checkRecords, chooseTasks } from '../../../host/datasets/index.ts';
import { sampleOf } from '../../support/datasets.ts';
import { onOneNode, type OpenedNode } from '../../support/each-node.ts';

/** Records of samples that can't be scored here, as some real ones can't. */
const unavailable: Readonly<Record<string, readonly string[]>> = {
  canitedit: ['5_missing_library'],
  'swe-bench': ['pwp__abacus-6'],
  'swt-bench': ['pwp__abacus-6'],
  'res-q': ['3_0', '4_0'],
};

const names = ['humaneval', 'canitedit', 'intercode-ctf', 'bird', 'swe-bench', 'swt-bench', 'res-q'];

onOneNode('own answers of datasets', (open) => {
  let test: OpenedNode;
  before(async () => {
    test = await open();
  });
  after(() => test[Symbol.asyncDispose]());

  for (const name of names) {
    it(`of ${name}: nothing done scores 0, the solution 1, a wrong answer 0`, async () => {
      const { tasks } = await chooseTasks({ names: [name], data: sampleOf('.') });
      const records = await checkRecords({ node: test.node, tasks, parallel: 1 });
      assert.equal(records.length, tasks.length);
      for (const { task, problems, grades } of records) {
        const cannot = unavailable[name]?.includes(task.slice(name.length + 1)) === true;
        if (cannot) assert.match(problems.join(), /no score: .*unavailable/s, task);
        else assert.deepEqual(problems, [], task);
        assert.deepEqual(grades.map((grade) => grade.name).slice(0, 2), ['null', 'gold']);
        assert.ok(grades.length > 2, 'a wrong answer');
      }
    });
  }
});
