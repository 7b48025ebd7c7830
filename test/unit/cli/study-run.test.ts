import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { checkServedAgent } from '../../../host/doors/cli/open-agents.ts';
import { composeStudy } from '../../../host/doors/cli/study-run.ts';
import { temporaryFolder } from '../../support/folder.ts';

/** The options as commander reads them. */
const compose = (options: Readonly<Record<string, unknown>>) =>
  composeStudy(undefined, options, { out: 'runs/now', parallel: 1 });

describe('a study from a command line', () => {
  it('has what the command does by itself, and over it the options', async () => {
    const { tasks, agents, out, parallel, attempts, maxSteps } = await compose({
      task: ['a'],
      agent: ['oracle'],
    });
    assert.deepEqual([tasks, agents, out, parallel], [['a'], [{ agent: 'oracle' }], 'runs/now', 1]);
    assert.deepEqual([attempts, maxSteps], [1, 20]);
    const asked = await compose({ task: ['a'], agent: ['null'], out: 'mine', parallel: 4, audio: true });
    assert.deepEqual([asked.out, asked.parallel, asked.audio], ['mine', 4, true]);
  });

  it('gives each agent the settings that it takes', async () => {
    const options = {
      agent: ['oracle', 'cua', 'exec:./mine'],
      model: ['one', 'two'],
      tools: 'bash',
      maxPictures: 3,
    };
    const { agents } = await compose({ task: ['a'], ...options });
    assert.deepEqual(agents, [
      { agent: 'oracle' },
      { agent: 'cua', model: 'one', tools: 'bash', maxPictures: 3 },
      { agent: 'cua', model: 'two', tools: 'bash', maxPictures: 3 },
      { agent: 'exec:./mine', tools: 'bash' },
    ]);
  });

  it('overrides a file', async () => {
    await using folder = await temporaryFolder();
    const path = folder.file('study.toml');
    await writeFile(
      path,
      'tasks = ["a"]\nmax_steps = 50\naudio = true\nout = "b"\nagents = [{ agent = "oracle" }]\n',
    );
    const options: object = { maxSteps: 9 };
    const study = await composeStudy(path, options);
    assert.deepEqual([study.maxSteps, study.audio, study.out], [9, true, folder.file('b')]);
  });

  const wrong: readonly (readonly [Readonly<Record<string, unknown>>, RegExp])[] = [
    [{ agent: ['oracle'] }, /needs tasks and agents/],
    [{ task: ['a'], agent: ['cua'] }, /the agent cua needs a model/],
    [{ task: ['a'], agent: ['cua'], serve: true, model: ['one'] }, /--serve takes no --model/],
  ];
  for (const [options, message] of wrong)
    it(`is refused: ${JSON.stringify(options)}`, async () => {
      await assert.rejects(compose(options), { code: 'usage', message });
    });

  it('with a client as its agent is for one episode without limits of its model', async () => {
    const given = {
      task: ['a'],
      agent: ['assisted'],
      serve: true,
      maxSteps: 5,
      view: { width: 800, height: 600 },
    };
    const served = await compose(given);
    assert.deepEqual(checkServedAgent(served, 1), { agent: 'assisted', view: { width: 800, height: 600 } });
    assert.throws(() => checkServedAgent(served, 2), /for one episode, and these are 2/);
    assert.throws(() => checkServedAgent({ ...served, maxCost: 1 }, 1), /no --max-tokens and no --max-cost/);
    const oracle = await compose({ ...given, agent: ['oracle'] });
    assert.throws(() => checkServedAgent(oracle, 1), /takes an agent that asks a model, not oracle/);
  });
});
