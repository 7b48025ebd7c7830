import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkRecords, chooseTasks } from '../../../host/tasks/index.ts';
import { sampleOf } from '../../support/datasets.ts';
import { onOneNode, type OpenedNode } from '../../support/each-node.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { gradeScript } from './grade-answers.ts';

/** Sample records that can't be scored here, like some real ones. */
const unavailable: Readonly<Record<string, readonly string[]>> = {
  canitedit: ['5_missing_library'],
  'swt-bench': ['pwp__abacus-6'],
  'res-q': ['3_0', '4_0'],
};

const names = ['humaneval', 'canitedit', 'intercode-ctf', 'bird', 'swt-bench', 'res-q'];

onOneNode('the answers that come with datasets', (open) => {
  let test: OpenedNode;
  before(async () => {
    test = await open();
  });
  after(() => test[Symbol.asyncDispose]());

  for (const name of names) {
    it(`of ${name}: nothing done scores 0, the solution 1, a wrong answer 0`, async function () {
      this.timeout(900_000);
      const { tasks } = await chooseTasks({ names: [name], data: sampleOf('.') });
      const records = await checkRecords({ node: test.node, tasks, parallel: 1 });
      assert.equal(records.length, tasks.length);
      for (const { task, problems, grades } of records) {
        const cannot = unavailable[name]?.includes(task.slice(name.length + 1)) === true;
        if (cannot) assert.match(problems.join(), /no score: .*unavailable/s, task);
        else assert.deepEqual(problems, [], task);
        assert.deepEqual(grades.map((grade) => grade.name).slice(0, 2), ['null', 'gold']);
        assert.ok(grades.length > 2, 'there is no wrong answer');
      }
    });
  }

  it("of bird: no score for any answer if the owners' own query fails or takes too long", async () => {
    await using folder = await temporaryFolder();
    await cp(sampleOf('bird'), folder.path, { recursive: true });
    const file = join(folder.path, 'mini_dev_sqlite.json');
    const records = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>[];
    const slow =
      'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM c WHERE n < 3000000000) SELECT max(n) FROM c';
    const [first, second] = ['SELECT a FROM missing', slow].map((SQL, at) => ({ ...records[at], SQL }));
    await writeFile(file, JSON.stringify([first, second]));
    const { tasks } = await chooseTasks({ names: ['bird'], data: folder.path });
    const [fails, late] = tasks;
    assert.ok(fails && late);
    const [checked] = await checkRecords({ node: test.node, tasks: [fails], parallel: 1 });
    assert.deepEqual(
      checked?.problems.map((problem) => problem.replace(/\n[^]*/, '')),
      [
        "null, gold, wrong: no score: unavailable: the owners' own query can't be used here: the query fails: sqlite3.OperationalError: no such table: missing",
      ],
    );
    await assert.rejects(
      gradeScript(test.node, late, 'true'),
      /unavailable: the owners' own query .*(?:more than 30 s|longer than 60 s)/,
    );
  });
});
