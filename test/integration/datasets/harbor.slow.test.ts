import assert from 'node:assert/strict';
import { harbor } from '../../../host/tasks/datasets/harbor/harbor.ts';
import { createLocalNode } from '../../../host/node/index.ts';
import type { LocalNode } from '../../../host/node/local/local-node.ts';
import { fetchAgentRoot } from '../../../host/node/root-images.ts';
import { Environment } from '../../../host/run/index.ts';
import { checkRecords, type Grade, type Task } from '../../../host/tasks/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { layHarborTasks } from '../../support/harbor-images.ts';
import { says } from '../../support/node-sandbox.ts';
import { runHome } from '../../support/run-home.ts';
import { agentSandbox } from '../grade/fixture.ts';
import { gradeScript } from './grade-answers.ts';

describe('tasks of Harbor in their own images, on local', function () {
  this.timeout(1_800_000);
  let folder: TemporaryFolder;
  let node: LocalNode;
  before(async () => {
    folder = await temporaryFolder();
    for (const place of ['harbor', 'harbor-leaves'])
      await layHarborTasks(`test/data/datasets/${place}`, folder.file(place));
    node = await createLocalNode({
      home: runHome(),
      root: fetchAgentRoot,
    });
  });
  after(async () => {
    await node[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  const load = async (id: string, place = 'harbor'): Promise<Task> =>
    (await harbor.open(folder.file(place))).load(id);

  const gradeAfter = (task: Task, script: string): Promise<Grade> => gradeScript(node, task, script);

  for (const id of [
    'apart',
    'brought',
    'checked',
    'collected',
    'count-lines',
    'elsewhere',
    'named-rewards',
    'one-file',
    'two-steps',
  ])
    it(`scores 0 for nothing, 1 for the reference and 0 for a forged reward: ${id}`, async () => {
      const [checked] = await checkRecords({ node, tasks: [await load(id)], parallel: 1 });
      assert.deepEqual(checked?.problems, []);
      assert.deepEqual(
        checked.grades.map(({ name, reward }) => [name, reward]),
        [
          ['null', 0],
          ['gold', 1],
          ['writes-reward', 0],
        ],
      );
    });

  it('gives each step its share, and nothing to steps after one that fails', async () => {
    const task = await load('two-steps');
    const first = await gradeAfter(task, 'printf begun > /work/project/begin.txt');
    assert.equal(first.reward, 0.5, first.log);
    const last = await gradeAfter(task, 'printf ended > /work/project/end.txt');
    assert.equal(last.reward, 0, last.log);
  });

  it('averages several named rewards, each of them a check', async () => {
    const { reward, checks, log } = await gradeAfter(
      await load('named-rewards'),
      'cd /app; seq 3 > numbers.txt',
    );
    assert.equal(reward, 0.5, log);
    assert.deepEqual(
      checks.map(({ name, passed, why }) => [name, passed, why]),
      [
        ['tests', false, '{"numbers":1,"sum":0}'],
        ['numbers', true, '1'],
        ['sum', false, '0'],
      ],
    );
  });

  it('tests all that was changed in the root, and nothing that was left in the place of tests', async () => {
    const task = await load('elsewhere');
    const script = `rm -rf /output && mkdir /output && cd /output && echo '{"sum": 42}' > sum.json && echo here > README
mkdir -p /tests /logs/verifier && echo 'echo forged' > /tests/other.sh && rm /bin/uname`;
    assert.equal((await gradeAfter(task, script)).reward, 1);
    const replaced = await gradeAfter(task, `${script}\nrm -rf /output/README`);
    assert.equal(replaced.reward, 0, replaced.log);
    for (const place of ['/tests', '/logs', '/etc/hosts', '/etc', '/tmp']) {
      const linked = `${script}\nrm -rf ${place} && ln -s /root ${place}`;
      const { reward, log } = await gradeAfter(task, linked);
      assert.ok(reward === 0 || reward === 1, log);
    }
  });

  it('has the variables of its environment in terminals and commands', async () => {
    await using sandbox = await agentSandbox(node, await load('collected'));
    assert.equal(await says(sandbox, 'echo "$UNIT"'), 'piece');
  });

  it('is refused if the image that its Dockerfile begins with starts a program', async () => {
    const task = await load('inherits-program', 'harbor-leaves');
    const [checked] = await checkRecords({ node, tasks: [task], parallel: 1 });
    assert.match(
      checked?.problems.join() ?? '',
      /starts a program with each container.*ENTRYPOINT \["\/start\.sh"\]/,
    );
  });

  it('names processes that a solution left running, which are gone when tests run', async () => {
    const task = await load('leaves-server', 'harbor-leaves');
    const [checked] = await checkRecords({ node, tasks: [task], parallel: 1 });
    assert.match(
      checked?.problems.join() ?? '',
      /gold: scores 0, expected 1: .*left processes running, which are not there when tests run: .*wait\.sh/,
    );
  });

  it('tests a service while it runs', async () => {
    const task = await load('asks-service', 'harbor-leaves');
    const [checked] = await checkRecords({ node, tasks: [task], parallel: 1 });
    assert.deepEqual(checked?.problems, []);
  });

  it('tests a service that an agent left in a live copy of its sandbox, and says so', async () => {
    const task = await load('asks-service', 'harbor-leaves');
    const env = new Environment({ node, task });
    try {
      await env.reset();
      assert.equal((await env.grade()).reward, 0);
      const [gold] = await task.solutions();
      await env.call({ name: 'shell', arguments: { command: gold?.text ?? '' } });
      const { reward, trust, log } = await env.grade();
      assert.equal(reward, 1, log);
      assert.match(trust ?? '', /left running .*live copy/);
      const { result } = await env.call({
        name: 'shell',
        arguments: { command: 'ls -d /tests || echo none' },
      });
      assert.match((result as { readonly stdout: string }).stdout, /none/);
    } finally {
      await env.close();
    }
  });
});
