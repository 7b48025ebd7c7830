import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { shell } from '../../../bridge/protocol/index.ts';
import type { FetchAgentRoot } from '../../../host/node/agent-root.ts';
import { createDockerNode, createLocalNode, type Node, type Sandbox } from '../../../host/node/index.ts';
import { findImageUser } from '../../../host/node/root-image/image-user.ts';
import { fetchAgentRoot } from '../../../host/node/root-images.ts';
import { Environment } from '../../../host/run/index.ts';
import { makeTextEntry } from '../../../host/tasks/format/archive.ts';
import { makeTask } from '../../../host/tasks/format/made-task.ts';
import type { LeftChanges } from '../../../host/tasks/index.ts';
import { onEachNode } from '../../support/each-node.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { bareSpec, bash, never, says } from '../../support/node-sandbox.ts';
import { runHome } from '../../support/run-home.ts';
import { makeSmallRoot } from '../../support/small-root.ts';
import { madeTaskConfig } from '../../support/made-task-config.ts';

const task = makeTask({
  ...{ id: 'made/image', path: '/made', instruction: 'Look.' },
  workspace: [makeTextEntry('a.txt', 'of the task\n')],
  tests: [
    makeTextEntry(
      'test.sh',
      '#!/bin/bash\n[ "$(cat /workspace/done.txt)" = yes ] && [ -O /tests ] && [ -e /srv/dev/mine ] && [ ! -e /usr/bin/git ] && echo 1 > /logs/verifier/reward.txt\n',
    ),
  ],
  ...{ solutions: [], falseSolutions: [] },
  config: madeTaskConfig({ agent_code: 'nowhere' }),
});

/** Of an image that would break every program of ours that got them. */
const hostile = { LD_LIBRARY_PATH: '/lib', NODE_OPTIONS: '--no-such-option', OF_THE_IMAGE: 'yes' };

/** Runs what it is given, as entry points of images do. */
const entry = '#!/bin/bash\nshift\nexport OF_THE_ENTRY=yes\nexec "$@"\n';

const fetchHostile: FetchAgentRoot = async (image, options) => {
  const root = await fetchAgentRoot(image, options);
  const config = { env: {}, user: 'dev', workdir: '/', entrypoint: [], cmd: [] };
  const user = await findImageUser({ reference: image, layers: root.layers, config });
  return { ...root, env: { ...root.env, ...hostile }, entrypoint: ['/entry.sh', '--'], user };
};

onEachNode('an IDE in the root of another image', (_, kind) => {
  let folder: TemporaryFolder;
  let node: Node;
  let env: Environment;

  before(async () => {
    folder = await temporaryFolder();
    await makeSmallRoot(folder.file('root'));
    await writeFile(folder.file('root/entry.sh'), entry, { mode: 0o755 });
    const root = fetchHostile;
    node = await (kind === 'docker'
      ? createDockerNode({ root })
      : createLocalNode({ home: runHome(), root }));
    await node.image();
    env = new Environment({ node, task, image: folder.file('root') });
    await env.reset();
  });
  after(async () => {
    await env.close();
    await node[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  const sandbox = () => node.open(env.began[1].sandbox);
  const command = async (one: Sandbox, text: string) =>
    (await one.call(shell.run, { command: text }, { signal: never })).stdout;

  it('runs commands with its shell, variables and start-up files', async () => {
    await using one = await sandbox();
    assert.equal(one.root, folder.file('root'));
    assert.equal(
      await command(one, 'greet; echo $ACTIVE $OF_THE_IMAGE $OF_THE_ENTRY $NODE_OPTIONS'),
      'hello from the environment\nyes yes yes --no-such-option\n',
    );
    assert.equal(await command(one, 'ls /usr/bin; ls /project'), 'notes.txt\n');
  });

  it('runs terminals with them', async () => {
    const { result } = await env.call({
      name: 'run_terminal_cmd',
      arguments: { command: 'greet; echo $ACTIVE $OF_THE_IMAGE $OF_THE_ENTRY; cat a.txt' },
    });
    const { output } = result as { readonly output: string };
    assert.equal(output, 'hello from the environment\nyes yes yes\nof the task\n');
  });

  it('runs all as the user of the image, who has no power over what is not its own', async () => {
    await using one = await sandbox();
    const who = 'uid=1000(dev) gid=1000(dev) groups=1000(dev),44000(makers) /srv/dev\n';
    assert.equal(await command(one, 'echo $(id) $HOME'), who);
    assert.equal(`${await says(one, 'echo $(id) $HOME')}\n`, who);
    const terminal = { name: 'run_terminal_cmd', arguments: { command: 'echo $(id) $HOME; : > $HOME/mine' } };
    assert.equal(((await env.call(terminal)).result as { readonly output: string }).output, who);
    const owners = await command(
      one,
      'ls -nd /workspace /workspace/a.txt /srv/dev/mine /ide/data /run/pwp /etc',
    );
    assert.deepEqual(
      owners.split('\n').flatMap((line) => line.split(/\s+/).slice(2, 4).join(':') || []),
      ['1000:1000', '1000:1000', '1000:1000', '1000:1000', '1000:1000', '0:0'].sort(),
    );
    for (const path of ['/etc/x', '/bin/x', '/root/x', '/x', '/desk/x'])
      assert.notEqual((await bash(one, `: > ${path}`)).exitCode, 0, path);
    assert.equal(
      await says(one, ': > /project/notes.txt; : > /workspace/b; rm /workspace/b; echo done'),
      'done',
    );
  });

  it('has our programs where nothing can be changed', async () => {
    await using one = await sandbox();
    assert.match(await command(one, 'cat /proc/self/mountinfo'), / \/\.pwp ro,nosuid,nodev/);
    const refused = await one.call(shell.run, { command: 'mkdir /.pwp/x' }, { signal: never });
    assert.notEqual(refused.exitCode, 0);
  });

  it('is part of the key by which checkpoints are found', async () => {
    await using one = await sandbox();
    const { digest } = await node.agentRoot(folder.file('root'));
    assert.equal(one.image, `${await node.image()}+${digest.slice(7, 23)}`);
  });

  it('is restored and forked with its programs', async () => {
    const checkpoint = await env.checkpoint();
    await env.call({ name: 'shell', arguments: { command: 'echo yes > done.txt' } });
    const [fork] = await env.fork({ from: checkpoint.id });
    assert.ok(fork);
    try {
      const { result } = await fork.call({ name: 'shell', arguments: { command: 'ls; greet' } });
      assert.equal(
        (result as { readonly stdout: string }).stdout,
        'a.txt\nimage.txt\nhello from the environment\n',
      );
    } finally {
      await fork.close();
    }
  });

  it('is graded in the same root, with what the agent changed of the image', async () => {
    await env.call({ name: 'shell', arguments: { command: 'echo more >> image.txt' } });
    const seen: LeftChanges[] = [];
    const { reward, log } = await env.grade({ onChanges: (changes) => void seen.push(changes) });
    assert.equal(reward, 1, log);
    assert.deepEqual(
      seen.flatMap((one) => ('files' in one ? one.files : [])),
      [
        { path: 'done.txt', change: 'added' },
        { path: 'image.txt', change: 'changed' },
      ],
    );
  });

  it('is the root of sandboxes without a desktop', async () => {
    await using bare = await node.start(bareSpec({ root: folder.file('root') }));
    assert.match(await says(bare, 'ls /; id'), /project[^]*uid=0/);
  });
});
