import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { execa } from 'execa';
import { describeError } from '../../../bridge/lib/index.ts';
import { createLocalNode, type Node } from '../../../host/node/index.ts';
import { fetchAgentRoot } from '../../../host/node/root-images.ts';
import { Environment } from '../../../host/run/index.ts';
import { ensureOwnersPackage, sweBenchPackage } from '../../../host/tasks/datasets/owners/index.ts';
import { checkRecords, chooseTasks, type Grade } from '../../../host/tasks/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { onOneNode } from '../../support/each-node.ts';
import { runHome } from '../../support/run-home.ts';
import { makeSmallRoot } from '../../support/small-root.ts';
import { gradeScript, sampleTask } from './grade-answers.ts';

/** Prints what pytest prints, by what is in a file. */
const script = `#!/bin/bash
set -uxo pipefail
cd /testbed
: '>>>>> Start Test Output'
balance=FAILED
[[ $(<balance.txt) == 70 ]] && balance=PASSED
echo '=========================== short test summary info ============================'
echo "$balance tests/test_book.py::test_spending"
echo 'PASSED tests/test_book.py::test_sum'
[ $balance = PASSED ]
: '>>>>> End Test Output'
`;
const patch =
  'diff --git a/balance.txt b/balance.txt\n--- a/balance.txt\n+++ b/balance.txt\n@@ -1 +1 @@\n-130\n+70\n';

describe('a record of SWE-bench in an image', function () {
  this.timeout(600_000);
  let folder: TemporaryFolder;
  let node: Node;
  let data: string;

  before(async function () {
    try {
      await ensureOwnersPackage(sweBenchPackage, { home: runHome() });
    } catch (error) {
      console.log(`      needs Python 3.10 with venv, and PyPI: ${describeError(error).slice(0, 300)}`);
      this.skip();
    }
    folder = await temporaryFolder();
    const root = folder.file('pwp__ledger-1');
    await makeSmallRoot(root, ['base64', 'git']);
    await mkdir(`${root}/testbed`);
    await mkdir(`${root}/tmp`);
    await writeFile(`${root}/testbed/balance.txt`, '130\n');
    const git = (...args: readonly string[]) => execa('git', args, { cwd: `${root}/testbed` });
    await git('init', '-q');
    await git('add', '.');
    await git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-qm', 'Base');
    const record = {
      ...{ repo: 'pwp/ledger', instance_id: 'pwp__ledger-1', patch, test_patch: 'diff' },
      base_commit: (await git('rev-parse', 'HEAD')).stdout,
      problem_statement: 'The balance ignores the sign.',
      FAIL_TO_PASS: ['tests/test_book.py::test_spending'],
      PASS_TO_PASS: ['tests/test_book.py::test_sum'],
      ...{ eval_script: script, eval_type: 'pass_and_fail', log_parser: 'parse_log_pytest', image: root },
    };
    data = folder.file('test.json');
    await writeFile(data, JSON.stringify([record]));
    node = await createLocalNode({ home: runHome(), root: fetchAgentRoot });
  });
  after(async () => {
    await node?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  const open = async () => {
    const { tasks } = await chooseTasks({ names: ['swe-bench-lite'], data });
    assert.ok(tasks[0]);
    return tasks[0];
  };
  const play = async (command: string): Promise<Grade> => {
    await using env = new Environment({ node, task: await open() });
    await env.reset();
    const { result } = await env.call({ name: 'shell', arguments: { command } });
    assert.equal((result as { readonly exitCode: number }).exitCode, 0);
    return await env.grade();
  };

  it("is resolved by what an agent did in the image's repository", async () => {
    const { reward, checks, log } = await play('pwd; git status; sed -i s/130/70/ balance.txt');
    assert.equal(reward, 1, log);
    assert.deepEqual(
      checks.map(({ name, passed, why }) => [name, passed, why]),
      [
        ['FAIL_TO_PASS', true, '1 of 1'],
        ['PASS_TO_PASS', true, '1 of 1'],
        ['tests/test_book.py::test_spending', true, 'PASSED'],
      ],
    );
    assert.match(log, /PASS_TO_PASS PASSED tests\/test_book\.py::test_sum\n$/);
  });

  it('is not resolved by something else', async () => {
    const { reward, checks } = await play('cd /testbed && echo 7 > balance.txt');
    assert.equal(reward, 0);
    assert.match(checks[0]?.why ?? '', /0 of 1; not: tests\/test_book\.py::test_spending FAILED/);
  });

  it('is proved without an IDE, in any image with the repository', async () => {
    for (const image of [undefined, folder.file('{id}')]) {
      const [record] = await checkRecords({ node, tasks: [await open()], parallel: 1, image });
      assert.deepEqual(record?.problems, []);
      assert.deepEqual(
        record.grades.map(({ name, reward }) => [name, reward]),
        [
          ['null', 0],
          ['gold', 1],
          ['notes', 0],
        ],
      );
    }
  });
});

onOneNode('a record of SWE-bench outside of an image', (open) => {
  it('has no score, and says how it can have one', async () => {
    await using test = await open();
    for (const id of ['pwp__ledger-1', 'pwp__abacus-6'])
      await assert.rejects(
        gradeScript(test.node, await sampleTask('swe-bench', id), 'true'),
        /scored in their own images alone: and this one can not be: the record has no eval_script.*pwp export swe-bench/,
      );
  });
});
