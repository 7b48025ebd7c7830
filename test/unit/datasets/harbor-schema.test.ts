import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { listPasses, readHarborConfig } from '../../../host/tasks/datasets/harbor/harbor-config.ts';
import type { HarborConfig } from '../../../host/tasks/datasets/harbor/harbor-schema.ts';
import { harbor } from '../../../host/tasks/datasets/harbor/harbor.ts';
import type { Task } from '../../../host/tasks/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { namedByHarbor, refusedByHarbor, wholeTask } from '../../support/harbor-toml.ts';
import { useOwnHome } from '../../support/own-home.ts';
import { readArchive } from '../tasks/read-archive.ts';

function read(toml: string): HarborConfig {
  const file = readHarborConfig('task.toml', toml);
  assert.ok(file);
  return file.config;
}

describe("the schema of Harbor's tasks", () => {
  it('has the values of 1.4 with their defaults', () => {
    const { environment, verifier, steps, artifacts, task } = read(wholeTask);
    assert.deepEqual(environment.healthcheck, {
      command: 'test -f /ready',
      interval_sec: 5,
      timeout_sec: 30,
      start_period_sec: 0,
      start_interval_sec: 5,
      retries: 5,
    });
    assert.deepEqual(environment.mcp_servers, [
      { name: 'maps', transport: 'streamable-http', url: 'http://maps:8000/mcp', args: [], headers: {} },
    ]);
    assert.deepEqual([environment.skills_dir, environment.cpus, environment.os], ['/skills', 1.5, 'linux']);
    assert.equal(verifier.environment?.docker_image, 'judge:1');
    assert.deepEqual(verifier.collect, [{ command: 'pg_dump shop', service: 'db', timeout_sec: 60 }]);
    assert.deepEqual([steps[0]?.min_reward, steps[0]?.verifier.timeout_sec], [{ tests: 0.5 }, 600]);
    assert.deepEqual(artifacts, [
      { source: '/app/out', exclude: [] },
      { source: '/srv/data', exclude: ['*.tmp'] },
    ]);
    assert.deepEqual(task?.authors, [{ name: 'A' }]);
  });

  it('has what older schemas say under the names of today', () => {
    const { environment } = read(
      'version = "1.0"\n[environment]\nmemory = "2G"\nstorage = "512M"\nallow_internet = false\n',
    );
    assert.deepEqual([environment.memory_mb, environment.storage_mb], [2048, 512]);
    assert.equal(environment.network_mode, 'no-network');
    assert.equal(read('[environment]\nallow_internet = true\n').environment.network_mode, 'public');
    const both = read('[environment]\nallow_internet = true\nnetwork_mode = "no-network"\n');
    assert.equal(both.environment.network_mode, 'no-network');
  });

  it('resolves what a step has of its own and of its task, as Harbor does', () => {
    const [first, second] = listPasses(
      read(`
artifacts = ["/out"]
[agent]
timeout_sec = 60
user = "root"
network_mode = "public"
[verifier]
timeout_sec = 20
env = { A = "1", B = "1" }
[verifier.environment]
cpus = 4
[[verifier.collect]]
command = "one"
[[steps]]
name = "a"
artifacts = ["/more"]
[steps.agent]
timeout_sec = 5
network_mode = "no-network"
[steps.verifier]
environment_mode = "shared"
env = { B = "2" }
[[steps.verifier.collect]]
command = "two"
[[steps]]
name = "b"
[steps.verifier]
timeout_sec = 7
`),
    );
    assert.deepEqual([first?.agentSeconds, second?.agentSeconds], [5, 60]);
    assert.deepEqual([first?.testSeconds, second?.testSeconds], [600, 7]);
    assert.deepEqual([first?.separate, second?.separate?.cpus], [undefined, 4]);
    assert.deepEqual(first?.env, { A: '1', B: '2' });
    assert.deepEqual(
      first?.collect.map(({ command }) => command),
      ['one', 'two'],
    );
    assert.deepEqual(
      first?.artifacts.map(({ source }) => source),
      ['/out', '/more'],
    );
    assert.deepEqual([first?.network.network_mode, second?.network.network_mode], ['no-network', 'public']);
  });

  it('names fields that Harbor does not have', () => {
    const file = readHarborConfig('task.toml', namedByHarbor.toml);
    assert.deepEqual(file?.unknown.toSorted(), namedByHarbor.fields);
    assert.equal(file?.config.artifacts[0]?.source, '/a');
    assert.equal(readHarborConfig('task.toml', '[pwp]\nfeatures = []\n'), undefined);
  });

  it('refuses what Harbor refuses, with the field', () => {
    for (const [toml, problem] of refusedByHarbor)
      assert.throws(() => read(toml), { code: 'bad-data', message: problem }, toml);
  });
});

describe("features of Harbor's schema 1.4", () => {
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder[Symbol.asyncDispose]());

  /** Writes one task and opens the folder. */
  async function open(toml: string, more: Readonly<Record<string, string>> = {}) {
    const files: Readonly<Record<string, string>> = {
      'task.toml': toml,
      'instruction.md': 'Write `a.txt`.\n',
      'environment/Dockerfile': 'FROM debian\nWORKDIR /app\n',
      'tests/test.sh': 'test -f a.txt\n',
      'solution/solve.sh': 'touch a.txt\n',
      ...more,
    };
    for (const [path, text] of Object.entries(files)) {
      const at = join(folder.file('one'), path);
      await mkdir(dirname(at), { recursive: true });
      await writeFile(at, text);
    }
    return await harbor.open(folder.path);
  }

  async function reasons(toml: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
    return (await open(toml, more)).lacking?.get('one') ?? 'nothing';
  }

  it('are refused by name if they need more than files', async () => {
    const cases: readonly (readonly [toml: string, reason: string])[] = [
      ['schema_version = "1.5"', 'it is of schema 1.5, and 1.4 is the newest that is known here'],
      ['[environment]\nos = "windows"', 'it is for windows'],
      ['[environment]\ntpu = { type = "v4", topology = "2x2x1" }', 'it needs a TPU'],
      ['[environment]\nskills_dir = "/skills"', 'it brings skills for its agent (environment.skills_dir)'],
      [
        '[[environment.mcp_servers]]\nname = "maps"\nurl = "http://maps"',
        'it needs MCP servers of its own (environment.mcp_servers: maps)',
      ],
      [
        '[verifier.environment.healthcheck]\ncommand = "true"',
        'its tests wait for a service of their own (verifier.environment.healthcheck)',
      ],
      [
        '[environment]\nenv = { KEY = "${KEY}" }',
        'its environment needs the variable KEY of the machine that runs it',
      ],
      [
        '[environment]\nenv = { NOTE = "a\\nb", ONE = "a" }',
        'its variable NOTE has several lines (environment.env)',
      ],
      ['artifacts = ["/app"]\n[verifier.environment]\ngpus = 1', 'it needs a GPU'],
      [
        'artifacts = [{ source = "/app", exclude = ["*.log"] }]\n[verifier]\nenvironment_mode = "separate"',
        'its tests get a part of a folder, or one without an absolute path (artifacts: /app)',
      ],
      [
        'artifacts = ["out", "/"]\n[verifier]\nenvironment_mode = "separate"',
        'its tests get a part of a folder, or one without an absolute path (artifacts: out); its tests get a part of a folder, or one without an absolute path (artifacts: /)',
      ],
      ['[agent]\nuser = "dev"', 'its agent is another user than root (agent.user)'],
      ['[verifier]\nuser = 1000', 'its tests are run by another user than root (verifier.user)'],
      [
        '[agent]\nnetwork_mode = "allowlist"\nallowed_hosts = ["10.0.0.0/8"]',
        'its network has ranges of addresses (10.0.0.0/8)',
      ],
      ['artifacts = [{ source = "/a", service = "db" }]', 'it collects from other containers (db)'],
      [
        '[[verifier.collect]]\ncommand = "a"\nuser = "dev"',
        'it collects by another user than root (verifier.collect.user)',
      ],
    ];
    for (const [toml, reason] of cases) assert.equal(await reasons(toml), reason);
  });

  it('are refused by the files that show them', async () => {
    const separate = 'artifacts = ["/app"]\n[verifier]\nenvironment_mode = "separate"\n';
    assert.equal(
      await reasons(separate, { 'tests/docker-compose.yaml': 'services: {}\n' }),
      'its tests have several containers (tests/docker-compose.yaml)',
    );
    assert.equal(
      await reasons('', { 'trajectory.json': '{}' }),
      'its agent continues the conversation of trajectory.json',
    );
  });

  it('are refused if the image starts a program of its own', async () => {
    const dockerfile = (line: string) => ({
      'environment/Dockerfile': `FROM debian AS a\n${line}\nWORKDIR /app\n`,
    });
    for (const program of ['["/start.sh"]', '["bash", "/start.sh"]', '/bin/sh start.sh'])
      assert.equal(
        await reasons('', dockerfile(`ENTRYPOINT ${program}`)),
        `its image starts a program with each container, which does not run here (ENTRYPOINT ${program})`,
      );
    for (const line of [
      ...[
        'ENTRYPOINT []',
        'ENTRYPOINT ["/bin/bash", "-c"]',
        'entrypoint tini --',
        '# ENTRYPOINT ["/start.sh"]',
      ],
      'ENTRYPOINT ["/start.sh"]\nFROM debian',
    ])
      assert.equal(await reasons('', dockerfile(line)), 'nothing', line);
  });

  it('are refused where a step has them', async () => {
    const files = Object.fromEntries(
      ['a', 'b'].flatMap((step) => [
        [`steps/${step}/instruction.md`, 'Write.\n'],
        [`steps/${step}/workdir/of-${step}.txt`, ''],
      ]),
    );
    const toml = `
[[steps]]
name = "a"
healthcheck = { command = "true" }
agent = { user = "dev", network_mode = "no-network" }
[[steps]]
name = "b"
healthcheck = { command = "true" }
verifier = { user = "judge" }
`;
    assert.deepEqual((await reasons(toml, files)).split('; '), [
      'its later steps bring files of their own (steps/b/workdir)',
      'its step b waits for a service after the agent has begun (steps.healthcheck)',
      'its agent is another user than root (agent.user)',
      'its tests are run by another user than root (verifier.user)',
      'its steps have different networks (steps.agent.network_mode)',
    ]);
  });

  it('do not refuse what they leave as it is', async () => {
    const accepted = [
      'schema_version = "1.4"\nsource = "hub"\n[environment]\ngpus = 0\ngpu_types = ["T4"]\n',
      '[agent]\nuser = "root"\n[verifier]\nuser = 0\nnetwork_mode = "public"\n',
      'artifacts = ["/app/"]\n[verifier.environment]\nmemory_mb = 512\n',
      '[verifier]\nenvironment_mode = "separate"\n',
      '[verifier.environment]\ndocker_image = "judge"\n',
      '[environment.healthcheck]\ncommand = "true"\n',
      '[[verifier.collect]]\ncommand = "curl http://localhost:80/state > a.txt"\n',
      'artifacts = ["/app/report.txt"]\n[[verifier.collect]]\ncommand = "git diff > a.patch"\n',
    ];
    for (const toml of accepted) assert.equal(await reasons(toml), 'nothing', toml);
  });

  it('are no longer sought in a Dockerfile of tests that run beside the agent', async () => {
    assert.equal(await reasons('', { 'tests/Dockerfile': 'FROM debian\n' }), 'nothing');
  });

  it('give the agent its own network', async () => {
    const open6 = await open(
      '[agent]\nnetwork_mode = "allowlist"\nallowed_hosts = ["*.Example.org", "2001:db8::1"]\n',
    );
    const { environment } = (await open6.load('one')).config;
    assert.equal(environment.network_mode, 'allowlist');
    assert.deepEqual(environment.allowed_hosts, ['*.example.org', '[2001:db8::1]']);
  });

  it('are named together if Harbor does not have them', async () => {
    const { notes, lacking } = await open('[environment]\ngpu = 1\n');
    assert.deepEqual(notes, [
      'fields of task.toml that Harbor does not have, and ignores, have no effect: environment.gpu (one)',
    ]);
    assert.equal(lacking?.size, 0);
  });
});

describe("a task of Harbor's schema 1.4", () => {
  useOwnHome();
  const load = async (id: string): Promise<Task> => (await harbor.open('test/data/datasets/harbor')).load(id);

  it('has an instruction without what marks it', async () => {
    assert.equal((await load('collected')).instruction, 'Sort the lines of `list.txt`.');
  });

  it('waits for its health check before the agent begins', async () => {
    const task = await load('checked');
    assert.match(task.config.pwp.setup ?? '', /^until=\$\(\(SECONDS \+ 2\)\); failed=0\n/);
    assert.match(task.config.pwp.setup ?? '', /while ! timeout 3 bash -c 'test -e \/srv\/ready'; do/);
  });

  it('is tested in the image of its tests', async () => {
    const [run] = (await load('apart')).imageTests?.runs ?? [];
    const { image = '', hasTests, artifacts } = run?.separate ?? {};
    assert.match(image, /\/harbor\/apart\/tests$/);
    assert.deepEqual(
      [hasTests, artifacts],
      [true, ['/logs/artifacts', '/srv/work/answer.txt', '/srv/notes']],
    );
  });

  it('begins with the files and commands of its first step', async () => {
    const task = await load('brought');
    const workspace = (await task.seeds()).find(({ path }) => path === '/workspace');
    assert.ok(workspace);
    assert.deepEqual([...(await readArchive(workspace.tar)).keys()].sort(), ['setup.sh', 'two.txt']);
    assert.equal(task.config.pwp.setup, 'bash setup.sh');
    assert.deepEqual([task.config.agent.timeout_sec, task.config.verifier.timeout_sec], [120, 1200]);
  });
});
