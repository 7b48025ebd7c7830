import assert from 'node:assert/strict';
import { onOneNode, type OpenedNode } from '../../support/each-node.ts';
import { answerOf, gradeScript, sampleTask } from './grade-answers.ts';

const challenges = ['00000001', '00000003', '00000006'];
const competitions = ['titanic', 'bike-sharing-demand', 'playground-series-s3e24', 'playground-series-s3e5'];

onOneNode('graders that run no code of the agent', (open) => {
  let test: OpenedNode;
  before(async () => {
    test = await open();
  });
  after(() => test[Symbol.asyncDispose]());

  async function rewardOf(dataset: string, id: string, script: string) {
    const { reward, log } = await gradeScript(test.node, await sampleTask(dataset, id), script);
    return { reward, log };
  }

  async function rewardOfAnswer(dataset: string, id: string, name: string) {
    return rewardOf(dataset, id, await answerOf(await sampleTask(dataset, id), name));
  }

  for (const id of [...challenges, ...competitions])
    it(`DSBench: scores ${id} 1 for the gold answer, and 0 for no answer or a wrong one`, async () => {
      const gold = await rewardOfAnswer('dsbench', id, 'gold');
      assert.equal(gold.reward, 1, gold.log);
      assert.equal((await rewardOf('dsbench', id, 'true')).reward, 0);
      for (const wrong of challenges.includes(id) ? ['no-idea', 'all-choices'] : ['header'])
        assert.equal((await rewardOfAnswer('dsbench', id, wrong)).reward, 0, wrong);
    });

  it('DSBench: scores the share of correct questions, and how far a metric is from baseline to best', async () => {
    const half = await rewardOf(
      'dsbench',
      '00000001',
      `echo '{"question1": "B.", "question2": 127}' > answers.json`,
    );
    assert.equal(half.reward, 0.5, half.log);
    const three = `printf 'PassengerId,Survived\\n10,0\\n11,1\\n12,1\\n13,1\\n' > submission.csv`;
    // Accuracy 0.75, between the baseline's 0.5 and 1.
    assert.equal((await rewardOf('dsbench', 'titanic', three)).reward, 0.5);
  });

  for (const [what, script] of [
    ['links to the expected answer', 'ln -s /tests/test_answer.csv submission.csv'],
    ['is not a file', 'mkfifo submission.csv'],
    ['claims to have passed', `echo '{"reward": 1}' > submission.csv`],
    [
      'has infinite or no numbers',
      `printf 'PassengerId,Survived\\n1,inf\\n2,nan\\n3,1\\n4,0\\n' > submission.csv`,
    ],
  ] as const)
    it(`DSBench: scores 0 if the file ${what}`, async () => {
      const { reward, log } = await rewardOf('dsbench', 'titanic', script);
      assert.equal(reward, 0, log);
    });

  it('DSBench: gives no score if its metric is not implemented', async () => {
    const task = await sampleTask('dsbench', 'covid19-global-forecasting-week-1');
    await assert.rejects(gradeScript(test.node, task, 'true'), /unavailable: .* measured by several columns/);
  });

  for (const id of ['numbers-1', 'numbers-2', 'numbers-3', 'numbers-4', 'more-1'])
    it(`miniCTX: scores ${id} 0 if it can't hold a proof, and gives no score if it may hold one`, async () => {
      const task = await sampleTask('minictx', id);
      assert.equal((await rewardOf('minictx', id, 'true')).reward, 0);
      for (const wrong of ['admit', 'axiom'])
        assert.equal((await rewardOfAnswer('minictx', id, wrong)).reward, 0, wrong);
      await assert.rejects(
        gradeScript(test.node, task, await answerOf(task, 'gold')),
        /unavailable: the text may be a proof/,
      );
    });
});
