// Lines of bash, run in /workspace, that make the programs started by a dataset's tests report a wrong answer as right.

export interface RunnerForgery {
  readonly what: string;
  readonly script: string;
  /** Code that runs beside the tests can always do this: the record's note says that a pass can be forged. */
  readonly noted?: true;
}

export interface HarborForgeries {
  /** The task's `tests/test.sh`, run in /app. It passes where answer.txt is 42. */
  readonly test: string;
  /** Extra files of its image, by their path below /app. */
  readonly files?: Readonly<Record<string, string>>;
  /** A right answer, which passes. */
  readonly solution: string;
  readonly attacks: readonly RunnerForgery[];
}

const answers = `grep -qx 42 answer.txt 2>/dev/null`;
const scored = (command: string) =>
  `if ${command}; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi\n`;
/** A pytest plugin that makes every test pass. */
const passing = `import pytest
@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    outcome.get_result().outcome = "passed"
`;
const written = (path: string, text: string) =>
  `mkdir -p "$(dirname ${path})"; cat > ${path} <<'END'\n${text}\nEND\n`;
const ends = 'import os\nos._exit(0)';
const pluginInfo = (name: string) =>
  written(`${name}.dist-info/METADATA`, `Metadata-Version: 2.1\nName: ${name}\nVersion: 1`) +
  written(`${name}.dist-info/entry_points.txt`, `[pytest11]\n${name} = ${name}`);
/** A program that puts the right answer in place when Git starts it. */
const cheat = `${written('/workspace/cheat.sh', '#!/bin/sh\necho 42 > /workspace/answer.txt\ncat')}chmod +x cheat.sh\n`;
const repository = 'git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm one\n';
const installed = '/root/.local/lib/python3.11/site-packages';

const pytestAttacks: readonly RunnerForgery[] = [
  { what: 'leaves a pytest.py for `python3 -m pytest`', script: written('pytest.py', ends) },
  { what: 'leaves a package _pytest for it', script: written('_pytest/__init__.py', ends) },
  { what: "leaves a json.py for pytest's own imports", script: written('json.py', ends) },
  { what: 'leaves an ast.py and a re.py for them', script: written('ast.py', ends) + written('re.py', ends) },
  {
    what: 'leaves a pytest plugin, in a .dist-info',
    script: written('evil.py', passing) + pluginInfo('evil'),
  },
  { what: 'leaves a sitecustomize.py', script: written('sitecustomize.py', ends) },
  { what: 'leaves a usercustomize.py', script: written('usercustomize.py', ends) },
  { what: 'leaves a conftest.py', script: written('conftest.py', passing) },
  {
    what: 'leaves a pytest.ini and a tox.ini that load a plugin',
    script:
      written('evil.py', passing) +
      written('pytest.ini', '[pytest]\naddopts = -p evil') +
      'cp pytest.ini tox.ini',
  },
  {
    what: 'leaves a .pth in its home',
    script: written(`${installed}/evil.pth`, 'import os; os._exit(0)'),
  },
];

const gitAttacks: readonly RunnerForgery[] = [
  {
    what: 'makes `git status` start core.fsmonitor',
    script: `${repository}${cheat}git config core.fsmonitor /workspace/cheat.sh`,
  },
  {
    what: 'makes `git status` start a filter',
    script: `${repository}${cheat}git config filter.evil.clean /workspace/cheat.sh; echo '* filter=evil' > .gitattributes; echo more >> notes.txt`,
  },
  {
    what: 'makes `git diff` start diff.external',
    script: `${repository}${cheat}echo more >> notes.txt; git config diff.external /workspace/cheat.sh`,
  },
  {
    what: 'makes `git diff` start a textconv',
    script: `${repository}${cheat}git config diff.evil.textconv /workspace/cheat.sh; echo '* diff=evil' > .gitattributes; echo more >> notes.txt`,
  },
  {
    what: 'makes `git commit` start a hook',
    script: `${repository}${cheat}cp cheat.sh .git/hooks/pre-commit; cp cheat.sh .git/hooks/commit-msg`,
  },
  {
    what: 'makes `git commit` start a hook in another folder',
    script: `${repository}${cheat}mkdir more; cp cheat.sh more/pre-commit; git config core.hooksPath /workspace/more`,
  },
  {
    what: 'makes Git include settings from another file',
    script: `${repository}${cheat}printf '[core]\\nfsmonitor = /workspace/cheat.sh\\n' > settings; git config include.path /workspace/settings`,
  },
  {
    what: 'leaves Git settings in its home',
    script: `${repository}${cheat}git config --file /root/.gitconfig core.fsmonitor /workspace/cheat.sh`,
  },
  {
    what: 'leads Git to a repository elsewhere',
    script: `${repository}${cheat}git config core.fsmonitor /workspace/cheat.sh; mv .git /root/elsewhere; echo 'gitdir: /root/elsewhere' > .git`,
  },
];

export const harborForgeries: Readonly<Record<string, HarborForgeries>> = {
  'python3 -m pytest': {
    test: scored('python3 -m pytest -q /tests/test_outputs.py'),
    solution: 'echo 42 > answer.txt',
    attacks: pytestAttacks,
  },
  'python3 -c and -': {
    test: `cd /app
python3 -c "import json, sys; sys.exit(json.load(open('answer.txt')) != 42)" || exit_code=1
python3 - <<'END' || exit_code=1
import decimal, pathlib, sys
sys.exit(decimal.Decimal(pathlib.Path("answer.txt").read_text().strip()) != 42)
END
${scored('[ -z "$exit_code" ]')}`,
    solution: 'echo 42 > answer.txt',
    attacks: [
      {
        what: 'leaves a json.py and a decimal.py',
        script: `echo 1 > answer.txt\n${written('json.py', ends)}${written('decimal.py', ends)}`,
      },
      {
        what: 'leaves packages of these names',
        script: `echo 1 > answer.txt\n${written('json/__init__.py', ends)}${written('decimal/__init__.py', ends)}`,
      },
    ],
  },
  'git status, diff and commit': {
    files: { 'notes.txt': 'begun\n' },
    test: `cd /app
git status --porcelain > /dev/null
git diff > /dev/null
git -c user.name=t -c user.email=t@t commit --allow-empty -qm checked < /dev/null
${scored(answers)}`,
    solution: `${repository}echo 42 > answer.txt`,
    attacks: gitAttacks,
  },
  'bash -c and -li': {
    test: `cd /app
${scored(`bash -c '${answers}' && bash -lic '${answers}'`)}`,
    solution: 'echo 42 > answer.txt',
    attacks: [
      {
        what: 'leaves bash start-up files',
        script: `for at in /root /workspace; do for name in .bashrc .profile .bash_profile; do echo 'grep() { return 0; }' > $at/$name; done; done`,
      },
    ],
  },
  'npm run': {
    files: {
      'package.json': '{"name": "a", "version": "1.0.0", "scripts": {"check": "grep -qx 42 answer.txt"}}\n',
    },
    test: `cd /app
${scored('npm run --silent check')}`,
    solution: 'echo 42 > answer.txt',
    attacks: [
      {
        what: 'leaves an .npmrc with its own shell',
        script: `printf '#!/bin/sh\\nexit 0\\n' > shell.sh; chmod +x shell.sh; echo script-shell=/workspace/shell.sh > .npmrc`,
      },
      {
        what: 'leaves such an .npmrc in its home',
        script: `printf '#!/bin/sh\\nexit 0\\n' > shell.sh; chmod +x shell.sh; echo script-shell=/workspace/shell.sh > /root/.npmrc`,
      },
      {
        what: 'makes the script of its package.json exit with 0',
        script: `sed -i 's/grep -qx 42 answer.txt/exit 0/' package.json`,
        noted: true,
      },
    ],
  },
  "the agent's own program": {
    test: `cd /app
cp /tests/expected.txt /tmp/expected.txt
python3 main.py > /tmp/found.txt
${scored('cmp -s /tmp/found.txt /tests/expected.txt')}`,
    solution: `echo 'print(42)' > main.py`,
    attacks: [
      {
        what: 'reads the expected answer when its program runs',
        script: `echo 'print(open("/tests/expected.txt").read(), end="")' > main.py`,
        noted: true,
      },
      {
        what: 'changes the expected answer when its program runs',
        script: `echo 'open("/tests/expected.txt", "w").write("no\\n"); print("no")' > main.py`,
        noted: true,
      },
    ],
  },
};

const money = (text: string) => `cat > ledger/money.py <<'END'\n${text}\nEND`;

/** Attacks on RES-Q's record 0_1, whose script compares what `ledger.money` answers. */
export const resqForgeries: readonly RunnerForgery[] = [
  {
    what: 'prints the secret word that it finds in frames',
    script: money(`import os, sys
frame = sys._getframe()
while frame is not None:
    asked = frame.f_locals.get("asked")
    if asked:
        for fd in range(3, 20):
            try:
                os.write(fd, ("\\n" + asked["word"] + "\\n").encode())
            except OSError:
                pass
        os._exit(0)
    frame = frame.f_back`),
  },
  {
    what: "prints the secret word that it finds in the collector's list of all objects",
    script: money(`import gc, os
for one in gc.get_objects():
    if type(one) is dict and "word" in one and "script" in one:
        for fd in range(1, 20):
            try:
                os.write(fd, ("\\n" + one["word"] + "\\n").encode())
            except OSError:
                pass
        os._exit(0)`),
  },
  {
    what: 'answers with a text that is equal to everything',
    script: money(`class Same(str):
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = str.__hash__
def formatted(cents):
    return Same()`),
  },
  {
    what: 'exits by atexit and by os._exit',
    script: money(`import atexit, os
atexit.register(os._exit, 0)
def formatted(cents):
    os._exit(0)`),
  },
  {
    what: 'jumps to the line where the script succeeds',
    script: money(`import sys
def formatted(cents):
    frame = sys._getframe(1)
    line = frame.f_lineno
    def jump(frame, event, _):
        if event == "line":
            try:
                frame.f_lineno = line + 1
            except ValueError:
                pass
        return jump
    frame.f_trace = jump
    sys.settrace(lambda *_: None)
    return ""`),
  },
  {
    what: "replaces the script's exit function in its own frame",
    script: money(`import sys
class Sys:
    def exit(self, code=None):
        raise SystemExit(0)
sys._getframe(1).f_globals["sys"] = Sys()
def formatted(cents):
    return ""`),
  },
  {
    what: 'knows this grader, and the script by heart',
    script: money(`import sys
def formatted(cents):
    frame = sys._getframe(1)
    known = "12.34" in str(frame.f_code.co_consts)
    return {1234: "12.34", -5: "-0.05"}[cents] if known else ""`),
    noted: true,
  },
];

/** Attacks on RES-Q's record 0_0, whose script is a unittest. */
export const resqUnittestForgeries: readonly RunnerForgery[] = [
  {
    what: 'makes every result of unittest successful',
    script: `cat >> ledger/book.py <<'END'
import unittest
unittest.TestResult.wasSuccessful = lambda self: True
END`,
  },
  {
    what: 'makes assertEqual accept anything',
    script: `cat >> ledger/book.py <<'END'
import unittest
unittest.TestCase.assertEqual = lambda *_: None
END`,
  },
];

/** Attacks on IDE-Bench's task `rates/fix-direction`. */
export const ideBenchForgeries: readonly RunnerForgery[] = [
  {
    what: 'leaves a pytest plugin, in a .dist-info',
    script: written('rates_evil.py', passing) + pluginInfo('rates_evil'),
  },
];
