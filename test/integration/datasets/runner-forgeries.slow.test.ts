import assert from 'node:assert/strict';
import { ideBenchDataset } from '../../../host/tasks/datasets/ide-bench/ide-bench.ts';
import type { Task } from '../../../host/tasks/index.ts';
import { noteAttack } from '../../support/attacks.ts';
import { onOneNode, type OpenedNode } from '../../support/each-node.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { layIdeBench } from '../../support/ide-bench-images.ts';
import { answerOf, gradeScript, sampleTask } from './grade-answers.ts';
import {
  ideBenchForgeries,
  resqForgeries,
  resqUnittestForgeries,
  type RunnerForgery,
} from './runner-forgeries.ts';

onOneNode('a pass that is forged beside the tests', (open, kind) => {
  let test: OpenedNode;
  let folder: TemporaryFolder;
  before(async () => {
    folder = await temporaryFolder();
    await layIdeBench(folder.file('ide-bench'));
    test = await open();
  });
  after(async () => {
    await test[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  /** Each attack scores 0, or is one that the trust note warns of. */
  function refuses(on: string, load: () => Promise<Task>, attacks: readonly RunnerForgery[]): void {
    for (const { what, script, noted = false } of attacks)
      it(`${noted ? 'is noted' : 'scores 0'} in ${on} for an agent that ${what}`, async () => {
        const { reward, trust, log } = await gradeScript(test.node, await load(), script);
        noteAttack({
          on: `the tests of ${on}`,
          what,
          node: kind,
          held: noted ? trust !== undefined : reward === 0,
        });
        if (!noted) assert.equal(reward, 0, log);
        assert.match(trust ?? '', /run the agent's code beside them/);
      });
  }

  refuses('RES-Q', () => sampleTask('res-q', '0_1'), resqForgeries);
  refuses("RES-Q's unittests", () => sampleTask('res-q', '0_0'), resqUnittestForgeries);
  refuses(
    'IDE-Bench',
    async () => (await ideBenchDataset.open(folder.file('ide-bench'))).load('rates/fix-direction'),
    ideBenchForgeries,
  );

  it('adds no note for a dataset whose tests run no code beside them', async () => {
    const task = await sampleTask('humaneval', 'HumanEval/0');
    const { trust } = await gradeScript(test.node, task, await answerOf(task, 'gold'));
    assert.equal(trust, undefined);
  });
});
