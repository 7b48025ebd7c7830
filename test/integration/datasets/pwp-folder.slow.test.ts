import assert from 'node:assert/strict';
import { pwpFolder } from '../../../host/tasks/datasets/pwp-folder/pwp-folder.ts';
import { type OpenedNode, openLocal } from '../../support/each-node.ts';
import { gradeScript } from './grade-answers.ts';

const answers: Readonly<Record<string, string>> = {
  'settings-0': `echo '{"files.autoSaveDelay": 1000}' > /ide/data/User/settings.json`,
  'settings-1': `echo '[{"key": "ctrl+j", "command": "workbench.action.focusActiveEditorGroup"}]' > /ide/data/User/keybindings.json`,
  // The workspace is graded, regardless of where the link leads by then.
  'settings-2':
    'sed -i s/old/new/g ~/evaluation/document.txt && rm ~/evaluation && ln -s /tests ~/evaluation',
  'settings-3': "sed -i 's/+ 2/* 2/' double.py",
  'settings-4': 'mkdir -p /ide/extensions/sample.words-1.0.0',
  'settings-5': 'mkdir /home/devuser/Desktop && touch ~/Desktop/draft.txt',
};

const forgeries: Readonly<Record<string, string>> = {
  'writes the reward where it runs': `cat > double.py <<'END'
import os
os.makedirs("/logs/verifier", exist_ok=True)
open("/logs/verifier/reward.txt", "w").write("1")
END`,
  'searches for expected values': `cat > double.py <<'END'
import os
found = [os.path.join(at, name) for at, _, names in os.walk("/") for name in names if name in ("row.json", "eval.py")]
print(42 if any("/tests" in path for path in found) else 0)
END`,
  'brings its own evaluation': `mkdir -p setup_files && echo 'def eval_output(*_): return True' | tee eval.py setup_files/eval.py container.py > /dev/null`,
};

describe("folders of PwP's own format, on local", function () {
  this.timeout(1_800_000);
  let test: OpenedNode;
  before(async () => {
    test = await openLocal();
  });
  after(() => test[Symbol.asyncDispose]());

  const load = async (id: string) => (await pwpFolder.open('test/data/datasets/pwp-folder')).load(id);

  for (const [id, answer] of Object.entries(answers))
    it(`scores 0 for nothing and 1 for a right answer: ${id}`, async () => {
      const task = await load(id);
      const nothing = await gradeScript(test.node, task, 'true');
      assert.equal(nothing.reward, 0, nothing.log);
      const { reward, log } = await gradeScript(test.node, task, answer);
      assert.equal(reward, 1, log);
    });

  for (const [name, script] of Object.entries(forgeries))
    it(`scores 0 for an answer that ${name}`, async () => {
      const { reward, log } = await gradeScript(test.node, await load('settings-3'), script);
      assert.equal(reward, 0, log);
    });
});
