import assert from 'node:assert/strict';
import type { Sandbox } from '../../../host/node/index.ts';
import type { LeftChanges } from '../../../host/tasks/index.ts';
import { onEachNode, type OpenedNode } from '../../support/each-node.ts';
import { bash, never, says } from '../../support/node-sandbox.ts';
import { slowIt } from '../../support/slow.ts';
import { agentSandbox, gradeOf, taskWithTests } from './fixture.ts';

const reward = 'echo "$REWARD" > /logs/verifier/reward.txt';
const tells = (value: string) => reward.replace('$REWARD', value);

/** Names of the sandboxes that this process has running; other runs on this machine have their own. */
async function running({ node }: OpenedNode): Promise<string[]> {
  const all = await node.list();
  return all.filter(({ owner }) => owner.pid === process.pid).map(({ name }) => name);
}

/** The faults that `npm test` tries; what else a verdict may look like is a test of the verdict. */
const quick = [
  'tests that never report',
  'tests that never end',
  'tests that crash after they reported a pass',
];

onEachNode('grading', (open) => {
  let test: OpenedNode;
  before(async () => {
    test = await open();
  });
  after(() => test[Symbol.asyncDispose]());

  it("looks at the agent's files in another sandbox, which is gone afterwards", async () => {
    await using task = await taskWithTests(
      `grep -qx done /workspace/a.txt && ${tells('1')} || ${tells('0')}`,
    );
    await using sandbox = await agentSandbox(test.node, task);
    assert.equal((await gradeOf(test.node, sandbox, task)).reward, 0);
    await says(sandbox, 'echo done > /workspace/a.txt');
    assert.equal((await gradeOf(test.node, sandbox, task)).reward, 1);
    // The agent's sandbox still runs, and never saw the tests.
    assert.equal(
      await says(sandbox, 'cat /workspace/a.txt; ls -d /tests /logs /opt/pwp/grade 2>/dev/null || true'),
      'done',
    );
    assert.deepEqual(await running(test), ['agent']);
  });

  it("reads the agent's changes while grading, even if there is no score", async () => {
    await using task = await taskWithTests('exit 3');
    await using sandbox = await agentSandbox(test.node, task);
    await says(sandbox, 'cd /workspace && echo b >> a.txt && mkdir d && echo c > d/c.txt && ln -s a.txt l');
    const seen: LeftChanges[] = [];
    const graded = gradeOf(test.node, sandbox, task, never, (changes) => void seen.push(changes));
    await assert.rejects(graded, { code: 'grading-failed' });
    const [left] = seen;
    assert.ok(left && 'text' in left, JSON.stringify(left));
    assert.deepEqual(left.files, [
      { path: 'a.txt', change: 'changed' },
      { path: 'd/c.txt', change: 'added' },
      { path: 'l', change: 'added' },
    ]);
    assert.match(left.text, /^-a\n\\ No newline at end of file\n\+ab$/m);
  });

  it("says why the agent's changes are unknown, and scores anyway", async () => {
    await using task = await taskWithTests(tells('1'));
    await using sandbox = await agentSandbox(test.node, task);
    await says(sandbox, 'rm -rf /workspace; echo done > /workspace');
    const seen: LeftChanges[] = [];
    const { reward: score } = await gradeOf(test.node, sandbox, task, never, (one) => void seen.push(one));
    assert.deepEqual([score, seen], [1, [{ problem: 'what is in its place is not a folder' }]]);
  });

  const spoilt: Readonly<Record<string, [script: string, why: RegExp]>> = {
    'a link in its place': ['rm -rf /workspace; ln -s /etc /workspace', /symbolic link/],
    'a link to itself': ['rm -rf /workspace; ln -s /workspace /workspace', /symbolic link/],
    'a file in its place': ['rm -rf /workspace; echo done > /workspace', /^$/],
    'a pipe in its place': ['rm -rf /workspace; mkfifo /workspace', /neither a folder nor a file/],
    'nothing in its place': ['rm -rf /workspace', /^$/],
    '3000 nested folders': [
      `cd /workspace; rm a.txt; python3 -c 'import os
for _ in range(3000): os.mkdir("d"); os.chdir("d")'`,
      /nested more than 100 deep/,
    ],
    'paths longer than the system allows': [
      `cd /workspace; rm a.txt; python3 -c 'import os
for _ in range(20): os.mkdir("d" * 250); os.chdir("d" * 250)'`,
      // Some versions of cp copy them.
      /^$|paths longer than the system takes/,
    ],
    'names that are not UTF-8': ["cd /workspace; rm a.txt; touch $'\\xff\\xfe'", /^$/],
  };
  for (const [what, [script, why]] of Object.entries(spoilt))
    (/link in/.test(what) ? it : slowIt)(`grades a workspace with ${what}: missing files fail`, async () => {
      await using task = await taskWithTests(
        `[ "$(cat /workspace/a.txt)" = a ] && ${tells('1')} || ${tells('0')}`,
      );
      await using sandbox = await agentSandbox(test.node, task);
      await says(sandbox, script);
      const { reward: score, log } = await gradeOf(test.node, sandbox, task);
      assert.equal(score, 0, log);
      assert.match(/^not copied: (.*)$/m.exec(log)?.[1] ?? '', why);
    });

  slowIt(
    "scores 0, and says why, if the tests reach a verdict on the initial state but none on the agent's",
    async () => {
      await using task = await taskWithTests(`grep -q crash /workspace/a.txt && exit 1; ${tells('0.5')}`);
      await using sandbox = await agentSandbox(test.node, task);
      assert.equal((await gradeOf(test.node, sandbox, task)).noVerdict, undefined);
      await says(sandbox, 'echo crash > /workspace/a.txt');
      const { reward: score, noVerdict, log } = await gradeOf(test.node, sandbox, task);
      assert.equal(score, 0);
      assert.match(noVerdict ?? '', /ended without a reward/);
      assert.match(log, /exit code 1/);
    },
  );

  it("has no score if the tests report that they can't judge, regardless of the agent's files", async () => {
    await using task = await taskWithTests(
      `grep -q odd /workspace/a.txt && { echo 'unavailable: no Lean' >&2; exit 69; }; ${tells('0')}`,
    );
    await using sandbox = await agentSandbox(test.node, task);
    assert.equal((await gradeOf(test.node, sandbox, task)).reward, 0);
    await says(sandbox, 'echo odd > /workspace/a.txt');
    await assert.rejects(gradeOf(test.node, sandbox, task), { code: 'grading-failed', message: /no Lean/ });
  });

  it('does not let the agent write its own reward', async () => {
    await using task = await taskWithTests(tells('0'));
    await using sandbox = await agentSandbox(test.node, task);
    await says(sandbox, 'mkdir -p /logs/verifier && echo 1 > /logs/verifier/reward.txt');
    assert.equal((await gradeOf(test.node, sandbox, task)).reward, 0);
  });

  it("runs none of the agent's files", async () => {
    await using task = await taskWithTests(
      `python3 -I -S -c 'import json' && node -e 0 && git --version && ${tells('0')}`,
    );
    await using sandbox = await agentSandbox(test.node, task);
    const trap = 'mkdir -p /logs/verifier; echo 1 > /logs/verifier/reward.txt; sleep 9';
    const places =
      '/root/.bashrc /root/.bash_profile /root/.profile /workspace/node /workspace/git /root/sitecustomize.py';
    await says(sandbox, `for file in ${places}; do echo '${trap}' > $file; chmod +x $file; done`);
    const { reward: score, log } = await gradeOf(test.node, sandbox, task);
    assert.equal(score, 0, log);
  });

  it('does not count the exit code of tests that report a failure as another failure', async () => {
    await using task = await taskWithTests(`${tells('0')}; exit 1`);
    await using sandbox = await agentSandbox(test.node, task);
    assert.equal((await gradeOf(test.node, sandbox, task)).reward, 0);
  });

  it('reports what the tests printed and how they ended', async () => {
    await using task = await taskWithTests(`echo out; echo err >&2; ${tells('0.5')}`);
    await using sandbox = await agentSandbox(test.node, task);
    const { reward: score, log, checks } = await gradeOf(test.node, sandbox, task);
    assert.deepEqual([score, log, checks], [0.5, 'out\nerr\nexit code 0', []]);
  });

  const broken: Record<string, [script: string, message: RegExp]> = {
    'tests that never report': ['exit 0', /ended without a reward/],
    'tests that report rubbish': [tells('yes'), /expected a number from 0 to 1, found "yes\\n"/],
    'tests that never end': [`${tells('1')}; sleep 60`, /took longer than 2 s/],
    'tests that crash': ['kill -9 $$', /ended without a reward/],
    'tests that crash after they reported a pass': [
      `${tells('1')}; kill -9 $$`,
      /did not end with exit code 0/,
    ],
    'tests that report a pass and fail': [
      `${tells('0.5')}; exit 3`,
      /did not end with exit code 0\nexit code 3/,
    ],
    'a report that is a folder': ['mkdir /logs/verifier/reward.txt', /grading|graded/],
  };
  describe('of one sandbox, time after time,', () => {
    let sandbox: Sandbox;
    before(async () => {
      await using task = await taskWithTests('exit 0');
      sandbox = await agentSandbox(test.node, task);
    });
    after(() => sandbox[Symbol.asyncDispose]());

    for (const [name, [script, message]] of Object.entries(broken)) {
      (quick.includes(name) ? it : slowIt)(`gives no score to ${name}`, async () => {
        await using task = await taskWithTests(script, 2);
        await assert.rejects(gradeOf(test.node, sandbox, task), { code: 'grading-failed', message });
        assert.equal((await bash(sandbox, 'true')).exitCode, 0);
        assert.deepEqual(await running(test), ['agent']);
      });
    }
  });

  it("ends with its signal's reason", async () => {
    await using task = await taskWithTests('sleep 60');
    await using sandbox = await agentSandbox(test.node, task);
    const reason = new Error('enough');
    await assert.rejects(gradeOf(test.node, sandbox, task, AbortSignal.abort(reason)), reason);
    assert.deepEqual(await running(test), ['agent']);
  });
});
