import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import { archive, file, link } from '../../support/archive.ts';
import { onEveryNode, type OpenedNode } from '../../support/each-node.ts';
import { bareSpec, bash, ownName, says } from '../../support/node-sandbox.ts';
import { slowIt } from '../../support/slow.ts';

onEveryNode('the seeds of a sandbox', (open) => {
  let test: OpenedNode;
  before(async () => (test = await open()));
  after(() => test[Symbol.asyncDispose]());

  const startWith = (tar: Uint8Array, path = '/workspace') =>
    test.node.start(bareSpec({ seeds: [{ path, tar }] }));

  it('are unpacked from archives, with links as they are, and everything owned by root', async () => {
    await using sandbox = await startWith(
      archive(file('a/b.txt', 'hello'), link('a/python', '/usr/bin/python3'), link('up', '..')),
    );
    assert.equal(await says(sandbox, 'cat /workspace/a/b.txt'), 'hello');
    assert.equal(await says(sandbox, 'stat -c "%U %a" /workspace/a/b.txt'), 'root 644');
    assert.equal(await says(sandbox, 'readlink /workspace/a/python /workspace/up'), '/usr/bin/python3\n..');
    assert.equal(await says(sandbox, '/workspace/a/python -c "print(1)"'), '1');
  });

  const bad: [string, Uint8Array][] = [
    ['a path that climbs out', archive(file('../../../../../../tmp/pwp-escaped'))],
    ['a link that climbs out', archive(link('../pwp-escaped', 'x'))],
    ['an absolute path', archive(file('/tmp/pwp-escaped'))],
    ['a device', archive({ path: 'disk', type: 'CharacterDevice' })],
    ['a pipe', archive({ path: 'pipe', type: 'FIFO' })],
    [
      'a hard link to the outside',
      archive({ path: 'hard', type: 'Link', linkpath: '../../../../../../../../etc/passwd' }),
    ],
    ['a file below a link', archive(link('out', '/tmp'), file('out/pwp-escaped'))],
    ['a truncated archive', archive(file('a', 'y'.repeat(5000))).subarray(0, 2000)],
  ];
  for (const [what, tar] of bad) {
    it(`are refused with ${what}`, async () => {
      await assert.rejects(startWith(tar), { code: 'bad-seed' });
      await assert.rejects(stat(join(test.root, 'tmp/pwp-escaped')), { code: 'ENOENT' });
    });
  }

  it('are unpacked while they are read, after those that are complete', async () => {
    const tar = archive(file('big', 'y'.repeat(5_000_000)), file('a', 'over'));
    const pieces = async function* () {
      for (let at = 0; at < tar.length; at += 70_000) yield tar.subarray(at, at + 70_000);
      await Promise.resolve();
    };
    const seeds = [
      { path: '/workspace', tar: archive(file('a'), file('b')) },
      { path: '/workspace', tar: pieces() },
    ];
    await using sandbox = await test.node.start(bareSpec({ seeds }));
    assert.equal(await says(sandbox, 'cd /workspace; stat -c %s big; cat a b'), '5000000\noverx');
  });

  it('leave nothing if reading fails midway, and the error says why', async () => {
    const failing = async function* () {
      yield archive(file('big', 'y'.repeat(500_000))).subarray(0, 100_000);
      await Promise.reject(new PwpError('bad-seed', 'the file has changed'));
    };
    const name = ownName('midway');
    const seeds = [{ path: '/workspace', tar: failing() }];
    await assert.rejects(test.node.start(bareSpec({ name, seeds })), /the file has changed/);
    assert.deepEqual(await test.traces(name), []);
  });

  it("are refused if they do not fit on the sandbox's disk", async () => {
    const tar = archive(file('big', 'y'.repeat(200_000_000)));
    const limits = { cpus: 1, memoryMb: 256, pids: 128, diskMb: 64 };
    await assert.rejects(test.node.start(bareSpec({ seeds: [{ path: '/workspace', tar }], limits })), {
      code: 'seed-too-large',
    });
  });

  it('are refused if they would be unpacked through a link of the image', async () => {
    await assert.rejects(startWith(archive(file('x')), '/lib/somewhere'), { code: 'unsafe-path' });
    await assert.rejects(startWith(archive(file('x')), '/workspace/../etc'), { code: 'unsafe-path' });
  });
});

onEveryNode('a copy of a frozen sandbox', (open) => {
  let test: OpenedNode;
  before(async () => (test = await open()));
  after(() => test[Symbol.asyncDispose]());

  const copyOf = (from: string, paths: string[], tar?: Uint8Array) =>
    test.node.start(bareSpec({ copy: { from, paths }, seeds: tar ? [{ path: paths[0] ?? '/', tar }] : [] }));

  it('is exact, including deletions, and has seeds on top', async () => {
    await using source = await test.node.start(bareSpec());
    await says(
      source,
      'mkdir -p /workspace/d; echo 1 > /workspace/d/f; chmod 751 /workspace/d; ln -s /etc/shadow /workspace/l',
    );
    // Something of the image that the agent deletes must not come back from the image.
    await says(source, 'rm -rf /etc/apt; mkdir /etc/apt; echo mine > /etc/apt/mine; rm /root/.bashrc');
    await using held = new AsyncDisposableStack();
    held.use(await source.freeze());
    await using copy = await copyOf(
      source.id,
      ['/workspace', '/root', '/etc/apt'],
      archive(file('d/g', '2')),
    );
    assert.equal(
      await says(copy, 'cd /workspace; stat -c "%a" d; cat d/f d/g; readlink l'),
      '751\n1\n2/etc/shadow',
    );
    assert.equal(await says(copy, 'ls -A /etc/apt; ls -A /root | grep bashrc || echo gone'), 'mine\ngone');
    assert.equal(await says(copy, 'test -e /etc/shadow && echo there'), 'there');
  });

  it('has only the requested parts of a folder, and their parent folders as they are', async () => {
    await using source = await test.node.start(bareSpec());
    await says(
      source,
      'mkdir -p /opt/p/a/kept /opt/p/a/left /opt/p/b; cd /opt/p; touch a/kept/f a/left/f b/f f; chmod 700 a; ln -s a/kept link',
    );
    await using held = new AsyncDisposableStack();
    held.use(await source.freeze());
    const start = (only: string[]) =>
      test.node.start(bareSpec({ copy: { from: source.id, paths: ['/opt/p'], only } }));
    await using copy = await start(['a/kept', 'gone/x']);
    assert.equal(
      await says(copy, 'cd /opt/p; find . | sort; stat -c %a a'),
      '.\n./a\n./a/kept\n./a/kept/f\n700',
    );
    for (const part of ['link', '../p/a', 'link/x'])
      await assert.rejects(start([part]), { code: 'unsafe-path' }, part);
  });

  it('leaves out everything except files, folders and links', async () => {
    await using source = await test.node.start(bareSpec());
    const socket = 'python3 -c "import socket; socket.socket(socket.AF_UNIX).bind(\'/workspace/s\')"';
    await says(source, `mkdir -p /workspace; cd /workspace; mkfifo p; ${socket}; echo 1 > f`);
    await using held = new AsyncDisposableStack();
    held.use(await source.freeze());
    await using copy = await copyOf(source.id, ['/workspace']);
    assert.equal(await says(copy, 'ls -A /workspace'), 'f');
  });

  it('has no folder that the source does not have', async () => {
    await using source = await test.node.start(bareSpec());
    await says(source, 'rm -rf /workspace');
    await using held = new AsyncDisposableStack();
    held.use(await source.freeze());
    await using copy = await copyOf(source.id, ['/workspace']);
    assert.equal((await bash(copy, 'ls -d /workspace')).exitCode, 2);
  });

  slowIt('is refused for a running source, and for a link in place of a folder', async () => {
    const { outside, there } = await outsideFolder(test);
    await writeFile(join(outside, 'secret'), 'secret');
    await using source = await test.node.start(bareSpec());
    await says(source, `rm -rf /workspace; ln -s ${there} /workspace; ln -s ${dirname(there)} /root/link`);
    await assert.rejects(copyOf(source.id, ['/workspace']), { code: 'not-frozen' });
    await using held = new AsyncDisposableStack();
    held.use(await source.freeze());
    for (const path of ['/workspace', `/root/link/${outside.split('/').at(-1) ?? ''}`, '/root/../etc']) {
      await assert.rejects(copyOf(source.id, [path]), { code: 'unsafe-path' }, path);
    }
    await rm(outside, { recursive: true });
  });

  it('can be of the whole root, with what was removed and replaced, and of files', async () => {
    await using source = await test.node.start(bareSpec());
    await says(
      source,
      'rm -r /etc/apt /tmp; mkdir /etc/apt; touch /etc/apt/mine; ln -s /nowhere /tmp; echo 1 > /own',
    );
    await using held = new AsyncDisposableStack();
    held.use(await source.freeze());
    await using whole = await copyOf(source.id, ['/']);
    assert.equal(await says(whole, 'ls /etc/apt; cat /own; ls -d /bin /tmp/'), 'mine\n1\n/bin\n/tmp/');
    await using one = await copyOf(source.id, ['/own']);
    assert.equal(await says(one, 'cat /own; ls -d /etc/apt/sources.list.d'), '1\n/etc/apt/sources.list.d');
  });

  it('does not let seeds follow copied links', async () => {
    const { outside, there } = await outsideFolder(test);
    await using source = await test.node.start(bareSpec());
    await says(
      source,
      `rm -rf /workspace; mkdir /workspace; ln -s ${there} /workspace/tests; ln -s ${there}/f /workspace/f`,
    );
    await using held = new AsyncDisposableStack();
    held.use(await source.freeze());
    await assert.rejects(copyOf(source.id, ['/workspace'], archive(file('tests/t.py'))), {
      code: 'bad-seed',
    });
    await using copy = await copyOf(source.id, ['/workspace'], archive(file('f', 'over the link')));
    assert.equal(
      await says(copy, 'cat /workspace/f; readlink /workspace/f || echo plain'),
      'over the linkplain',
    );
    await assert.rejects(readFile(join(outside, 'f')), { code: 'ENOENT' });
    await rm(outside, { recursive: true });
  });
});

onEveryNode('readFile', (open) => {
  let test: OpenedNode;
  before(async () => (test = await open()));
  after(() => test[Symbol.asyncDispose]());

  it('reads from outside, frozen or not, and follows no link', async () => {
    await using sandbox = await test.node.start(bareSpec());
    await says(
      sandbox,
      'mkdir -p /logs; printf 1.0 > /logs/reward; ln -s /etc/hostname /logs/link; ln -s /etc /logs/etc; mkfifo /logs/pipe',
    );
    const read = async (path: string, max = 100) => {
      const bytes = await sandbox.readFile(path, max);
      return bytes && Buffer.from(bytes).toString();
    };
    assert.equal(await read('/logs/reward'), '1.0');
    assert.equal(await read('/logs/reward', 3), '1.0');
    await assert.rejects(read('/logs/reward', 2), { code: 'too-large' });
    for (const path of ['/logs/nothing', '/logs/reward/x', '/logs', '/logs/pipe'])
      assert.equal(await read(path), null, path);
    for (const path of ['/logs/link', '/logs/etc/hostname', '/logs/../logs/reward', 'logs']) {
      await assert.rejects(read(path), { code: 'unsafe-path' }, path);
    }
    await using held = new AsyncDisposableStack();
    held.use(await sandbox.freeze());
    assert.equal(await read('/logs/reward'), '1.0');
  });
});

/** A folder on the node's machine: as seen from here, and the path by which a link inside a sandbox would reach it. */
async function outsideFolder({ root }: OpenedNode): Promise<{ outside: string; there: string }> {
  const outside = await mkdtemp(join(root, 'tmp/pwp-outside-'));
  return { outside, there: join('/tmp', basename(outside)) };
}
