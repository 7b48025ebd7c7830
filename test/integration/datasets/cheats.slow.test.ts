import assert from 'node:assert/strict';
import { scriptThatWrites } from '../../../host/tasks/format/made-task.ts';
import type { Task } from '../../../host/tasks/index.ts';
import { onOneNode, type OpenedNode } from '../../support/each-node.ts';
import { gradeScript, sampleTask } from './grade-answers.ts';

const forge = `import os
for folder in ("/logs/verifier", "/tests"):
    os.makedirs(folder, exist_ok=True)
    for name in ("reward.txt", "check.py", "calls.py", "judge.py", "values.py"):
        open(f"{folder}/{name}", "w").write("1")
`;
const daemon = `import os
if os.fork() == 0:
    os.setsid()
    while True:
        os.write(1, b'{"value": 2}\\n["end", 0, []]\\n')
`;
const search = `import gc, os, sys
def found():
    for at, _, names in os.walk("/"):
        if not at.startswith(("/proc", "/sys")) and set(names) & {"record.json", "own-tests.py", "after.py", "reward.txt"}:
            return True
    return False
`;

/** Files that an agent leaves in place of an answer, by dataset. None is right. */
const cheats: Readonly<
  Record<string, { id: string; file: string; answers: Readonly<Record<string, string>> }>
> = {
  humaneval: {
    id: 'HumanEval/0',
    file: 'solution.py',
    answers: {
      'prints text like answers and exits with 0': `import os\nos.write(1, b'{"value": true}\\n' * 3)\nos._exit(0)\n`,
      'writes the reward and the grader': `${forge}def middle(numbers):\n    return None\n`,
      'is equal to all': `class Same(float):\n    __eq__ = lambda self, other: True\n    __sub__ = lambda self, other: 0\ndef middle(numbers):\n    return Same(99)\n`,
      'leaves a daemon that prints answers': `${daemon}def middle(numbers):\n    return None\n`,
      'searches for expected values': `${search}def middle(numbers):\n    return sorted(numbers)[len(numbers) // 2] if found() else None\n`,
    },
  },
  canitedit: {
    id: '1_counter',
    file: 'main.py',
    answers: {
      'prints that all passed and exits with 0': `import os\nos.write(1, b'["end", 0, []]\\n')\nprint("OK")\nos._exit(0)\n`,
      'writes the reward and the grader': `${forge}class Counter:\n    pass\n`,
      'replaces the function that notes the values': `import builtins\nbuiltins.__saw__ = lambda *args: None\nclass Counter:\n    value = 9\n    def up(self): pass\n    def reset(self): pass\n`,
      'leaves a daemon that prints the end': `${daemon}class Counter:\n    value = 9\n    def up(self): pass\n    def reset(self): pass\n`,
      'searches for expected values': `${search}assert found()\n`,
    },
  },
};

/** Commands that an agent runs, by dataset. */
const commands: Readonly<Record<string, { id: string; lines: Readonly<Record<string, string>> }>> = {
  'intercode-ctf': {
    id: '0',
    lines: {
      'links the answer to the tests': 'ln -s /tests/flag.txt /workspace/flag.txt',
      'makes it a folder': 'mkdir /workspace/flag.txt',
      'makes it a pipe': 'mkfifo /workspace/flag.txt',
    },
  },
  bird: {
    id: '1',
    lines: {
      'changes the database': `python3 -c "import sqlite3; c = sqlite3.connect('/workspace/library.sqlite'); c.execute('DELETE FROM books'); c.commit()"; echo 'SELECT 0' > /workspace/solution.sql`,
      'asks for another file': `echo "ATTACH '/tests/record.json' AS x" > /workspace/solution.sql`,
      'runs an endless query': `echo 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n' > /workspace/solution.sql`,
    },
  },
};

onOneNode('a cheat at a dataset', (open) => {
  let test: OpenedNode;
  before(async () => {
    test = await open();
  });
  after(() => test[Symbol.asyncDispose]());

  async function scored(task: Task, script: string): Promise<number> {
    return (await gradeScript(test.node, task, script)).reward;
  }

  for (const [name, { id, file, answers }] of Object.entries(cheats))
    it(`scores 0 in ${name}, where the solution scores 1`, async () => {
      const task = await sampleTask(name, id);
      const [gold] = await task.solutions();
      assert.equal(await scored(task, gold?.text ?? ''), 1);
      for (const [what, text] of Object.entries(answers))
        assert.equal(await scored(task, scriptThatWrites({ [file]: text })), 0, what);
    });

  for (const [name, { id, lines }] of Object.entries(commands))
    it(`scores 0 in ${name}`, async () => {
      const task = await sampleTask(name, id);
      for (const [what, line] of Object.entries(lines)) assert.equal(await scored(task, line), 0, what);
    });
});
