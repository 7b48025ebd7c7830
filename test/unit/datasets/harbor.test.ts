import assert from 'node:assert/strict';
import { findRunningService } from '../../../host/tasks/datasets/harbor/harbor-services.ts';
import { arrangePlaces } from '../../../host/tasks/datasets/harbor/harbor-parts.ts';
import { harbor } from '../../../host/tasks/datasets/harbor/harbor.ts';
import { makeTextEntry } from '../../../host/tasks/format/archive.ts';
import type { Task } from '../../../host/tasks/index.ts';
import { readArchive } from '../tasks/read-archive.ts';

const data = 'test/data/datasets/harbor';
const load = async (id: string): Promise<Task> => (await harbor.open(data)).load(id);

async function pathsAt(task: Task, place: string): Promise<string[]> {
  const seed = (await task.seeds()).find(({ path }) => path === place);
  return seed ? [...(await readArchive(seed.tar)).keys()].sort() : [];
}

describe('a task of Harbor', () => {
  it('has its working folder as the workspace, with what the Dockerfile copies and runs', async () => {
    const task = await load('count-lines');
    assert.deepEqual(await pathsAt(task, '/workspace'), ['poem.txt']);
    assert.deepEqual(await pathsAt(task, '/'), ['app']);
    const { setup, graded_folders: graded } = task.config.pwp;
    assert.match(setup ?? '', /cd '\/app'\nmkdir -p notes && echo "read me" > notes\/first.txt\n\)$/);
    assert.deepEqual(graded, []);
    assert.deepEqual(await task.leaks(), []);
  });

  it('has the files of its home, wherever its working folder is', () => {
    const files = [makeTextEntry('root/notes.txt', 'one')];
    for (const workdir of ['/app', '/rootfs', '/root', '/root/app'])
      assert.deepEqual(
        arrangePlaces({ files, workdir }).home.map(({ path }) => path),
        ['notes.txt'],
        workdir,
      );
  });

  it('is graded in the folders that its texts name', async () => {
    const task = await load('elsewhere');
    assert.deepEqual(task.config.pwp.graded_folders, ['/data', '/output']);
    assert.deepEqual(await pathsAt(task, '/'), ['app', 'data/numbers.json']);
    assert.deepEqual(task.config.environment.storage_mb, 5120);
  });

  it('has all its steps in one instruction, and the sum of their limits', async () => {
    const task = await load('two-steps');
    assert.match(task.instruction, /^Do these steps.*## Step 1 of 2.*`begun`.*## Step 2 of 2.*`ended`/s);
    assert.equal(task.config.agent.timeout_sec, 120);
    assert.equal((await task.solutions()).length, 1);
  });

  it("is refused with every reason if it can't be run", async () => {
    const refused = (await harbor.open('test/data/datasets/harbor-refused')).load('needs-more');
    await assert.rejects(refused, ({ code, message }: Error & { code: string }) => {
      assert.equal(code, 'unsupported');
      assert.match(message, /needs a GPU; .*pip: torch, pip: transformers; .*line 3: COPY --from=other/);
      return true;
    });
  });

  it("is left out of a collection, with the reasons, if it can't be run", async () => {
    const { lacking } = await harbor.open('test/data/datasets/harbor-refused');
    assert.match(lacking?.get('needs-more') ?? '', /^it needs a GPU; /);
  });

  it('is the only one left out, for any fault, with file and line', async () => {
    const { ids, lacking } = await harbor.open('test/data/datasets/harbor-refused');
    assert.deepEqual(
      ids.filter((id) => !lacking?.has(id)),
      ['sound'],
    );
    const reasons: Readonly<Record<string, RegExp>> = {
      'asks-service': /^its tests ask a server or process that must still be running \(127\.0\.0\.1:5328\)/,
      'entry-point':
        /^environment\/Dockerfile has instructions .*: line 3: curl .* needs a network; line 4: ENTRYPOINT \["\/app\/start\.sh"\]$/,
      'no-toml': /no-toml\/task\.toml: not TOML/,
      'no-instruction': /no-instruction\/instruction\.md/,
      judged: /^its tests need the variable SOME_API_KEY of the machine that runs them$/,
    };
    for (const [id, reason] of Object.entries(reasons)) assert.match(lacking?.get(id) ?? 'nothing', reason);
  });

  it('is recognized as using a running service, unless its tests start one', () => {
    const asked = [
      'requests.get("http://localhost:8080/health")',
      'curl -s http://127.0.0.1:5000/',
      'sock.connect(("localhost", 6379))',
      'sock.connect(("127.0.0.1", PORT))',
      'redis-cli ping',
      'pgrep -f server.py',
    ];
    for (const text of asked)
      assert.match(findRunningService([text]) ?? 'nothing', /must still be running/, text);
    const own = [
      'server = subprocess.Popen(["python3", "app.py"])\nrequests.get("http://localhost:8080/")',
      'python3 /app/app.py &\nsleep 1\ncurl http://localhost:8080/',
      '# curl http://localhost:8080/\ntrue',
      'assert "Listening on localhost" in log',
      'client = app.test_client(); client.get("http://localhost:80/")',
      'test -f /app/x && echo 1',
    ];
    for (const text of own) assert.equal(findRunningService([text]), undefined, text);
  });

  it('is named if it does not exist, as is a folder without tasks', async () => {
    await assert.rejects(load('nothing'), /there is no task nothing/);
    await assert.rejects(harbor.open('test/data/datasets/ide-bench/slugs'), /task\.toml is missing/);
  });
});
