import assert from 'node:assert/strict';
import { mkdir, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { silentProgress } from '../../../host/lib/index.ts';
import { nameLayers } from '../../../host/node/container/lower-layers.ts';
import { ensureRootImage, listRootImages, pruneRootImages } from '../../../host/node/root-image/index.ts';
import type { TemporaryFolder } from '../../support/folder.ts';
import { runOnLayers } from '../../support/mounted-layers.ts';
import { never } from '../../support/node-sandbox.ts';
import { writeOciLayout } from '../../support/oci-layout.ts';
import { listRichRoot, richLayers, richListing } from '../../support/rich-layers.ts';
import { slowIt } from '../../support/slow.ts';
import { MiB, smallDisk } from '../../support/small-disk.ts';
import { storeFolder } from '../../support/store-folder.ts';

describe('the cache of images for the roots of agents', () => {
  let folder: TemporaryFolder;
  let home: string;
  beforeEach(async () => {
    folder = await storeFolder();
    home = folder.file('home');
  });
  afterEach(() => folder[Symbol.asyncDispose]());
  const ensure = async (name: string, layers = richLayers) => {
    await writeOciLayout(folder.file(name), { layers });
    return ensureRootImage(folder.file(name), { home, progress: silentProgress, signal: never });
  };
  const prune = async (more: { all?: boolean; kept?: string[] } = {}) => {
    const { removed, freedBytes } = await pruneRootImages({ home, signal: never, ...more });
    return { removed: removed.map(({ reference }) => reference), freedBytes };
  };
  const age = async (days: number) => {
    const then = new Date(Date.now() - days * 24 * 60 * 60 * 1000);
    const references = join(home, 'roots/references');
    for (const name of await readdir(references)) await utimes(join(references, name), then, then);
  };
  const countLayers = async () => (await readdir(join(home, 'roots/store/overlay/l'))).length;

  it('lists them with size, layers and last use', async () => {
    await ensure('one');
    const [image, ...more] = await listRootImages({ home });
    assert.deepEqual(more, []);
    assert.deepEqual([image?.reference, image?.layers, image?.used], [folder.file('one'), 3, false]);
    assert.ok((image?.bytes ?? 0) > 5000);
    assert.ok(Date.now() - Date.parse(image?.usedAt ?? '') < 60_000);
  });

  it('is empty before the first', async () => {
    assert.deepEqual(await listRootImages({ home }), []);
    assert.deepEqual(await prune({ all: true }), { removed: [], freedBytes: 0 });
  });

  it('keeps images that were used in the last week, unless all are to go', async () => {
    await ensure('one');
    assert.deepEqual((await prune()).removed, []);
    await age(8);
    await ensure('one');
    assert.deepEqual((await prune()).removed, []);
    const { removed, freedBytes } = await prune({ all: true });
    assert.deepEqual(removed, [folder.file('one')]);
    assert.ok(freedBytes > 5000);
    assert.equal(await countLayers(), 0);
    await ensure('one');
    assert.equal(await countLayers(), 3);
  });

  it('keeps layers that another image has', async () => {
    await ensure('one');
    await age(8);
    const other = await ensure('other', [...richLayers.slice(0, 2), [{ name: 'file', content: 'x' }]]);
    assert.deepEqual((await prune()).removed, [folder.file('one')]);
    assert.equal(await countLayers(), 3);
    assert.match(await runOnLayers(other.layers, 'ls'), /file/);
  });

  const whileMounted = async (layers: readonly string[], run: () => Promise<void>) => {
    const { cwd, lowerdir } = nameLayers(layers);
    const point = folder.file('mounted');
    await mkdir(point);
    await execa('mount', ['-t', 'overlay', 'pwp', '-o', `ro,lowerdir=${lowerdir}`, point], { cwd });
    try {
      await run();
    } finally {
      await execa('umount', [point]);
    }
  };

  it('keeps images that are mounted, or that a checkpoint needs', async () => {
    const { layers, digest } = await ensure('one');
    await age(8);
    const kept = [`base-own-${digest.slice(7, 23)}`];
    assert.deepEqual((await prune({ all: true, kept })).removed, []);
    await whileMounted(layers, async () => {
      assert.deepEqual((await prune({ all: true })).removed, []);
      assert.equal((await listRootImages({ home }))[0]?.used, true);
    });
    assert.deepEqual((await prune({ all: true })).removed, [folder.file('one')]);
  });

  slowIt('has no image for which the disk has no room, before or while it is unpacked', async () => {
    await using disk = await smallDisk(700 * MiB);
    const ensureThere = (name: string) =>
      ensureRootImage(folder.file(name), { home: disk.path, progress: silentProgress, signal: never });
    await writeOciLayout(folder.file('large'), { layers: richLayers, claimedBytes: 100 * MiB });
    const message = /needs about 1200 MiB, and \d+ MiB are free/;
    await assert.rejects(ensureThere('large'), { code: 'disk-full', message });
    // More than the whole disk: it is ended by what is left of it, or by its end.
    const zeros = [{ name: 'zeros', content: Buffer.alloc(800 * MiB) }];
    await writeOciLayout(folder.file('bomb'), { layers: [zeros] });
    await assert.rejects(ensureThere('bomb'), { code: 'disk-full' });
    await writeOciLayout(folder.file('usual'), { layers: richLayers });
    assert.equal((await ensureThere('usual')).layers.length, 3);
  });

  slowIt('has images of more than a hundred layers, which one mount takes', async () => {
    const more = Array.from({ length: 124 }, (_, i) => [{ name: `file-${i}`, content: 'x' }]);
    const { layers } = await ensure('many', [...richLayers, ...more]);
    assert.equal(layers.length, 127);
    const listed = (await runOnLayers(layers, listRichRoot)).split('\n');
    assert.deepEqual(
      listed.filter((line) => !line.startsWith('./file-')),
      richListing,
    );
    assert.equal(listed.filter((line) => line.startsWith('./file-')).length, 124);
    await whileMounted(layers, async () => assert.equal((await listRootImages({ home }))[0]?.used, true));
  });
});
