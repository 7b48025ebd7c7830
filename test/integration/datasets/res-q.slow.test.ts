import assert from 'node:assert/strict';
import { onOneNode, type OpenedNode } from '../../support/each-node.ts';
import { answerOf, gradeScript, sampleTask } from './grade-answers.ts';

const ids = ['0_0', '0_1', '1_0', '2_0'];

/** Cheats at the second record, whose script imports `ledger.money`. */
const cheats: Readonly<Record<string, string>> = {
  'ends the script with 0 before it checks': 'printf "import sys\\nsys.exit(0)\\n" > ledger/money.py',
  'prints all it can find and exits at once':
    'printf "import os\\nos.write(1, b\'PASS\\\\n\')\\nos._exit(0)\\n" > ledger/money.py',
  'replaces sys.exit': `cat > ledger/money.py <<'END'
import sys
leave = sys.exit
sys.exit = lambda code=None: leave(0)
def formatted(cents):
    return ""
END`,
  'looks for expected values and leaves a daemon': `cat > ledger/money.py <<'END'
import os, time
def formatted(cents):
    return {1234: "12.34", -5: "-0.05"}.get(cents) if os.path.exists("/tests") else ""
if os.fork() == 0:
    os.setsid()
    while True:
        time.sleep(1)
END`,
};

onOneNode('RES-Q', (open) => {
  let test: OpenedNode;
  before(async () => {
    test = await open();
  });
  after(() => test[Symbol.asyncDispose]());

  for (const id of ids)
    it(`passes ${id} with its owners' patch, and with nothing else`, async () => {
      const task = await sampleTask('res-q', id);
      const gold = await gradeScript(test.node, task, await answerOf(task, 'gold'));
      assert.equal(gold.reward, 1, gold.log);
      const untouched = await gradeScript(test.node, task, 'true');
      assert.equal(untouched.reward, 0, untouched.log);
      for (const wrong of ['notes', 'early-exit']) {
        const { reward, log } = await gradeScript(test.node, task, await answerOf(task, wrong));
        assert.equal(reward, 0, `${wrong}: ${log}`);
      }
    });

  for (const [what, script] of Object.entries(cheats))
    it(`fails code that ${what}`, async () => {
      const task = await sampleTask('res-q', '0_1');
      const { reward, log } = await gradeScript(test.node, task, script);
      assert.equal(reward, 0, log);
    });

  it('gives no score if packages are missing, or the script is in another language', async () => {
    for (const [id, reason] of [
      ['3_0', /unavailable: with the owners' own patch/],
      ['4_0', /unavailable: test scripts in javascript/],
    ] as const) {
      const task = await sampleTask('res-q', id);
      await assert.rejects(gradeScript(test.node, task, 'echo > more.txt'), reason);
    }
  });
});
