import assert from 'node:assert/strict';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { shell } from '../../../bridge/protocol/index.ts';
import { silentProgress } from '../../../host/lib/index.ts';
import { desktopUser } from '../../../host/node/container/container-processes.ts';
import { ensureImage } from '../../../host/node/image/sandbox-image.ts';
import { createLocalNode } from '../../../host/node/index.ts';
import type { LocalNode } from '../../../host/node/local/local-node.ts';
import { Environment } from '../../../host/run/index.ts';
import { makeTextEntry } from '../../../host/tasks/format/archive.ts';
import { makeTask } from '../../../host/tasks/format/made-task.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { bash, never, says } from '../../support/node-sandbox.ts';
import { runHome } from '../../support/run-home.ts';
import { madeTaskConfig } from '../../support/made-task-config.ts';

const attacker = new URL('../../programs/desk-attacker.py', import.meta.url);
const user = { uid: 1000, gid: 1001, groups: [44], home: '/srv/dev' };

/** Of the image, above the files of our own. */
const files = {
  'etc/passwd': 'root:x:0:0::/root:/bin/bash\ndev:x:1000:1001::/srv/dev:/bin/bash\n',
  'etc/group': 'root:x:0:\ndevs:x:1001:\nvideo:x:44:dev\n',
  'etc/secret': 'of root\n',
  'srv/dev/.bashrc': 'export ACTIVE=yes\n',
  'code/calc.py': 'def add(a, b):\n    return a + b\n',
};

/** Passes where all that is the user's still is, and what is root's, too. */
const testScript = `#!/bin/bash
ls -ldn /code /code/* /srv/dev/* /etc/app
[ "$(stat -c %u:%g /code /code/* /srv/dev/* | sort -u)" = 1000:1001 ] && [ "$(stat -c %u /etc/app)" = 0 ] || exit 1
[ "$(cat /code/done.txt)" = yes ] && cd /code && git status --short | grep -q done.txt || exit 1
echo 1 > /logs/verifier/reward.txt
`;

const testOfCode = 'from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n';
const task = makeTask({
  ...{ id: 'made/user', path: '/made', instruction: 'Look.' },
  workspace: [
    makeTextEntry('test_calc.py', testOfCode),
    makeTextEntry('main.py', 'import test_calc\ntest_calc.test_add()\n'),
  ],
  home: [makeTextEntry('.profile', ''), makeTextEntry('notes.txt', 'of the task\n')],
  root: [makeTextEntry('etc/app/settings', 'of root\n'), makeTextEntry('code/sub/more.txt', 'of the user\n')],
  tests: [makeTextEntry('test.sh', testScript)],
  ...{ solutions: [], falseSolutions: [] },
  config: madeTaskConfig({
    ...{ agent_code: 'nowhere', open: ['main.py'] },
    setup: 'git init -q && git add . && git commit -qm begin && id -u > ~/set-up.txt',
  }),
});

describe('an IDE whose user is not root', function () {
  this.timeout(600_000);
  let folder: TemporaryFolder;
  let node: LocalNode;
  let env: Environment;

  before(async () => {
    folder = await temporaryFolder();
    for (const [path, text] of Object.entries(files)) {
      const at = folder.file(path);
      await mkdir(dirname(at), { recursive: true });
      await writeFile(at, text, { mode: path === 'etc/secret' ? 0o600 : 0o644 });
    }
    for (const path of ['srv/dev', 'srv/dev/.bashrc', 'code', 'code/calc.py'])
      await chown(folder.file(path), user.uid, user.gid);
    const { layers } = await ensureImage({ progress: silentProgress, signal: never });
    const own = {
      digest: `sha256:${'7'.repeat(64)}`,
      layers: [folder.path, ...layers],
      workdir: '/code',
      user,
    };
    const variables = { PATH: '/usr/local/bin:/usr/bin:/bin' };
    node = await createLocalNode({
      home: runHome(),
      root: (image) => Promise.resolve({ image, env: variables, ...own }),
    });
    env = new Environment({ node, task, image: 'an-image' });
    await env.reset();
  });
  after(async () => {
    await env.close();
    await node[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  const sandbox = (one = env) => node.open(one.began[1].sandbox);
  const call = async (name: string, given: Readonly<Record<string, unknown>>, one = env) =>
    (await one.call({ name, arguments: given })).result as Readonly<Record<string, unknown>>;
  const command = async (text: string, one = env) =>
    String((await call('shell', { command: text }, one))['stdout']);
  const who = 'uid=1000(dev) gid=1001(devs) groups=1001(devs),44(video) /srv/dev\n';

  it('runs commands, terminals, programs of the node and the set-up as that user', async () => {
    assert.equal(await command('echo $(id) $HOME; echo $ACTIVE; cat ~/set-up.txt'), `${who}yes\n1000\n`);
    assert.equal((await call('run_terminal_cmd', { command: 'echo $(id) $HOME' }))['output'], who);
    await using one = await sandbox();
    assert.equal(`${await says(one, 'echo $(id) $HOME')}\n`, who);
    assert.equal(one.home, '/srv/dev');
  });

  it('leaves the files of root alone', async () => {
    await using one = await sandbox();
    for (const line of [
      'cat /etc/secret',
      ': > /etc/x',
      ': >> /etc/app/settings',
      'ls /root',
      'ls /desk',
      'mkdir /x',
    ])
      assert.notEqual((await bash(one, line)).exitCode, 0, line);
  });

  it('edits, saves, tests and commits in its workspace', async () => {
    await env.step(['xdotool key ctrl+End', "xdotool type '# typed'", 'xdotool key ctrl+s']);
    assert.equal(await command('tail -n 1 main.py; git status --short'), '# typed M main.py\n');
    const { counts } = await call('run_tests', {});
    assert.equal((counts as Readonly<Record<string, number>>)['passed'], 1);
    assert.match(await command('git commit -qam typed && git log --format=%an%s -1'), /Developertyped/);
  });

  it('continues a paused program after a restore and in a fork', async () => {
    await call('set_breakpoint', { path: 'calc.py', line: 2 });
    await call('debug_start', { program: 'main.py' });
    const { id, kind } = await env.checkpoint();
    assert.equal(kind, 'live');
    await command('rm calc.py');
    await env.restore(id);
    const [fork] = await env.fork({ from: id });
    assert.ok(fork);
    try {
      for (const each of [env, fork]) {
        assert.equal((await call('debug_evaluate', { expression: 'a + b' }, each))['result'], '3');
        assert.equal(
          await command('echo $(id) $HOME; echo x > x && stat -c %u:%g x', each),
          `${who}1000:1001\n`,
        );
      }
    } finally {
      await fork.close();
    }
    await call('debug_stop', {});
  });

  it("can't reach the desktop", async () => {
    await using one = await sandbox();
    const input = await readFile(attacker, 'utf8');
    const times = { timeoutMs: 120_000, maxOutputBytes: 2_000_000 };
    const ran = await one.exec({
      argv: ['python3', '-', String(desktopUser)],
      cwd: '/',
      env: {},
      input,
      ...times,
    });
    assert.equal(ran.exitCode, 0, ran.stderr);
    const rows = ran.stdout.trim().split('\n');
    assert.ok(rows.length > 200, `${rows.length} attempts`);
    assert.deepEqual(
      rows.filter((row) => row.includes('SUCCEEDED')),
      [],
    );
    assert.equal(
      await says(one, "awk '/^(Uid|CapPrm|CapBnd)/ {print $2}' /proc/[0-9]*/status | sort -u"),
      '0000000000000000\n1000',
    );
  });

  it('is graded by root with the owners that its files have', async () => {
    await command('rm -rf .pytest_cache __pycache__; echo yes > done.txt');
    const { reward, log } = await env.grade();
    assert.equal(reward, 1, log);
  });

  it('starts over from its golden checkpoint', async () => {
    const [, { from }] = await env.reset();
    assert.equal(from, 'golden');
    assert.equal(await command('echo $(id) $HOME; git status --short'), who);
  });

  it('is the user of disk checkpoints, too', async () => {
    const { id } = await env.checkpoint({ kind: 'disk' });
    await env.close();
    await using forked = await node.fork(id, { name: 'disk', keep: false });
    await forked.ready();
    const { stdout } = await forked.call(shell.run, { command: 'echo $(id) $HOME' }, { signal: never });
    assert.equal(stdout, who);
  });
});
