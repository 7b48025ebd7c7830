import assert from 'node:assert/strict';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gymAnything } from '../../../host/tasks/datasets/gym-anything/gym-anything.ts';
import type { RunVariant } from '../../../host/tasks/format/make-variant.ts';
import { chooseTasks, type Task } from '../../../host/tasks/index.ts';
import { graderSays, sampleOf } from '../../support/datasets.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { useOwnHome } from '../../support/own-home.ts';
import { readArchive } from '../tasks/read-archive.ts';

const data = sampleOf('gym-anything');
const load = async (id: string): Promise<Task> => (await gymAnything.open(data)).load(id);

const owned = { mode: 0o644, uid: 1000, gid: 1000 };
const file = (path: string, text: string, mode = 0o644) => ({
  ...{ ...owned, path, mode },
  kind: 'file',
  content: Buffer.from(text).toString('base64'),
});
const poem = 'A line of a poem that is long enough to be measured against a ruler\n';

/** What a set-up of `set_ruler` leaves. */
const left = {
  ...{ code: 0, log: '', running: [], lacks: [], project: 'poems', open: ['poem.txt', 'none.txt'] },
  home: [
    { ...owned, path: 'workspace', kind: 'folder' },
    { ...owned, path: 'workspace/poems', kind: 'folder' },
    file('workspace/poems/poem.txt', poem),
    file('workspace/poems/run.sh', 'true\n', 0o755),
    { ...owned, path: 'workspace/poems/first', kind: 'link', target: 'poem.txt' },
    file('workspace/other/notes.txt', 'beside\n'),
    file('.config/Code/User/settings.json', '{"files.autoSave": "afterDelay"}'),
    file('.config/Code/User/keybindings.json', '[{"key": "ctrl+j", "command": "undo"}]'),
    file('.gitconfig', '[user]\n'),
  ],
  elsewhere: [file('/var/lib/hidden.txt', 'the answer\n')],
  export: { code: 0, found: true, log: '' },
};

function answering(answer: object): RunVariant {
  return () => Promise.resolve({ answer: Buffer.from(JSON.stringify(answer)) });
}

async function makeTask(id: string, answer: object = left): Promise<Task> {
  const task = await load(id);
  assert.ok(task.make);
  return await task.make(answering(answer));
}

/** Texts of files, and targets of links, by path below a place of the agent's. */
async function filesAt(task: Task, place: string): Promise<Map<string, unknown>> {
  const seed = (await task.seeds()).find(({ path }) => path === place);
  return seed && seed.tar instanceof Uint8Array ? await readArchive(seed.tar) : new Map();
}

describe("the loader of Gym-Anything's tasks", () => {
  it('reads the environment, also in its repository, and names the tasks that it leaves out', async () => {
    await using folder = await temporaryFolder();
    const deep = join(folder.path, 'benchmarks/cua_world/environments');
    await mkdir(deep, { recursive: true });
    await cp(join(data, 'vscode_env'), join(deep, 'vscode_env'), { recursive: true });
    for (const path of [data, join(data, 'vscode_env'), folder.path]) {
      const { ids, lacking } = await gymAnything.open(path);
      assert.equal(ids.length, 7);
      assert.deepEqual(Object.fromEntries(lacking ?? []), {
        finish_note: 'verifier.py is missing',
        look_at_note: 'its verifier asks a vision model, which is not here',
      });
    }
  });

  it('refuses another environment, a task without its function, and one that is judged in another way', async () => {
    await using folder = await temporaryFolder();
    const own = join(folder.path, 'vscode_env');
    await cp(join(data, 'vscode_env'), own, { recursive: true });
    const change = async (path: string, from: string, to: string) => {
      const text = await readFile(join(own, path), 'utf8');
      await writeFile(join(own, path), text.replace(from, to));
    };
    await change('tasks/set_ruler/task.json', '"program"', '"image_match"');
    await change('tasks/fix_discount/verifier.py', 'def verify_discount', 'def verify');
    await change('tasks/import_package/verifier.py', 'env_info["copy_from_env"]', 'print');
    await change('tasks/ask_server/task.json', '"description"', '"about"');
    const { lacking } = await gymAnything.open(folder.path);
    assert.match(lacking?.get('set_ruler') ?? '', /it is judged by image_match/);
    assert.match(lacking?.get('fix_discount') ?? '', /verifier\.py has no function verify_discount/);
    assert.match(lacking?.get('import_package') ?? '', /looks at nothing that the agent leaves/);
    assert.match(lacking?.get('ask_server') ?? '', /task\.json: description/);
    await change('env.json', 'vscode_env@', 'other_env@');
    await assert.rejects(gymAnything.open(folder.path), { code: 'bad-data', message: /env\.json: id/ });
  });

  it('gives a task with its limits before it is made; an incomplete one never', async () => {
    const task = await load('fix_discount');
    assert.equal(task.id, 'gym-anything/fix_discount');
    assert.match(
      task.instruction,
      /^The shop in .*\n\n`\/home\/ga` is your home\..* `\/workspace` as well\.$/s,
    );
    assert.equal(task.config.agent.timeout_sec, 600);
    const { difficulty, max_steps: steps, pass_threshold: threshold, ...others } = task.config.metadata;
    assert.deepEqual([difficulty, steps, threshold], ['hard', 40, 60]);
    assert.deepEqual([others['owners_difficulty'], others['occupation']], ['very_hard', 'Developer']);
    await assert.rejects(task.seeds(), { code: 'variant-not-made', message: /has a setup_task\.sh/ });
    await assert.rejects(load('finish_note'), { code: 'no-data' });
    await assert.rejects(load('x'), { code: 'no-such-record' });
    const { tasks } = await chooseTasks({ names: ['gym-anything'], data, ids: ['look_at_note'] });
    assert.equal(tasks.length, 1);
  });
});

describe('a task of Gym-Anything that is made', () => {
  useOwnHome();

  it("has the project as the workspace, the owners' home as its home, and their settings", async () => {
    const task = await makeTask('set_ruler');
    assert.deepEqual([...(await filesAt(task, '/workspace')).keys()].toSorted(), [
      'first',
      'poem.txt',
      'run.sh',
    ]);
    assert.deepEqual([...(await filesAt(task, '/')).keys()], ['home/ga']);
    const home = [...(await filesAt(task, '/root')).keys()].map((path) => path.replace(/\/$/, '')).toSorted();
    assert.deepEqual(home, [
      '.config/Code/User',
      '.gitconfig',
      'workspace',
      'workspace/other/notes.txt',
      'workspace/poems',
    ]);
    const { settings, keybindings, open, known_inside: known, agent_code: where } = task.config.pwp;
    assert.deepEqual(settings, { 'files.autoSave': 'afterDelay' });
    assert.deepEqual(keybindings, [{ key: 'ctrl+j', command: 'undo' }]);
    assert.deepEqual(open, ['poem.txt']);
    const shared = ['scripts', 'config', 'utils'].map((name) => `tests/owners/workspace/${name}`);
    assert.deepEqual(known, [...shared, 'tests/owners/workspace/tasks/set_ruler/poem.txt']);
    assert.equal(where, 'beside');
    assert.deepEqual(await task.leaks(), []);
  });

  it('has the home where its owners have it, and no link to it, in an image that is named', async () => {
    const asked: (string | undefined)[] = [];
    const run: RunVariant = (program) => {
      asked.push(program.root);
      return answering(left)(program);
    };
    const { tasks } = await chooseTasks({ names: ['gym-anything'], data, ids: ['set_ruler'] });
    const task = await tasks[0]?.make?.(run, 'made:1');
    assert.ok(task);
    assert.deepEqual(asked, ['made:1']);
    assert.equal(task.config.pwp.image, 'made:1');
    assert.deepEqual(task.config.pwp.graded_folders, ['/home/ga']);
    assert.deepEqual([...(await filesAt(task, '/root')).keys()], []);
    const files = [...(await filesAt(task, '/')).keys()];
    assert.ok(
      files.includes('home/ga/.gitconfig') && files.includes('home/ga/workspace/poems'),
      files.join(),
    );
  });

  it('is played in the image of the environment: the one that it names, or that of its Dockerfile', async () => {
    await using folder = await temporaryFolder();
    const own = join(folder.path, 'vscode_env');
    await cp(join(data, 'vscode_env'), own, { recursive: true });
    await writeFile(join(own, 'Dockerfile'), 'FROM debian:12\nCOPY . /\n');
    const imageOf = async () =>
      (await (await gymAnything.open(folder.path)).load('set_ruler')).config.pwp.image ?? '';
    const built = await readdir(await imageOf());
    assert.ok(built.includes('Dockerfile') && built.includes('scripts') && !built.includes('tasks'));
    const environment = JSON.parse(await readFile(join(own, 'env.json'), 'utf8')) as object;
    await writeFile(join(own, 'env.json'), JSON.stringify({ ...environment, image: 'owner/vscode:1' }));
    assert.equal(await imageOf(), 'owner/vscode:1');
    await writeFile(join(own, 'env.json'), JSON.stringify({ ...environment, image: '/etc' }));
    await assert.rejects(gymAnything.open(folder.path), { code: 'bad-data', message: /env\.json: image/ });
  });

  it('keeps verifier and hidden files for its tests, and the set-up for nothing', async () => {
    const task = await makeTask('set_ruler');
    const tests = (await task.testSeeds()).find(({ path }) => path === '/tests');
    const names = [...(await readArchive(tests?.tar ?? new Uint8Array())).keys()];
    const own = 'owners/workspace/tasks/set_ruler';
    for (const name of [`${own}/verifier.py`, `${own}/export_result.sh`, 'state.json', 'check.py', 'test.sh'])
      assert.ok(names.includes(name), name);
    assert.deepEqual(
      names.filter((name) => name.includes('setup_task')),
      [],
    );
  });

  it('is the folder of all projects if VS Code is opened with none', async () => {
    const task = await makeTask('set_ruler', { ...left, project: null, open: [] });
    assert.ok((await filesAt(task, '/workspace')).has('poems/poem.txt'));
    assert.ok((await filesAt(task, '/root')).has('workspace'));
  });

  const wrong: Record<string, [answer: object, code: string, message: RegExp]> = {
    'needs what the image lacks': [
      { lacks: ['Python: words'] },
      'unsupported',
      /does not have: Python: words/,
    ],
    'has programs running': [{ running: ['python3 server.py'] }, 'unsupported', /starts: python3 server\.py/],
    'has a set-up that fails': [{ code: 3, log: 'no luck' }, 'bad-data', /ends with exit code 3: no luck/],
    'takes too long to set up': [{ code: null }, 'bad-data', /takes longer than 600 s/],
    'has an export that fails in any case': [
      { export: { code: 1, found: false, log: 'NameError' } },
      'bad-data',
      /makes no file for its verifier, .*: NameError/,
    ],
    'leaves its home': [{ home: [file('../x', '')] }, 'bad-data', /home/],
  };
  for (const [name, [answer, code, message]] of Object.entries(wrong))
    it(`is refused if it ${name}`, async () => {
      await assert.rejects(makeTask('set_ruler', { ...left, ...answer }), { code, message });
    });
});

describe("programs that stand in for those of the owners' machine", () => {
  const standIn = (code: string) =>
    graderSays(
      'gym-anything',
      `import contextlib, io, os, tempfile
import stand_in
folder = tempfile.mkdtemp()
stand_in.NOTES = folder
for name in ("opened", "lacks", "fetched"):
    open(f"{folder}/{name}", "w").close()
def call(name, *words):
    stand_in.NAME, stand_in.WORDS = name, list(words)
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            stand_in.CALLS.get(name, lambda: None)()
        return [0, out.getvalue().strip()]
    except SystemExit as end:
        return [end.code if isinstance(end.code, int) else 1, out.getvalue().strip()]
read = lambda name: open(f"{folder}/{name}").read().split("\\n")[:-1]
${code}`,
    );

  it('have a window once VS Code was opened, and otherwise no effect', async () => {
    const code = `
before = [call("wmctrl", "-l"), call("pgrep", "-f", "code.*shop")]
opened = call("code", "--no-sandbox", "/home/ga/workspace/shop", "/home/ga/workspace/shop/a.py:3:1")
after = [call("pgrep", "-f", "code.*shop")[0], "Visual Studio Code" in call("wmctrl", "-l")[1]]
quiet = [call("xdotool", "key", "Escape"), call("wmctrl", "-a", "Code"), call("xset", "q"), call("code", "--install-extension", "a.b")]
picture = call("scrot", f"{folder}/a.png")
show([before, opened, after, quiet, picture, open(f"{folder}/a.png", "rb").read(4)[1:].decode(), read("opened")])`;
    const project = '/home/ga/workspace/shop';
    const nothing = [0, ''];
    assert.deepEqual(await standIn(code), [
      [nothing, [1, '']],
      nothing,
      [0, true],
      [nothing, nothing, nothing, nothing],
      nothing,
      'PNG',
      [project, `${project}/a.py`],
    ]);
  });

  it('note what the image lacks, also if the script goes on', async () => {
    const code = `
with open(f"{folder}/requirements.txt", "w") as file:
    file.write("# comment\\nunobtainable-a==1.0\\npip\\n")
os.chdir(folder)
with open("package.json", "w") as file:
    file.write('{"dependencies": {"left-words": "1"}}')
ends = [call("pip3", "install", "--quiet", "-r", "requirements.txt"), call("pip", "install", "setuptools", "-q"),
        call("npm", "install", "--silent"), call("service", "words", "start"), call("curl", "-s", "https://example.org")]
show([[code for code, _ in ends], read("lacks"), read("fetched")])`;
    assert.deepEqual(await standIn(code), [
      [1, 0, 1, 1, 1],
      ['Python: unobtainable-a==1.0', 'npm: left-words', 'service: words'],
      ['https://example.org'],
    ]);
  });
});

describe('the set-up of a task of Gym-Anything', () => {
  it('finds what a project needs: modules that it can not do without, programs, npm packages', async () => {
    const code = `
import os, tempfile
import set_up
folder = tempfile.mkdtemp()
def write(path, text):
    os.makedirs(os.path.dirname(f"{folder}/{path}"), exist_ok=True)
    with open(f"{folder}/{path}", "w") as file:
        file.write(text)
write("app/main.py", "import json, unobtainable_a\\nfrom helpers import x\\ntry:\\n    import unobtainable_b\\nexcept ImportError:\\n    pass\\n")
write("app/helpers.py", "def f():\\n    from unobtainable_c.deep import y\\n")
write("broken.py", "def (")
write("package.json", '{"devDependencies": {"left-words": "1"}}')
write("node_modules/x/a.py", "import unobtainable_d")
export = "cd /x && terraform plan\\npython3 - <<PY\\nimport unobtainable_e as e\\nimport main\\nPY\\necho node things\\n"
log = "ModuleNotFoundError: No module named 'unobtainable_f.deep'\\nsetup_task.sh: line 3: left-words: command not found\\n"
show([set_up.lacks_of(folder, export, "", 0), set_up.lacks_of(folder, "", log, 1)])`;
    const [project, setUp] = (await graderSays('gym-anything', code)) as string[][];
    const both = ['Python: unobtainable_a', 'Python: unobtainable_c'];
    assert.deepEqual(
      project?.filter((one) => one !== 'program: terraform'),
      [...both, 'Python: unobtainable_e', 'npm: left-words'],
    );
    assert.deepEqual(setUp, [...both, 'Python: unobtainable_f', 'npm: left-words', 'program: left-words']);
  });

  it('leaves out what programs leave behind in a home', async () => {
    const code = `
import set_up
paths = [".bash_history", ".python_history", ".cache/pip/x", "env_setup.log", "workspace/a/__pycache__/m.pyc",
         "workspace/a/.pytest_cache/v", "workspace/a/app.log", ".gitconfig", "workspace/a/history.py", ".npm/_logs/1"]
show([path for path in paths if not set_up.TRACES.search(path)])`;
    assert.deepEqual(await graderSays('gym-anything', code), [
      'workspace/a/app.log',
      '.gitconfig',
      'workspace/a/history.py',
    ]);
  });
});

describe('the judge of a task of Gym-Anything', () => {
  const judged = (verifier: string) =>
    graderSays(
      'gym-anything',
      `import contextlib, io, os, tarfile, tempfile
import judge
place = judge.PLACE = tempfile.mkdtemp()
os.makedirs(f"{place}/task")
with open(f"{place}/task/verifier.py", "w") as file:
    file.write(${JSON.stringify(verifier)})
with open(f"{place}/task.json", "w") as file:
    json.dump({"id": "a@1", "metadata": {"pass_threshold": 60}}, file)
with tarfile.open(f"{place}/results.tar", "w") as tar:
    member = tarfile.TarInfo("tmp/result.json")
    content = b'{"fixed": 3}'
    member.size = len(content)
    tar.addfile(member, io.BytesIO(content))
with contextlib.redirect_stderr(io.StringIO()):
    found = judge.judged({"program": "verifier.py::verify", "modules": [f"{place}/task"]})
show(found)`,
    );
  const reads = `
import json, tempfile
def verify(traj, env_info, task_info):
    with tempfile.NamedTemporaryFile() as local:
        env_info["copy_from_env"]("/tmp/PATH", local.name)
        fixed = json.loads(local.read())["fixed"]
    return {"passed": 30 * fixed >= task_info["metadata"]["pass_threshold"], "score": 30 * fixed}
`;

  it('gives the verifier the exported files, and its error for others', async () => {
    assert.deepEqual(await judged(reads.replace('PATH', 'result.json')), { passed: true, score: 90 });
    const missing = (await judged(reads.replace('PATH', 'other.json'))) as Record<string, unknown>;
    assert.match(
      String(missing['failed']),
      /the verifier fails: RuntimeError: there is no file \/tmp\/other\.json/,
    );
  });

  const unavailable: Record<string, [verifier: string, why: RegExp]> = {
    'asks a vision model, and catches errors': [
      `def verify(traj, env_info, task_info):
    try:
        env_info.get("query_vlm")(prompt="?")
    except:
        return {"passed": True, "score": 100}`,
      /asks a vision model \(query_vlm\)/,
    ],
    "asks it by the owners' module": [
      `from gym_anything.vlm import query_vlm, get_final_screenshot
def verify(traj, env_info, task_info):
    return query_vlm()`,
      /asks a vision model/,
    ],
    'looks at pictures': [
      `from gym_anything.vlm import sample_trajectory_frames
def verify(traj, env_info, task_info):
    return {"passed": True, "score": len(sample_trajectory_frames(traj, n=5))}`,
      /looks at pictures of the episode/,
    ],
    'reads the steps': [
      `def verify(traj, env_info, task_info):
    return {"passed": True, "score": len(traj.get("steps", []))}`,
      /reads the steps of the episode/,
    ],
    'runs commands on the machine': [
      `def verify(traj, env_info, task_info):
    return {"passed": True, "score": 100, "feedback": env_info["exec_capture"]("ls")}`,
      /uses exec_capture, which is not here/,
    ],
    'imports a module that is not here': [
      'import unobtainable_a\ndef verify(*_): pass',
      /can't be run here: No module/,
    ],
  };
  for (const [name, [verifier, why]] of Object.entries(unavailable))
    it(`gives no score if the verifier ${name}`, async () => {
      const found = (await judged(verifier)) as { unavailable?: string };
      assert.match(found.unavailable ?? '', why);
    });

  it('scores 0 to 100 as 0 to 1, with the threshold as a check', async () => {
    const code = `
from check import scored
show([[[one["passed"] for one in checks], score] for checks, score in (
    scored({"passed": True, "score": 80, "feedback": ["a"]}, 60), scored({"passed": False, "score": "40"}, 60),
    scored({"passed": True}, None), scored({"passed": True, "score": 250}, None), scored({"score": "nan"}, 50))])`;
    assert.deepEqual(await graderSays('gym-anything', code), [
      [[true, true], 0.8],
      [[false, false], 0.4],
      [[true], 1],
      [[true], 1],
      [[false, false], 0],
    ]);
  });
});
