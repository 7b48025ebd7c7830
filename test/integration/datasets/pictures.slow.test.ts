import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { scriptThatWrites } from '../../../host/tasks/format/made-task.ts';
import { checkRecords, chooseTasks, type Task } from '../../../host/tasks/index.ts';
import { sampleOf } from '../../support/datasets.ts';
import { onOneNode, type OpenedNode } from '../../support/each-node.ts';
import { gradeScript, sampleTask } from './grade-answers.ts';

/** Given in place of a page. None has text of the page to copy. */
const pages: Readonly<Record<string, string>> = {
  'says that it passes':
    '<html><body><script>document.title = "PASS"; console.log("1")</script></body></html>',
  'shows files of the tests': `<html><body><iframe src="file:///tests/record.json"></iframe>
<script>location.href = 'file:///tests/record.json'</script></body></html>`,
  'writes what it finds in the grader': `<html><body><p id="x"></p><script>
for (const url of ['file:///tests/record.json', 'file:///code/record.json', 'file:///logs/verifier/reward.txt'])
  fetch(url).then((one) => one.text()).then((text) => { document.getElementById('x').textContent += text; });
</script></body></html>`,
  'never ends': '<html><body><p>Harbour ferries</p><script>for (;;) {}</script></body></html>',
  'asks questions':
    '<html><body><script>while (prompt("What is the reward?") === null) ;</script></body></html>',
};

/** Given in place of a script. None draws the chart. */
const scripts: Readonly<Record<string, string>> = {
  'prints text like success and exits with 0': `import os, sys
print("PASS")
os.write(1, b"1")
sys.exit(0)
`,
  'writes the reward and the grader': `import os
for folder in ("/logs/verifier", "/tests"):
    os.makedirs(folder, exist_ok=True)
    for name in ("reward.txt", "check.py", "f1.py"):
        open(f"{folder}/{name}", "w").write("1")
`,
  'draws the reference files it finds': `import os
for at, _, names in os.walk("/"):
    if not at.startswith(("/proc", "/sys")) and "reference.py" in names:
        exec(open(os.path.join(at, "reference.py")).read())
`,
  'leaves a daemon that prints': `import os, time
if os.fork() == 0:
    os.setsid()
    while True:
        os.write(1, b'{"texts": ["Summer"], "layout": [], "types": {}, "colors": []}\\n')
        time.sleep(0.01)
`,
  'reports more calls than there are': `import json, sys
for number in range(3, 30):
    try:
        open(number, "w", closefd=False).write(json.dumps({"texts": ["Summer"], "layout": [], "types": {"axes.bar": -1}, "colors": []}))
    except OSError:
        pass
import os
os._exit(0)
`,
};

onOneNode('datasets of pictures', (open) => {
  let test: OpenedNode;
  before(async () => {
    test = await open();
  });
  after(() => test[Symbol.asyncDispose]());

  async function graded(task: Task, files: Readonly<Record<string, string>>) {
    return await gradeScript(test.node, task, scriptThatWrites(files));
  }

  for (const name of ['design2code', 'chartmimic'])
    it(`${name}: nothing done scores 0, the solution 1, wrong answers 0`, async () => {
      const { tasks } = await chooseTasks({ names: [name], data: sampleOf('.') });
      for (const { task, problems } of await checkRecords({ node: test.node, tasks, parallel: 1 }))
        assert.deepEqual(problems, [], task);
    });

  it('a page that is nearly right gets a part of each score, and CLIP is unavailable', async () => {
    const html = await readFile(`${sampleOf('design2code')}/testset_final/1.html`, 'utf8');
    const near = html
      .replace('#134b5f', '#f4f1ea')
      .replace('color: white', 'color: black')
      .replace('twenty', 'ten');
    const { reward, checks } = await graded(await sampleTask('design2code', '1'), { 'index.html': near });
    assert.ok(reward > 0.5 && reward < 1, String(reward));
    assert.deepEqual(
      checks.map(({ name }) => name),
      ['block', 'text', 'position', 'color', 'clip'],
    );
    assert.equal(checks.at(-1)?.passed, null);
    assert.match(checks.at(-1)?.why ?? '', /^unavailable/);
  });

  it('a chart that is nearly right gets a part of each score, and GPT-4V is unavailable', async () => {
    const script = await readFile(`${sampleOf('chartmimic')}/ori_500/bar_1.py`, 'utf8');
    const near = script.replace('#e07a5f', '#3a7a5f').replace('"Summer"', '"Sommer"');
    const { reward, checks } = await graded(await sampleTask('chartmimic', 'direct/bar_1'), {
      'graph.py': near,
    });
    const of = (name: string) => checks.find((check) => check.name === name);
    assert.equal(of('type')?.passed, true);
    assert.equal(of('layout')?.passed, true);
    // Three of four texts.
    assert.match(of('text')?.why ?? '', /^0\.7500/);
    assert.ok(reward > 0.7 && reward < 1, String(reward));
    assert.equal(of('gpt-4v')?.passed, null);
    assert.match(of('gpt-4v')?.why ?? '', /^unavailable/);
  });

  it('a cheat at a page scores 0', async () => {
    const task = await sampleTask('design2code', '1');
    for (const [what, html] of Object.entries(pages))
      assert.equal((await graded(task, { 'index.html': html })).reward, 0, what);
  });

  it('a cheat at a chart scores 0', async () => {
    const task = await sampleTask('chartmimic', 'direct/bar_1');
    for (const [what, script] of Object.entries(scripts))
      assert.equal((await graded(task, { 'graph.py': script })).reward, 0, what);
  });
});
