import assert from 'node:assert/strict';
import { type Task, withVariant } from '../../../host/tasks/index.ts';
import { type OpenedNode, openLocal } from '../../support/each-node.ts';
import { says } from '../../support/node-sandbox.ts';
import { agentSandbox } from '../grade/fixture.ts';
import { gradeScript, sampleTask } from './grade-answers.ts';

const rulers = `printf '{"editor.rulers": [72]}' > /home/ga/workspace/poems/.vscode/settings.json`;
const tabs = (size: number) =>
  `printf '{"editor.tabSize": ${size}}' > /home/ga/.config/Code/User/settings.json`;

/** By task: a script and the score that it must have. */
const answers: Readonly<Record<string, readonly (readonly [script: string, reward: number])[]>> = {
  fix_discount: [
    ['true', 0],
    ["sed -i 's/price + price/price - price/' discount.py", 1],
    ["sed -i 's/price + price/price - price/' /home/ga/workspace/shop/discount.py", 1],
    ["sed -i 's/100/50/' discount.py", 0.2],
    ['echo "raise SystemExit(0)" > discount.py', 0.2],
    // The workspace is graded, regardless of where the link leads by then.
    [
      'rm ~/workspace/shop && mkdir ~/workspace/shop && echo "def discount(*_): return 180.0" > ~/workspace/shop/discount.py',
      0,
    ],
    // Results that the agent made itself are gone before the export.
    [
      `mkdir -p /tmp && echo '{"modified": true, "found": ["180", "25"], "owner": "ga"}' > /tmp/shop_result.json`,
      0,
    ],
    ['rm -rf /workspace/* /workspace/.git ~/workspace', 0],
    ['rm -rf discount.py && ln -s /var/lib/shop/expected.json discount.py', 0],
    // The verifier's modules are its own, and the export's commands don't read the agent's start-up files.
    [
      "sed -i 's/price + price/price - price/' discount.py && printf 'def read_json(*_): return {}' > reading.py && printf 'exit 1' > ~/.profile",
      1,
    ],
  ],
  set_ruler: [
    ['true', 0],
    [`${rulers}\n${tabs(2)}`, 1],
    [`${rulers}\n${tabs(4)}`, 0.5],
    ['rm -rf .vscode && ln -s /tests .vscode', 0],
  ],
};

describe("Gym-Anything's tasks, on local", function () {
  this.timeout(1_800_000);
  let test: OpenedNode;
  before(async () => {
    test = await openLocal();
  });
  after(() => test[Symbol.asyncDispose]());

  const make = async (id: string): Promise<Task> =>
    withVariant(await sampleTask('gym-anything', id), { node: test.node });

  for (const [id, own] of Object.entries(answers))
    it(`scores nothing, right and wrong answers as the verifier of ${id} does`, async () => {
      const task = await make(id);
      assert.deepEqual(await task.leaks(), []);
      for (const [script, expected] of own) {
        const { reward, checks, log } = await gradeScript(test.node, task, script);
        assert.equal(reward, expected, `${script}\n${log}`);
        assert.equal(checks[0]?.passed ?? false, expected === 1, script);
      }
    });

  it('leaves no hint where the agent is: no script, no log, no history, no hidden file', async () => {
    const task = await make('fix_discount');
    await using sandbox = await agentSandbox(test.node, task);
    const hints = 'percentage is added|SECRET_BUG|verify_discount|setup_task|secret machine|/var/lib/shop';
    const places = '/workspace /root /home /ide /tmp /var /etc /opt/pwp /run /srv';
    assert.equal(await says(sandbox, `grep -rlE '${hints}' ${places} 2>/dev/null || true`), '');
    const traces =
      'ls -d /gym* /judge /var/lib/shop /workspace/scripts /workspace/tasks ~/.bash_history ~/*.log';
    assert.equal(await says(sandbox, `${traces} 2>/dev/null || true`), '');
    assert.equal(await says(sandbox, 'ls -A /tmp'), '');
    const seen =
      'ls /home/ga/workspace/shop && git -C /workspace log --format=%s && cat /ide/data/User/settings.json';
    assert.match(await says(sandbox, seen), /^discount\.py\ntests\nBegin the shop\n.*"afterDelay"/s);
  });

  it('gives no score if the verifier asks a vision model, and 0 where it does not get so far', async () => {
    const task = await make('look_at_note');
    const nothing = await gradeScript(test.node, task, 'true');
    assert.equal(nothing.reward, 0, nothing.log);
    await assert.rejects(gradeScript(test.node, task, 'echo done > note.txt'), {
      code: 'grading-failed',
      message: /asks a vision model \(query_vlm\)/,
    });
  });

  const refused: Readonly<Record<string, readonly [code: string, message: RegExp]>> = {
    import_package: ['unsupported', /Python: unobtainable-words, Python: unobtainable_letters/],
    ask_server: ['unsupported', /programs that its set-up starts: .*python3 -c/],
    break_set_up: ['bad-data', /exit code 3: .*the archive is damaged/],
  };
  for (const [id, [code, message]] of Object.entries(refused))
    it(`refuses a task that can't be set up here, with the reason: ${id}`, async () => {
      await assert.rejects(make(id), { code, message });
    });
});
