import assert from 'node:assert/strict';
import { findCodeUses } from '../../../host/tasks/format/task.ts';

describe('tests that run the agent’s code beside them', () => {
  const runs: Readonly<Record<string, string>> = {
    'test.sh': 'cd /workspace\npytest -q',
    'a.sh': 'python3 /workspace/main.py',
    'b.sh': 'true && /workspace/run --all',
    'check.py': 'import sys\nsys.path.insert(0, "/workspace")\nimport shapes',
    'call.py': 'import subprocess\nsubprocess.run(["python3", "main.py"], cwd="/workspace")',
    'import.mjs': "const { area } = await import('/workspace/shapes.mjs');",
    'spawn.ts':
      "import { execSync } from 'node:child_process';\nexecSync('npm test', { cwd: '/workspace' });",
  };
  for (const [path, text] of Object.entries(runs))
    it(`are found: ${path}`, () => {
      const found = findCodeUses(`tests/${path}`, text);
      assert.ok(found.length > 0);
      assert.match(found[0] ?? '', new RegExp(`^tests/${path}:\\d: `));
    });

  it('are found in another workspace', () => {
    for (const [path, text] of Object.entries(runs)) {
      const moved = text.replaceAll('/workspace', '/testbed');
      assert.deepEqual(findCodeUses(path, moved), []);
      const [found = ''] = findCodeUses(path, moved, '/testbed');
      assert.equal(found, findCodeUses(path, text)[0]?.replaceAll('/workspace', '/testbed'));
    }
  });

  const looks: Readonly<Record<string, string>> = {
    'test.sh': 'exec /usr/bin/python3 -I -S /tests/check.py',
    'grep.sh': 'grep -qx done /workspace/a.txt && echo 1 > /logs/verifier/reward.txt',
    'away.sh': 'cd /workspace\nls\ncd /tests\npython3 -I -S check.py',
    'comment.sh': '# python3 /workspace/main.py would be unsafe\ncat /workspace/a.txt',
    'check.py': 'text = open("/workspace/main.py").read()\nast.parse(text)',
    'check.mjs': "await report([await samePython(new AgentFiles(), '/workspace/ledger.py', expected)]);",
  };
  for (const [path, text] of Object.entries(looks))
    it(`do not include those that only look: ${path}`, () => assert.deepEqual(findCodeUses(path, text), []));
});
