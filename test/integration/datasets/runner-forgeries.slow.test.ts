import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { harbor } from '../../../host/tasks/datasets/harbor/harbor.ts';
import { ideBenchDataset } from '../../../host/tasks/datasets/ide-bench/ide-bench.ts';
import type { Task } from '../../../host/tasks/index.ts';
import { noteAttack } from '../../support/attacks.ts';
import { onOneNode, type OpenedNode } from '../../support/each-node.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { answerOf, gradeScript, sampleTask } from './grade-answers.ts';
import {
  harborForgeries,
  type HarborForgeries,
  ideBenchForgeries,
  resqForgeries,
  resqUnittestForgeries,
  type RunnerForgery,
} from './runner-forgeries.ts';

onOneNode('a pass that is forged beside the tests', (open, kind) => {
  let test: OpenedNode;
  let folder: TemporaryFolder;
  before(async () => {
    test = await open();
    folder = await temporaryFolder();
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

  for (const [name, forgeries] of Object.entries(harborForgeries)) {
    const load = async () => (await harbor.open(await writeTask(folder, name, forgeries))).load(idOf(name));
    it(`passes a right answer by Harbor's ${name}`, async () => {
      const { reward, log } = await gradeScript(test.node, await load(), forgeries.solution);
      assert.equal(reward, 1, log);
    });
    refuses(`Harbor's ${name}`, load, forgeries.attacks);
  }

  refuses('RES-Q', () => sampleTask('res-q', '0_1'), resqForgeries);
  refuses("RES-Q's unittests", () => sampleTask('res-q', '0_0'), resqUnittestForgeries);
  refuses(
    'IDE-Bench',
    async () => (await ideBenchDataset.open('test/data/datasets/ide-bench')).load('rates/fix-direction'),
    ideBenchForgeries,
  );

  it('passes names that the task gives, even if Python or Git has something of that name', async () => {
    const named: HarborForgeries = {
      files: { 'email/notes.txt': 'A folder, and no module.\n' },
      test: `cd /app
python3 -c "import queue, sys; sys.exit(queue.size() != 3)" || failed=1
python3 -m unittest -q test.test_size || failed=1
python3 -c "import email.message, sys; sys.exit(not email.message)" || failed=1
git -c user.name=t -c user.email=t@t commit --allow-empty -qm checked
if [ -z "$failed" ] && [ -f ran.txt ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n`,
      solution: `git init -q .
echo 'def size(): return 3' > queue.py
mkdir test && touch test/__init__.py
printf 'import unittest\\nclass Size(unittest.TestCase):\\n    def test_size(self): pass\\n' > test/test_size.py
printf '#!/bin/sh\\ntouch ran.txt\\n' > .git/hooks/pre-commit
chmod +x .git/hooks/pre-commit`,
      attacks: [],
    };
    const at = await writeTask(
      folder,
      'named',
      named,
      'Write queue.py, and a hook of Git that touches ran.txt.',
    );
    const { reward, log } = await gradeScript(
      test.node,
      await (await harbor.open(at)).load('named'),
      named.solution,
    );
    assert.equal(reward, 1, log);
  });

  it('adds no note for a dataset whose tests run no code beside them', async () => {
    const task = await sampleTask('humaneval', 'HumanEval/0');
    const { trust } = await gradeScript(test.node, task, await answerOf(task, 'gold'));
    assert.equal(trust, undefined);
  });
});

function idOf(name: string): string {
  return name.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '');
}

async function writeTask(
  folder: TemporaryFolder,
  name: string,
  { test, files = {} }: HarborForgeries,
  instruction = 'Write the answer to answer.txt.',
): Promise<string> {
  const at = folder.file(idOf(name));
  const copies = Object.keys(files).map((path) => `COPY ${path} ./${path}\n`);
  const all = {
    'task.toml': '[verifier]\ntimeout_sec = 120.0\n',
    'instruction.md': instruction,
    'environment/Dockerfile': `FROM debian\nWORKDIR /app\n${copies.join('')}`,
    'tests/test.sh': `#!/bin/bash\n${test}`,
    'tests/expected.txt': '42\n',
    'tests/test_outputs.py':
      'import pathlib\n\n\ndef test_answer():\n    assert pathlib.Path("/app/answer.txt").read_text() == "42\\n"\n',
    ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`environment/${path}`, text])),
  };
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(at, path)), { recursive: true });
    await writeFile(join(at, path), text);
  }
  return at;
}
