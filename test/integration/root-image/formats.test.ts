import assert from 'node:assert/strict';
import { link, mkdir, readdir, writeFile } from 'node:fs/promises';
import { execa } from 'execa';
import { silentProgress } from '../../../host/lib/index.ts';
import { ensureRootImage } from '../../../host/node/root-image/index.ts';
import type { TemporaryFolder } from '../../support/folder.ts';
import { runOnLayers } from '../../support/mounted-layers.ts';
import { never } from '../../support/node-sandbox.ts';
import {
  type LayoutOptions,
  machineArchitecture,
  makeArchive,
  writeOciLayout,
} from '../../support/oci-layout.ts';
import { listRichRoot, richLayers, richListing } from '../../support/rich-layers.ts';
import { slowIt } from '../../support/slow.ts';
import { storeFolder } from '../../support/store-folder.ts';

const config = { Env: ['A=b=c'], User: 'agent', WorkingDir: '/testbed', Cmd: ['/bin/bash'] };

/** Prints 1 if the file has a capability. */
const listCapable =
  "tar --create --format=posix --xattrs --xattrs-include='*' capable | grep -ac security.capability";

describe('an image for the root of an agent', () => {
  let folder: TemporaryFolder;
  before(async () => {
    folder = await storeFolder();
    await writeOciLayout(folder.file('gzip'), { layers: richLayers, config });
  });
  after(() => folder[Symbol.asyncDispose]());
  const ensure = (reference: string) =>
    ensureRootImage(reference, { home: folder.file('home'), progress: silentProgress, signal: never });
  const list = async (layers: readonly string[]) => (await runOnLayers(layers, listRichRoot)).split('\n');
  const write = async (name: string, options: Partial<LayoutOptions>) => {
    const image = await writeOciLayout(folder.file(name), { layers: richLayers, config, ...options });
    return { ...image, reference: folder.file(name) };
  };

  it('is a stack of folders with all that its layers have, and its configuration', async () => {
    const image = await ensure(folder.file('gzip'));
    assert.equal(image.layers.length, 3);
    assert.deepEqual(await list(image.layers), richListing);
    assert.match(await runOnLayers(image.layers, listCapable), /^1$/);
    const { env, user, workdir, cmd } = image.config;
    assert.deepEqual([env['A'], user, workdir, cmd], ['b=c', 'agent', '/testbed', ['/bin/bash']]);
  });

  it('has devices that do not work, since sandboxes mount it without any', async () => {
    const { layers } = await ensure(folder.file('gzip'));
    await assert.rejects(runOnLayers(layers, 'cat null'), /Permission denied/);
  });

  it('is the same however its layers are compressed, and they are there once', async () => {
    const first = await ensure(folder.file('gzip'));
    const all = [];
    for (const compression of ['none', 'zstd'] as const)
      all.push(await ensure((await write(compression, { compression })).reference));
    assert.deepEqual(
      all.map(({ digest }) => digest),
      [first.digest, first.digest],
    );
    assert.deepEqual(
      all.map(({ layers }) => layers),
      [first.layers, first.layers],
    );
    assert.equal((await readdir(folder.file('home/roots/store/overlay/l'))).length, 3);
  });

  it('shares its lower layers with others, and has another digest with another variable', async () => {
    const first = await ensure(folder.file('gzip'));
    const more = await write('more', { layers: [...richLayers, [{ name: 'top', content: 'x' }]] });
    const image = await ensure(more.reference);
    assert.deepEqual(image.layers.slice(1), first.layers);
    const other = await ensure((await write('other', { config: { ...config, Env: ['A=d'] } })).reference);
    assert.deepEqual(other.layers, first.layers);
    assert.notEqual(other.digest, first.digest);
  });

  slowIt('is read from what docker save writes, and from an archive of a layout', async () => {
    const first = await ensure(folder.file('gzip'));
    for (const format of ['docker-archive', 'oci-archive']) {
      const archive = folder.file(`${format}.tar`);
      await execa('skopeo', ['copy', `oci:${folder.file('gzip')}`, `${format}:${archive}`]);
      const image = await ensure(archive);
      await execa('gzip', ['--keep', archive]);
      assert.equal((await ensure(`${archive}.gz`)).digest, image.digest);
      assert.deepEqual(image.layers, first.layers, format);
      assert.equal((await ensure(`${format}:${archive}`)).digest, image.digest);
    }
  });

  it('is read from what docker export writes, plain or compressed', async () => {
    const root = folder.file('exported');
    await mkdir(`${root}/usr`, { recursive: true });
    await writeFile(`${root}/usr/file`, 'x');
    await execa('tar', ['--create', `--file=${folder.file('root.tar')}`, `--directory=${root}`, 'usr']);
    await execa('gzip', ['--keep', folder.file('root.tar')]);
    for (const name of ['root.tar', 'root.tar.gz'])
      assert.equal(await runOnLayers((await ensure(folder.file(name))).layers, 'cat usr/file'), 'x', name);
  });

  it('is made of a folder, and made again when the folder has changed', async () => {
    const root = folder.file('root');
    await mkdir(`${root}/usr`, { recursive: true });
    await execa('tar', ['--extract', '--xattrs', '--xattrs-include=*', `--directory=${root}`], {
      input: makeArchive(richLayers[0] ?? []),
    });
    await link(`${root}/one`, `${root}/usr/third`);
    const first = await ensure(root);
    assert.equal(first.layers.length, 1);
    const listed = await list(first.layers);
    for (const line of richListing.filter((one) => !/emptied|folder|\.\/o[nt]/.test(one)))
      assert.ok(listed.includes(line), `${line} is not in\n${listed.join('\n')}`);
    assert.ok(listed.includes('./usr/third f 0 644 3'));
    assert.match(await runOnLayers(first.layers, listCapable), /^1$/);
    assert.equal((await ensure(root)).digest, first.digest);
    await writeFile(`${root}/usr/third`, 'other text');
    assert.notEqual((await ensure(root)).digest, first.digest);
  });

  it('of an index is the one for this machine; without one the index is refused', async () => {
    const several = await write('several', { architectures: ['s390x', machineArchitecture] });
    assert.equal((await ensure(several.reference)).digest, several.config);
    const foreign = await write('foreign', { architectures: ['s390x', 'ppc64le'] });
    await assert.rejects(ensure(foreign.reference), {
      code: 'other-architecture',
      message: /s390x, ppc64le/,
    });
    const single = await write('single', { architecture: 's390x' });
    await assert.rejects(ensure(single.reference), { code: 'other-architecture' });
  });

  it('that is not one, or is damaged, is refused with what is wrong', async () => {
    await mkdir(folder.file('empty'));
    await writeFile(folder.file('text.tar'), 'no archive');
    await assert.rejects(ensure(folder.file('missing')), { code: 'no-such-file' });
    await assert.rejects(ensure(folder.file('empty')), { code: 'bad-image', message: /is no image/ });
    await assert.rejects(ensure(folder.file('text.tar')), { code: 'bad-image' });
    const damaged = await write('damaged', { layers: [[{ name: 'damaged', content: 'x' }]] });
    const [layer = ''] = damaged.layers;
    await writeFile(folder.file(`damaged/blobs/sha256/${layer.slice(7)}`), 'y');
    await assert.rejects(ensure(damaged.reference), { code: 'bad-image', message: new RegExp(layer) });
  });
});
