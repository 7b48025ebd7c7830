import assert from 'node:assert/strict';
import { onOneNode, type OpenedNode } from '../../support/each-node.ts';
import { says } from '../../support/node-sandbox.ts';
import { slowIt } from '../../support/slow.ts';
import { agentSandbox, gradeOf, taskWithTests } from './fixture.ts';

/** Calls `double` in the agent's Python, which must return 2, 4 and 2.5. */
const pythonTests = `mkdir -p /logs/verifier
echo a-secret > /tests/expected.txt
exec /usr/bin/python3 -I -S - <<'END'
import sys
sys.path.insert(0, "/opt/pwp/grade")
from pwp_checks import Left, answers_of, check, report, same_answers

left, asked, wanted = Left(), [1, 2, 1.25], [2, 4, 2.5]
driver = "from double import double\\n\\ndef answer(question):\\n    return double(question)\\n"
answers = lambda: answers_of({"double.py": left.read("double.py")}, driver, asked, 3)
report([check("double", lambda: same_answers(answers(), wanted, asked))])
END`;

/** The code changes its copy, and leaves a file and a link. */
const folderTests = `mkdir -p /logs/verifier /data/in
printf given > /data/in/file
exec /usr/bin/python3 -I -S - <<'END'
import sys
sys.path.insert(0, "/opt/pwp/grade")
from pwp_checks import check, report, run_code

script = 'test ! -e /tests && mkdir /out && printf "from %s" "$(cat in/file)" > /out/file && ln -s file /out/link && echo other > in/file'
more = {"folders": ["/data"], "cwd": "/data", "results": ["/out/file", "/out/link"]}
ran = run_code({}, ["/bin/sh", "-c", script], **more)
found = [*ran["results"].values(), open("/data/in/file").read()]
report([check("copy", lambda: ", ".join(map(repr, found)))])
END`;

const nodeTests = `mkdir -p /logs/verifier
cat > /tests/check.mjs <<'END'
import { AgentFiles, answersRight, failed, report } from '/opt/pwp/grade/checks.mjs';

const read = await new AgentFiles().read('/workspace/double.mjs', 100_000);
const files = { 'double.mjs': read.kind === 'read' ? Buffer.from(read.bytes).toString() : '' };
const driver = "export { double as answer } from './double.mjs';";
const [questions, answers] = [[1, 2, 1.25], [2, 4, 2.5]];
await report([await answersRight({ name: 'double', files, driver, questions, answers, seconds: 3 })]);
END
exec /opt/node/bin/node /tests/check.mjs`;

/** Reaches the real builtins from any function, even if the text must not name them. */
const builtins = `def frames():
    found = (frame for frame in [0])
    return found.gi_frame.f_builtins if found.gi_frame else __builtins__
get = frames()
loaded, opened = get["__import__"], get["open"]
`;
const forge = `os = loaded("os")
os.makedirs("/logs/verifier", exist_ok=True)
opened("/logs/verifier/checks.json", "w").write('[{"name": "double", "passed": true, "why": "forged"}]')
opened("/logs/verifier/reward.txt", "w").write("1")
`;
const wrong = 'def double(x):\n    return 3\n';
const right = 'def double(x):\n    return x * 2\n';

/** Code with no right answer, each with another way to score anyway. */
const pythonForgeries: Readonly<Record<string, string>> = {
  'is wrong': wrong,
  'writes the reward and exits with 0': `${builtins}${forge}os._exit(0)\n`,
  'writes the reward and is killed': `${builtins}${forge}os.kill(os.getpid(), 9)\n`,
  'kills all that it can see': 'import os\nos.kill(-1, 9)\n',
  'writes the reward again and again in the background': `${builtins}${forge}
if os.fork() == 0:
    os.setsid()
    for _ in range(10**9):
        opened("/logs/verifier/reward.txt", "w").write("1")
${wrong}`,
  'looks for the expected answers': `import os
def double(x):
    for at, _, names in os.walk("/"):
        if at.startswith(("/proc", "/sys")):
            continue
        for name in names:
            if name in ("expected.txt", "reward.txt", "pwp_checks.py", "checks.mjs", "request.json"):
                return 2 * x
    return 3
`,
  'looks for the tests in other processes': `import os
def double(x):
    for pid in os.listdir("/proc"):
        if pid.isdigit():
            with open(f"/proc/{pid}/cmdline") as file:
                if "/tests" in file.read() or os.path.exists(f"/proc/{pid}/root/tests"):
                    return 2 * x
    return 3
`,
  'answers with infinity': 'def double(x):\n    return float("inf")\n',
  'answers with no number': 'def double(x):\n    return float("nan")\n',
  'answers with a number that no float holds': 'def double(x):\n    return 10**400\n',
  'answers with an object that claims to be equal': `class Same(float):
    def __eq__(self, other): return True
    def __sub__(self, other): return 0
def double(x):
    return Same(3)
`,
  'prints its own answers': 'import os\nos.write(1, b"[2, 4]")\nos._exit(0)\n',
  'prints more than its answers': 'print("[2, 4, 2.5]")\ndef double(x):\n    return 3\n',
  'prints without end': 'while True:\n    print("2" * 10**6)\n',
  'nests its answer without end': 'import os\nos.write(1, b"[" * 100_000)\nos._exit(0)\n',
  'nests its answers as deep as they can be read':
    'import os\nos.write(1, ("[" + ",".join(["[" * 900 + "]" * 900] * 3) + "]").encode())\nos._exit(0)\n',
  'never ends': 'while True:\n    pass\n',
  'takes all memory': 'a = [bytearray(10**8) for _ in range(10**6)]\n',
  'forks without end': `import os
while True:
    try:
        os.fork()
    except OSError:
        pass
`,
};

const nodeForgeries: Readonly<Record<string, string>> = {
  'is wrong': 'export const double = () => 3;\n',
  'writes the reward and exits with 0': `import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('/logs/verifier', { recursive: true });
writeFileSync('/logs/verifier/reward.txt', '1');
process.exit(0);
export const double = () => 3;
`,
  'answers with infinity': 'export const double = () => ({ toJSON: () => 1e999 });\n',
  'prints numbers without end':
    "import { writeSync } from 'node:fs';\nwriteSync(1, '[1e999,1e999,1e999]');\nprocess.exit(0);\nexport const double = 0;\n",
  'nests its answers too deep to print':
    "import { writeSync } from 'node:fs';\nconst deep = '['.repeat(50_000) + ']'.repeat(50_000);\nwriteSync(1, `[${deep},${deep},${deep}]`);\nprocess.exit(0);\nexport const double = 0;\n",
  'looks for the expected answers': `import { existsSync } from 'node:fs';
const known = ['/tests', '/logs', '/opt/pwp/grade'].some((path) => existsSync(path));
export const double = (x) => (known ? 2 * x : 3);
`,
  'changes the prototype of all objects': `Object.prototype.toJSON = () => 2;
Array.prototype.push = function () { this[0] = 2; return 1; };
export const double = () => ({});
`,
};

/** The attacks that `npm test` tries. */
const quick = [
  'writes the reward and exits with 0',
  'kills all that it can see',
  'looks for the expected answers',
];

onOneNode('code that tests call', (open) => {
  let test: OpenedNode;
  before(async () => {
    test = await open();
  });
  after(() => test[Symbol.asyncDispose]());

  async function score(tests: string, file: string, text: string) {
    await using task = await taskWithTests(tests, 60);
    await using sandbox = await agentSandbox(test.node, task);
    await says(sandbox, `cat > /workspace/${file} <<'END'\n${text}END`);
    const { reward, checks, log } = await gradeOf(test.node, sandbox, task);
    assert.equal(checks.length, 1, log);
    return { reward, why: checks[0]?.why ?? '' };
  }

  it('passes if it is right, in Python and in Node.js', async () => {
    const python = await score(pythonTests, 'double.py', right);
    assert.deepEqual(python, { reward: 1, why: 'answers 3 questions as expected' });
    const node = await score(nodeTests, 'double.mjs', 'export const double = async (x) => 2 * x;\n');
    assert.deepEqual(node, { reward: 1, why: 'answers 3 questions as expected' });
  });

  for (const [what, text] of Object.entries(pythonForgeries))
    (quick.includes(what) ? it : slowIt)(`scores 0 if its Python ${what}`, async () => {
      const { reward, why } = await score(pythonTests, 'double.py', text);
      assert.equal(reward, 0, why);
      assert.doesNotMatch(why, /forged|as expected/);
    });

  for (const [what, text] of Object.entries(nodeForgeries))
    (what === quick[0] ? it : slowIt)(`scores 0 if its JavaScript ${what}`, async () => {
      const { reward, why } = await score(nodeTests, 'double.mjs', text);
      assert.equal(reward, 0, why);
    });

  for (const [what, characters] of [
    ['is larger than the read limit', 5_000_000],
    ['is larger than a request may be in JSON', 1_900_000],
  ] as const)
    slowIt(`scores 0 if its Python ${what}`, async () => {
      await using task = await taskWithTests(pythonTests, 60);
      await using sandbox = await agentSandbox(test.node, task);
      const write = `open("/workspace/double.py", "w").write("#" + chr(1) * ${characters})`;
      await says(sandbox, `python3 -c '${write}'`);
      const { reward, log } = await gradeOf(test.node, sandbox, task);
      assert.equal(reward, 0, log);
    });

  it('runs on a copy of a folder, and its results are read from outside', async () => {
    await using task = await taskWithTests(folderTests, 60);
    await using sandbox = await agentSandbox(test.node, task);
    const { reward, checks, log } = await gradeOf(test.node, sandbox, task);
    assert.equal(reward, 1, log);
    assert.equal(checks[0]?.why, "b'from given', None, 'given'");
  });

  it('leaves no sandbox behind', async () => {
    const own = (await test.node.list()).filter(({ owner }) => owner.pid === process.pid);
    assert.deepEqual(own, []);
  });
});
