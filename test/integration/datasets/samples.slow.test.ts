import assert from 'node:assert/strict';
import { datasets } from '../../../host/tasks/index.ts';
import { sampleOf } from '../../support/datasets.ts';

/** One dataset for each sample: sets of one family share theirs. */
const samples = new Map(
  datasets.map((dataset) => [sampleOf(dataset.about.name), dataset] as const).reverse(),
);

describe('samples of datasets', () => {
  for (const [sample, dataset] of samples)
    it(`of ${dataset.about.title}: each record is a task that leaks nothing, with a solution and a wrong answer`, async () => {
      const opened = await dataset.open(sample);
      assert.ok(opened.ids.length >= 5, `${opened.ids.length} records`);
      const whole = opened.ids.filter((id) => !opened.lacking?.has(id));
      assert.ok(whole.length > 0);
      for (const id of whole) {
        const task = await opened.load(id);
        assert.match(task.id, new RegExp(`^${dataset.about.name}/[A-Za-z0-9._-]+$`));
        // Its owners' set-up makes it in a sandbox; its own test does that.
        if (task.make) continue;
        assert.deepEqual(await task.leaks(), [], task.id);
        assert.deepEqual(await task.agentCodeUses(), [], task.id);
        // The format of PwP's folders has no solutions.
        assert.equal((await task.solutions()).length, dataset.about.name === 'pwp-folder' ? 0 : 1, task.id);
        assert.ok((await task.falseSolutions()).length >= 1, task.id);
        assert.deepEqual(
          (await task.testSeeds()).map(({ path }) => path).filter((path) => path !== '/'),
          ['/tests', '/logs'],
        );
      }
    });

  for (const dataset of datasets)
    it(`of ${dataset.about.title}: says which file is missing, and where it is published`, async () => {
      await assert.rejects(dataset.open('/nonexistent'), (error: { code: string; help: string }) => {
        assert.equal(error.code, 'no-data');
        assert.ok(error.help.includes(dataset.about.source), error.help);
        return true;
      });
    });
});
