import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { newCheckpointId } from '../../../host/node/checkpoint-store/checkpoint-files.ts';
import { CheckpointStore } from '../../../host/node/checkpoint-store/checkpoint-store.ts';
import {
  changed,
  describeTree,
  fill,
  metaOf,
  newDump,
  readDump,
  take,
} from '../../support/checkpoint-dump.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { never } from '../../support/node-sandbox.ts';
import { mountOverlay } from '../../support/overlay.ts';
import { slowIt } from '../../support/slow.ts';

/** Enough for all of a test, raw. */
const ample = { budgetBytes: 2 ** 30, hotBytes: 2 ** 30, quietMs: 0 };

describe('the checkpoint store', () => {
  let folder: TemporaryFolder;
  let store: CheckpointStore;
  beforeEach(async () => {
    folder = await temporaryFolder();
    store = await CheckpointStore.open(folder.path, { ...ample, onProblem: assert.ifError });
  });
  afterEach(async () => {
    await store[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  const read = async (id: string) => {
    await using held = await store.hold(id, never);
    return await readDump(held.folder);
  };
  const names = () => readdir(folder.file('checkpoints'));
  const packs = () => readdir(folder.file('checkpoints/packs'));

  it('has a checkpoint once it is committed, and nothing of one that is not', async () => {
    const dump = newDump();
    {
      await using draft = await store.begin(newCheckpointId());
      await fill(draft.folder, dump);
      assert.deepEqual(await store.list(), []);
    }
    assert.deepEqual(
      (await names()).filter((name) => /ck-|draft/.test(name)),
      [],
    );
    const info = await take(store, dump, { name: 'first' });
    assert.deepEqual(await store.list(), [info]);
    assert.equal(info.state, 'hot');
    assert.ok(info.bytes >= dump.pages.length);
    assert.deepEqual(await read(info.id), dump);
  });

  it('packs against the parent, and returns every byte', async () => {
    const first = newDump();
    const second = changed(first);
    const parent = await take(store, first);
    const child = await take(store, second, { parent: parent.id });
    const grandchild = await take(store, changed(second), { parent: child.id });
    // The ancestors are packed first.
    await store.pack(grandchild.id, never);
    await store.pack(child.id, never);
    await store.pack(parent.id, never);
    const list = await store.list();
    assert.deepEqual(
      list.map(({ state }) => state),
      ['packed', 'packed', 'packed'],
    );
    assert.ok(
      (list[1]?.bytes ?? Infinity) < first.pages.length / 10,
      `the child takes ${list[1]?.bytes} bytes`,
    );
    assert.ok((list[2]?.bytes ?? Infinity) < first.pages.length / 10);
    assert.deepEqual(await read(child.id), second);
    assert.deepEqual(await read(parent.id), first);
    assert.equal((await store.get(child.id)).state, 'hot');
  });

  slowIt('keeps what children need of a deleted parent, and no longer than they need it', async () => {
    const first = newDump();
    const parent = await take(store, first);
    const child = await take(store, changed(first, 0), { parent: parent.id });
    await store.pack(child.id, never);
    await store.delete(parent.id);
    assert.deepEqual((await read(child.id)).pages, first.pages);
    assert.equal((await packs()).length, 2);
    await store.delete(child.id);
    assert.deepEqual(await packs(), []);
    await assert.rejects(store.hold(child.id, never), { code: 'no-such-checkpoint' });
    await assert.rejects(store.delete(child.id), { code: 'no-such-checkpoint' });
    await assert.rejects(store.delete('../images'), { code: 'no-such-checkpoint' });
  });

  it('refuses to delete one that is in use', async () => {
    const { id } = await take(store, newDump());
    {
      await using held = await store.hold(id, never);
      await assert.rejects(store.delete(held.id), { code: 'checkpoint-in-use' });
      await store.pack(id, never);
      assert.deepEqual((await readdir(held.folder)).sort(), ['files', 'images', 'sums.json']);
    }
    await store.delete(id);
    assert.deepEqual(await store.list(), []);
  });

  it('keeps whiteouts, opaque folders, attributes, links, holes, sockets and names with any bytes', async () => {
    await using draft = await store.begin(newCheckpointId());
    await fill(draft.folder, newDump(10));
    await mkdir(folder.file('lower/seen'), { recursive: true });
    await mkdir(folder.file('lower/replaced'));
    for (const name of ['gone', 'seen/one', 'replaced/hidden'])
      await writeFile(folder.file(`lower/${name}`), name);
    const upper = join(draft.folder, 'files/upper');
    await mkdir(upper);
    {
      using overlay = mountOverlay(folder.path, upper);
      execFileSync('bash', ['-ec', strange], { cwd: overlay.root });
    }
    const server = createServer().listen(join(upper, 'socket'));
    await once(server, 'listening');
    execFileSync('ln', [join(upper, 'socket'), join(upper, 'left-socket')]);
    server.close();
    await once(server, 'close');
    const before = describeTree(draft.folder);
    const { id } = await draft.commit(metaOf());
    await store.pack(id, never);
    await using held = await store.hold(id, never);
    const after = describeTree(held.folder).filter((line) => !line.startsWith('sums.json'));
    // Whiteouts share a name with the mount's work folder; the times of images don't matter.
    const same = (line: string) => !/^( d |images\/|files\/upper\/gone )/.test(line);
    assert.deepEqual(after.filter(same), before.filter(same));
    // Not on the kept folder itself: a mount would change it.
    execFileSync('cp', ['-a', join(held.folder, 'files/upper'), folder.file('again')]);
    using overlay = mountOverlay(folder.path, folder.file('again'));
    assert.deepEqual(
      (await readdir(overlay.root)).sort().filter((name) => /gone|seen|replaced/.test(name)),
      ['replaced', 'seen'],
    );
    assert.deepEqual(await readdir(join(overlay.root, 'replaced')), ['new']);
    assert.equal(
      execFileSync('du', ['-k', join(overlay.root, 'holes')], { encoding: 'utf8' }).split('\t')[0],
      '4',
    );
    const [one, two] = await Promise.all(
      ['seen/one', 'seen/two'].map((name) => stat(join(overlay.root, name))),
    );
    assert.equal(one?.ino, two?.ino);
  });

  describe('finds damage', () => {
    const damage = async (path: string, at: number) => {
      const bytes = await readFile(path);
      const spot = at < 0 ? bytes.length + at : at;
      bytes[spot] = (bytes[spot] ?? 0) ^ 1;
      await writeFile(path, bytes);
    };
    const raw = (id: string, name: string) => folder.file(`checkpoints/${id}/raw/${name}`);
    const pack = async () => folder.file(`checkpoints/packs/${(await packs())[0]}`);

    for (const [what, settled] of [
      ['before', false],
      ['after', true],
    ] as const) {
      it(`in a raw one ${what} it got its checksums`, async () => {
        await using lazy = await CheckpointStore.open(folder.path, { ...ample, quietMs: 1e6 });
        const taker = settled ? store : lazy;
        for (const name of ['images/pages-1.img', 'files/folder/text', 'sums.json']) {
          const { id } = await take(taker, newDump());
          if (settled) await taker.idle();
          await damage(raw(id, name), 50);
          await assert.rejects(taker.hold(id, never), { code: 'checkpoint-damaged' }, name);
          await taker.delete(id);
        }
      });
    }

    it('when a file is cut off or gone, or the description has changed', async () => {
      for (const spoil of [
        (id: string) => writeFile(raw(id, 'images/pages-1.img'), 'short'),
        (id: string) => rm(raw(id, 'images/inventory.img')),
        (id: string) => damage(folder.file(`checkpoints/${id}/meta.json`), 40),
      ]) {
        const { id } = await take(store, newDump());
        await store.idle();
        await spoil(id);
        await assert.rejects(store.hold(id, never), { code: 'checkpoint-damaged' });
        await store.delete(id);
      }
    });

    it('but not when a file was only touched', async () => {
      const dump = newDump();
      const { id } = await take(store, dump);
      await store.idle();
      await writeFile(raw(id, 'images/pages-1.img'), dump.pages);
      assert.deepEqual(await read(id), dump);
    });

    it('in the head, the frames, the footer, the tail and the end of a pack', async () => {
      const dump = newDump();
      const { id } = await take(store, dump);
      await store.pack(id, never);
      for (const at of [3, 5000, -200, -60, -1]) {
        await damage(await pack(), at);
        await assert.rejects(store.hold(id, never), { code: 'checkpoint-damaged' }, `at ${at}`);
        assert.deepEqual(
          (await names()).filter((name) => name.includes('draft')),
          [],
        );
        // The same bit again.
        await damage(await pack(), at);
      }
      assert.deepEqual(await read(id), dump);
    });

    it('and makes a raw one again that has a pack', async () => {
      const dump = newDump();
      const { id } = await take(store, dump);
      await store.pack(id, never);
      await read(id);
      await damage(raw(id, 'images/pages-1.img'), 5000);
      assert.deepEqual(await read(id), dump);
    });

    it('in the parent, and bases nothing new on it', async () => {
      const dump = newDump();
      const parent = await take(store, dump);
      await store.pack(parent.id, never);
      await damage(await pack(), 5000);
      const child = await take(store, dump, { parent: parent.id });
      await store.pack(child.id, never);
      await assert.rejects(store.hold(parent.id, never), { code: 'checkpoint-damaged' });
      assert.deepEqual(await read(child.id), dump);
    });
  });

  describe('moves one to another machine', () => {
    const exported = async (dump = newDump()) => {
      const parent = await take(store, dump);
      const child = await take(store, changed(dump), { parent: parent.id, name: 'taken along' });
      await store.pack(child.id, never);
      await store.export(child.id, folder.file('one.pwpck'), never);
      return { parent, child, dump: await read(child.id) };
    };

    slowIt('in one file that needs no other', async () => {
      const { child, dump } = await exported();
      await using elsewhere = await temporaryFolder();
      await using other = await CheckpointStore.open(elsewhere.path, ample);
      const info = await other.import(folder.file('one.pwpck'), never);
      assert.deepEqual({ ...info, bytes: 0, state: 'hot' }, { ...child, bytes: 0 });
      await using held = await other.hold(info.id, never);
      assert.deepEqual(await readDump(held.folder), dump);
      // Imported a second time, it is the same one.
      assert.equal((await other.import(folder.file('one.pwpck'), never)).id, child.id);
      assert.equal((await other.list()).length, 1);
    });

    slowIt('and refuses a file that is cut off, changed, of another format or something else', async () => {
      await exported();
      const good = await readFile(folder.file('one.pwpck'));
      const flipped = (at: number) => {
        const bytes = Buffer.from(good);
        bytes[at] = (bytes[at] ?? 0) ^ 1;
        return bytes;
      };
      const bad: [string, Buffer][] = [
        ['checkpoint-damaged', good.subarray(0, good.length - 1)],
        ['checkpoint-damaged', good.subarray(0, 1000)],
        ['checkpoint-damaged', good.subarray(0, 0)],
        ['checkpoint-damaged', flipped(0)],
        ['checkpoint-damaged', flipped(Math.floor(good.length / 2))],
        ['checkpoint-damaged', flipped(good.length - 100)],
        ['checkpoint-other-format', flipped(8)],
      ];
      const before = await store.list();
      for (const [code, bytes] of bad) {
        await writeFile(folder.file('bad'), bytes);
        await assert.rejects(store.import(folder.file('bad'), never), { code });
      }
      await copyFile(await pathOfSomePack(), folder.file('bad'));
      await assert.rejects(store.import(folder.file('bad'), never), { code: 'checkpoint-damaged' });
      await assert.rejects(store.import(folder.file('nowhere'), never), { code: 'no-such-file' });
      assert.deepEqual(await store.list(), before);
      assert.deepEqual(
        (await names()).filter((name) => name.includes('draft')),
        [],
      );
    });

    /** The child's pack, which needs its parent's. */
    const pathOfSomePack = async () => {
      const all = await Promise.all(
        (await packs()).map(async (name) => {
          const path = folder.file(`checkpoints/packs/${name}`);
          return { path, size: (await stat(path)).size };
        }),
      );
      return all.sort((a, b) => a.size - b.size)[0]?.path ?? '';
    };
  });
});

/** Run in the root of an overlay. */
const strange = `
rm gone; rm -r replaced; mkdir replaced; echo new > replaced/new
ln seen/one seen/two; ln -s ../gone link; mkfifo -m 0624 pipe
truncate -s 50M holes; printf end | dd of=holes bs=1 seek=30000000 conv=notrunc status=none
mkdir -m 1777 sticky; echo x > sticky/owned; chown 1234:4321 sticky/owned; chmod 4711 sticky/owned
touch -d '2001-02-03 04:05:06.123456789' sticky/owned sticky
touch "$(printf 'bad\\xff\\nname')" -- '-dash' '*'; mkdir "$(printf '\\xfe')"; echo 1 > "$(printf '\\xfe')/x"
`;
