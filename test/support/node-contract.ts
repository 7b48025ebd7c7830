import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { create, list } from 'tar';
import type { Node } from '../../host/node/index.ts';
import { temporaryFolder } from './folder.ts';
import { bareSpec, bash, says } from './node-sandbox.ts';
import { slowIt } from './slow.ts';

/** The contract of every kind of node: one suite that runs against each. */
export function nodeContract(open: () => Promise<{ node: Node } & AsyncDisposable>): void {
  let test: { node: Node } & AsyncDisposable;
  before(async () => (test = await open()));
  after(() => test[Symbol.asyncDispose]());

  it('starts a sandbox on seeds, runs programs in it, reads its files, lists and stops it', async () => {
    const seeds = [{ path: '/workspace', tar: await tarOf('note.txt', 'seeded\n') }];
    const sandbox = await test.node.start(bareSpec({ name: 'contract', seeds }));
    assert.equal(await says(sandbox, 'cat /workspace/note.txt; echo x >> /workspace/note.txt'), 'seeded');
    assert.deepEqual(await bash(sandbox, 'echo out; echo err >&2; exit 3'), {
      exitCode: 3,
      stdout: 'out\n',
      stderr: 'err\n',
      truncated: false,
      timedOut: false,
    });
    const bytes = await sandbox.readFile('/workspace/note.txt', 100);
    assert.equal(Buffer.from(bytes ?? []).toString(), 'seeded\nx\n');
    assert.equal(await sandbox.readFile('/workspace/none', 100), null);
    assert.equal((await test.node.list()).find(({ id }) => id === sandbox.id)?.state, 'running');
    await sandbox.stop();
    assert.equal(
      (await test.node.list()).find(({ id }) => id === sandbox.id),
      undefined,
    );
  });

  it('copies folders out of a frozen sandbox into another', async () => {
    await using source = await test.node.start(bareSpec());
    await says(source, 'echo mine > /workspace/file && ln -s /etc/passwd /workspace/link');
    const copy = { from: source.id, paths: ['/workspace'] };
    await assert.rejects(test.node.start(bareSpec({ copy })), { code: 'not-frozen' });
    const frozen = await source.freeze();
    assert.equal((await test.node.list()).find(({ id }) => id === source.id)?.state, 'paused');
    await using target = await test.node.start(bareSpec({ copy }));
    await frozen[Symbol.asyncDispose]();
    await frozen[Symbol.asyncDispose]();
    assert.equal(await says(target, 'cat /workspace/file; readlink /workspace/link'), 'mine\n/etc/passwd');
    assert.equal(await says(source, 'echo alive'), 'alive');
  });

  it("packs a running sandbox's folder and unpacks over it, with links as they are", async () => {
    await using sandbox = await test.node.start(bareSpec());
    await says(
      sandbox,
      'mkdir -p /workspace/a && echo mine > /workspace/a/file && ln -s /etc /workspace/link',
    );
    const names = await sandbox.archive('/workspace', namesIn);
    assert.deepEqual(names, ['./', './a/', './a/file', './link']);
    assert.deepEqual(await sandbox.archive('/workspace/a/file', namesIn), ['./file']);
    await sandbox.unpack({ path: '/workspace/a', tar: await tarOf('file', 'given') });
    assert.equal(await says(sandbox, 'cat /workspace/a/file'), 'given');
    // A name of two lines, of which the second looks like a line of a pax header, and an archive as content.
    const name = 'f=$(printf "\\303\\251\\n10 size=0")';
    await says(sandbox, `cd /workspace/a; echo no > forged; ${name}; tar -cf "$f" ./forged; rm forged`);
    const inA = await sandbox.archive('/workspace/a', namesIn);
    assert.deepEqual(inA.sort(), ['./', './file', './é\n10 size=0']);
    await assert.rejects(sandbox.archive('/workspace/none', namesIn), { code: 'no-such-file' });
    await assert.rejects(sandbox.archive('/workspace/link/ssl', namesIn), { code: 'unsafe-path' });
    const through = { path: '/workspace/link', tar: await tarOf('escaped', 'x') };
    await assert.rejects(sandbox.unpack(through), { code: 'unsafe-path' });
  });

  it('stops packing when the reader stops, and the sandbox continues', async () => {
    await using sandbox = await test.node.start(bareSpec());
    await says(sandbox, 'truncate -s 2T /workspace/huge');
    const enough = new Error('enough');
    const first = async (tar: AsyncIterable<Uint8Array>) => {
      for await (const chunk of tar) if (chunk.length > 0) throw enough;
    };
    await assert.rejects(sandbox.archive('/workspace', first), enough);
    assert.equal(await says(sandbox, 'echo alive'), 'alive');
  });

  it('hashes a folder at one moment, even if it changes often', async () => {
    await using sandbox = await test.node.start(bareSpec());
    const options = { entries: 6, bytes: 1000, except: ['.git'] };
    const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
    const made = 'mkdir -p a .git && printf one > a/file && printf x > a/run && chmod +x a/run';
    await says(sandbox, `cd /workspace && ${made} && mkfifo pipe && printf y > .git/y && ln -s /etc link`);
    const first = await sandbox.hashes('/workspace', options);
    assert.deepEqual(Object.fromEntries(first), {
      a: 'folder',
      'a/file': hashOf('one'),
      'a/run': `x${hashOf('x')}`,
      link: '->/etc',
    });
    // Written at once with one size: the kernel's times may be equal.
    for (const text of ['two', 'six', 'ten']) {
      await says(sandbox, `printf ${text} > /workspace/a/file`);
      assert.equal((await sandbox.hashes('/workspace', options)).get('a/file'), hashOf(text));
    }
    await says(sandbox, 'cd /workspace && cp -p a/file kept && printf old > a/file && touch -r kept a/file');
    assert.equal((await sandbox.hashes('/workspace', options)).get('a/file'), hashOf('old'));
    await says(sandbox, 'cd /workspace && rm -r a && ln -s /etc a');
    assert.equal((await sandbox.hashes('/workspace', options)).get('a'), '->/etc');
    await says(sandbox, 'truncate -s 2T /workspace/huge');
    await assert.rejects(sandbox.hashes('/workspace', options), { code: 'too-large' });
    await assert.rejects(sandbox.hashes('/workspace/link/ssl', options), { code: 'unsafe-path' });
    await assert.rejects(sandbox.hashes('/workspace/none', options), { code: 'no-such-file' });
  });

  slowIt('hashes a folder into which a program writes continuously', async () => {
    await using sandbox = await test.node.start(bareSpec());
    const writes = 'for (( i = 0; ; i += 1 )); do echo $i > /workspace/a; cp /workspace/a /workspace/b; done';
    // In one command: background programs of a command end with it.
    const program = JSON.stringify(writes).replaceAll('$', '\\$');
    const begun = 'until [ -e /workspace/b ]; do sleep 0.05; done';
    await says(sandbox, `setsid bash -c ${program} > /dev/null 2>&1 & ${begun}`);
    const found = await sandbox.hashes('/workspace', { entries: 10, bytes: 1000, except: [] });
    assert.deepEqual([...found.keys()].toSorted(), ['a', 'b']);
  });

  it('reports errors by the same codes', async () => {
    await using sandbox = await test.node.start(bareSpec());
    await says(sandbox, 'ln -s /etc/passwd /root/link; head -c 100 /dev/zero > /root/big');
    await assert.rejects(sandbox.readFile('/root/link', 100), { code: 'unsafe-path' });
    await assert.rejects(sandbox.readFile('/root/big', 10), { code: 'too-large' });
    await assert.rejects(test.node.open('missing-12345678'), { code: 'no-such-sandbox' });
    await assert.rejects(test.node.stop('../../etc'), { code: 'no-such-sandbox' });
    await assert.rejects(test.node.start(bareSpec({ name: '../x' })), {
      code: 'bad-name',
    });
  });

  it('transfers files and output larger than a message', async () => {
    await using sandbox = await test.node.start(bareSpec());
    const size = 40 * 1024 * 1024;
    await says(sandbox, `head -c ${size} /dev/urandom > /root/big; sha256sum /root/big > /root/sum`);
    const bytes = await sandbox.readFile('/root/big', size);
    const sum = createHash('sha256')
      .update(bytes ?? '')
      .digest('hex');
    assert.equal(await says(sandbox, 'cut -d" " -f1 /root/sum'), sum);
    // Control characters are six times as long in JSON.
    const line = `head -c ${size} /dev/zero | tr '\\0' '\\1'; echo err >&2`;
    const { stdout, stderr } = await bash(sandbox, line, { maxOutputBytes: size });
    assert.equal(stdout.length, size);
    assert.equal(stderr, 'err\n');
  });

  it('ends a program when the caller gives up', async () => {
    await using sandbox = await test.node.start(bareSpec());
    const controller = new AbortController();
    const spec = { argv: ['sleep', '2345'], cwd: '/', env: {}, timeoutMs: 60_000, maxOutputBytes: 10 };
    const running = sandbox.exec(spec, { signal: controller.signal });
    await says(sandbox, 'until pgrep -f "^sleep 2345"; do :; done');
    controller.abort(new Error('enough'));
    await assert.rejects(running, { message: 'enough' });
    await says(sandbox, 'while pgrep -r S,R,D -f "^sleep 2345"; do :; done');
  });

  it('opens a sandbox again without ending it', async () => {
    await using sandbox = await test.node.start(bareSpec());
    {
      await using opened = await test.node.open(sandbox.id);
      assert.equal(await says(opened, 'hostname'), 'pwp');
    }
    assert.equal(await says(sandbox, 'echo alive'), 'alive');
  });

  it('lets one person act at a time, also after a restore, and no one on a fork', async () => {
    const [ada, bob] = (['Ada', 'Bob'] as const).map((name) => ({ kind: 'person', id: name, name }) as const);
    assert.ok(ada && bob);
    await using sandbox = await test.node.start(bareSpec());
    await using other = await test.node.open(sandbox.id);
    assert.equal((await other.lease.state()).revision, 0);
    const { hold, state } = await sandbox.lease.take(ada, { ttlMs: 600_000 });
    const reported = other.lease.changed(0, { signal: AbortSignal.timeout(60_000) });
    assert.deepEqual([state.holder?.actor, (await reported).holder?.actor], [ada, ada]);
    await assert.rejects(other.lease.take(bob), { code: 'control-held', message: /Ada/ });
    await other.lease.request(bob, 'my turn');
    const { id } = await sandbox.checkpoint({ kind: 'disk' });
    await using fork = await test.node.fork(id, { name: 'fork', keep: false });
    assert.equal((await fork.lease.state()).revision, 0);
    await sandbox.restore(id);
    await sandbox.lease.renew(hold);
    const { requests, holder } = await other.lease.state();
    assert.deepEqual([requests[0]?.why, holder?.actor.name], ['my turn', 'Ada']);
    await other.lease.revoke(bob);
    await assert.rejects(sandbox.lease.renew(hold), { code: 'control-lost', message: /revoked by Bob/ });
    await other.lease.looked(1);
    assert.deepEqual(await sandbox.lease.state().then(({ turns, looked }) => [turns, looked]), [1, 1]);
    await assert.rejects(sandbox.lease.take({ ...ada, id: '' }), (error) => error instanceof Error);
  });

  it('lets one session play a batch at a time', async () => {
    await using first = await test.node.start(bareSpec());
    await using second = await test.node.open(first.id);
    const held = await first.beginBatch();
    const order: string[] = [];
    const next = second.beginBatch().then(async (begun) => {
      order.push('second');
      await begun[Symbol.asyncDispose]();
    });
    await assert.rejects(second.beginBatch({ signal: AbortSignal.timeout(300) }), /abort|time/i);
    order.push('first');
    await held[Symbol.asyncDispose]();
    await next;
    assert.deepEqual(order, ['first', 'second']);
    await (await first.beginBatch())[Symbol.asyncDispose]();
  });

  it("lets people answer agents' questions", async () => {
    const by = { kind: 'person', id: 'ada', name: 'Ada' } as const;
    const from = { kind: 'agent', id: 'a', name: 'Agent' } as const;
    await using sandbox = await test.node.start(bareSpec());
    const question = { from, wants: 'answer', text: 'Which port?', choices: ['80', '81'] } as const;
    const asking = sandbox.questions.ask(question, { timeoutMs: 60_000 });
    const { questions } = await sandbox.questions.changed(0, { signal: AbortSignal.timeout(60_000) });
    const id = questions[0]?.id ?? '';
    assert.deepEqual(questions, [{ ...question, id, at: questions[0]?.at }]);
    await sandbox.questions.answer(id, { by, how: 'answered', text: '81' });
    assert.deepEqual(await asking, { by, how: 'answered', text: '81' });
    await assert.rejects(sandbox.questions.answer(id, { by, how: 'answered', text: '80' }), {
      code: 'no-such-question',
    });
    await assert.rejects(sandbox.questions.ask(question, { timeoutMs: 1 }), { code: 'timeout' });
    const controller = new AbortController();
    const given = assert.rejects(
      sandbox.questions.ask(question, { timeoutMs: 60_000, signal: controller.signal }),
      { message: 'enough' },
    );
    const { revision } = await sandbox.questions.open();
    controller.abort(new Error('enough'));
    await given;
    const left = await sandbox.questions.open();
    const last = left.questions.length > 0 ? await sandbox.questions.changed(revision) : left;
    assert.deepEqual(last.questions, []);
  });

  it('finds by key the youngest checkpoint that was restored, otherwise the youngest', async () => {
    await using sandbox = await test.node.start(bareSpec());
    const key = `key-${sandbox.id}`;
    const take = async () => (await sandbox.checkpoint({ key, kind: 'disk' })).id;
    const found = async () => (await test.node.findCheckpoint(key))?.id;
    assert.equal(await test.node.findCheckpoint(key), null);
    const first = await take();
    assert.equal(await found(), first);
    await sandbox.restore(first);
    const second = await take();
    assert.equal(await found(), first, 'the second was never restored');
    await sandbox.restore(second);
    assert.equal(await found(), second);
    const ids = (await test.node.checkpoints()).filter((one) => one.key === key).map(({ id }) => id);
    assert.deepEqual(ids, [first, second]);
    await test.node.deleteCheckpoint(second);
    await test.node.deleteCheckpoint(first);
  });
}

async function tarOf(name: string, text: string): Promise<Uint8Array> {
  await using folder = await temporaryFolder();
  await writeFile(folder.file(name), text);
  const chunks: Buffer[] = [];
  for await (const chunk of create({ cwd: folder.path, portable: true }, [name]))
    chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

async function namesIn(tar: AsyncIterable<Uint8Array>): Promise<string[]> {
  const names: string[] = [];
  const reader = list({ onReadEntry: ({ path }) => names.push(path) });
  for await (const chunk of tar) reader.write(Buffer.from(chunk));
  reader.end();
  return names.sort();
}
