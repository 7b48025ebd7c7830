import assert from 'node:assert/strict';
import { findServiceUse } from '../../../host/tasks/datasets/harbor/harbor-services.ts';
import { addVariables, readReadyImage } from '../../../host/tasks/datasets/harbor/harbor-parts.ts';
import { harborConfigSchema } from '../../../host/tasks/datasets/harbor/harbor-schema.ts';
import { harbor } from '../../../host/tasks/datasets/harbor/harbor.ts';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Task } from '../../../host/tasks/index.ts';
import { useOwnHome } from '../../support/own-home.ts';
import { readArchive } from '../tasks/read-archive.ts';

const data = 'test/data/datasets/harbor';
const readEnvironment = (image: string) =>
  harborConfigSchema.parse({ environment: { docker_image: image } }).environment;
const load = async (id: string): Promise<Task> => (await harbor.open(data)).load(id);

async function pathsAt(task: Task, place: string): Promise<string[]> {
  const seed = (await task.seeds()).find(({ path }) => path === place);
  return seed ? [...(await readArchive(seed.tar)).keys()].sort() : [];
}

describe('a task of Harbor', () => {
  useOwnHome();

  it('works in the image of its Dockerfile, or in the one that it names', async () => {
    const task = await load('count-lines');
    assert.equal(task.config.pwp.image, resolve(data, 'count-lines/environment'));
    assert.deepEqual(await pathsAt(task, '/workspace'), []);
    assert.equal(task.config.pwp.setup, undefined);
    assert.deepEqual(await task.leaks(), []);
    const named = await load('no-dockerfile');
    assert.equal(named.config.pwp.image, 'debian:bookworm');
    assert.equal(named.config.environment.workdir, '/workspace');
    assert.equal((await load('elsewhere')).config.environment.storage_mb, 5120);
  });

  it('has the variables of its environment in its image', async () => {
    const image = (await load('collected')).config.pwp.image ?? '';
    const given = await readFile(join(data, 'collected/environment/Dockerfile'), 'utf8');
    assert.equal(await readFile(join(image, 'Dockerfile'), 'utf8'), `${given}\nENV UNIT="piece"\n`);
    const environment = { docker_image: 'debian:12', env: { A: 'x "y" $Z \\', B: '${B:-}' } };
    const config = harborConfigSchema.parse({ environment });
    const parts = { path: '/data/task', config, image: 'debian:12', instruction: 'i' };
    const named = await addVariables({ ...parts, unknown: [], begun: [], suites: [] });
    const lines = (await readFile(join(named, 'Dockerfile'), 'utf8')).split('\n');
    assert.deepEqual(lines, ['FROM debian:12', 'ENV A="x \\"y\\" \\$Z \\\\"', 'ENV B=""', '']);
  });

  it("has no image of this machine's files", () => {
    for (const name of [
      '/etc',
      './root',
      '../x',
      'image.tar',
      'oci:/srv',
      'docker-archive:x',
      'engine:x',
      'a b',
    ])
      assert.throws(
        () => readReadyImage('/data/task', readEnvironment(name)),
        /docker_image: expected the name/,
        name,
      );
    for (const name of ['debian:12', 'ghcr.io/a/b-c:1.0', `a@sha256:${'0'.repeat(64)}`])
      assert.equal(readReadyImage('/data/task', readEnvironment(name)), name);
    assert.equal(readReadyImage('/data/task', readEnvironment('')), undefined);
  });

  it('is tested by its own script, with its variables and time', async () => {
    const { imageTests } = await load('one-file');
    assert.equal(imageTests?.service, undefined);
    const [run, ...others] = imageTests?.runs ?? [];
    assert.deepEqual(
      [run?.name, run?.files.map(({ path }) => path), run?.env, run?.seconds, run?.separate, others],
      ['tests', ['test.sh'], { EXPECTED: 'a-value' }, 600, undefined, []],
    );
    assert.deepEqual(run?.network, { mode: 'public' });
    const steps = (await load('two-steps')).imageTests;
    assert.deepEqual(
      steps?.runs.map(({ name, least, network, seconds }) => [name, least, network.mode, seconds]),
      [
        ['01-begin', { reward: 1 }, 'no-network', 30],
        ['02-end', {}, 'no-network', 30],
      ],
    );
    assert.equal(steps.strategy, 'mean');
  });

  it('is tested apart, with its artifacts alone, if it says so', async () => {
    const task = await load('collected');
    const [run] = task.imageTests?.runs ?? [];
    assert.deepEqual(run?.env, { UNIT: 'piece' });
    assert.deepEqual(run.separate, {
      image: task.config.pwp.image,
      workdir: '/srv/shop',
      hasTests: false,
      artifacts: ['/logs/artifacts', '/srv/shop'],
      limits: { cpus: 2, memoryMb: 2048, diskMb: 10_240 },
    });
    assert.deepEqual(
      run.collect.map(({ command }) => command),
      ['sort -c list.txt && wc -l < list.txt > /logs/artifacts/lines.txt', 'false'],
    );
  });

  it('whose tests ask a program that the agent left running says how', async () => {
    const open = await harbor.open(`${data}-leaves`);
    const service = async (id: string) => (await open.load(id)).imageTests?.service;
    assert.match((await service('asks-service')) ?? '', /^localhost:8080$/);
    assert.equal(await service('leaves-server'), undefined);
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
      assert.match(message, /needs-more can't be run here: it needs a GPU$/);
      return true;
    });
  });

  it("is left out of a collection, with the reasons, if it can't be run", async () => {
    const { lacking } = await harbor.open('test/data/datasets/harbor-refused');
    assert.match(lacking?.get('needs-more') ?? '', /^it needs a GPU$/);
  });

  it('is the only one left out, for any fault, with file and line', async () => {
    const { ids, lacking } = await harbor.open('test/data/datasets/harbor-refused');
    assert.deepEqual(
      ids.filter((id) => !lacking?.has(id)),
      ['sound'],
    );
    const reasons: Readonly<Record<string, RegExp>> = {
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
    for (const text of asked) assert.match(findServiceUse([text]) ?? '', /./, text);
    const own = [
      'server = subprocess.Popen(["python3", "app.py"])\nrequests.get("http://localhost:8080/")',
      'python3 /app/app.py &\nsleep 1\ncurl http://localhost:8080/',
      '# curl http://localhost:8080/\ntrue',
      'assert "Listening on localhost" in log',
      'client = app.test_client(); client.get("http://localhost:80/")',
      'test -f /app/x && echo 1',
    ];
    for (const text of own) assert.equal(findServiceUse([text]), undefined, text);
  });

  it('is named if it does not exist, as is a folder without tasks', async () => {
    await assert.rejects(load('nothing'), /there is no task nothing/);
    await assert.rejects(harbor.open('test/data/datasets/ide-bench/slugs'), /task\.toml is missing/);
  });
});
