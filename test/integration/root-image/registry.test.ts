import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { deadline, poll } from '../../../bridge/lib/index.ts';
import { silentProgress } from '../../../host/lib/index.ts';
import {
  type EngineImages,
  ensureRootImage,
  type RootImageOptions,
} from '../../../host/node/root-image/index.ts';
import { StorageFiles } from '../../../host/node/root-image/storage-files.ts';
import type { TemporaryFolder } from '../../support/folder.ts';
import { type LayoutRegistry, startLayoutRegistry } from '../../support/layout-registry.ts';
import { never } from '../../support/node-sandbox.ts';
import { type WrittenImage, writeOciLayout } from '../../support/oci-layout.ts';
import { storeFolder } from '../../support/store-folder.ts';

const program = join(import.meta.dirname, 'programs/ensure-image.ts');

describe('an image of a registry, for the root of an agent', () => {
  let folder: TemporaryFolder;
  let written: WrittenImage;
  let registry: LayoutRegistry;
  beforeEach(async () => {
    folder = await storeFolder();
    const layers = [1, 2, 3].map((i) => [{ name: `file-${i}`, content: randomBytes(100_000) }]);
    written = await writeOciLayout(folder.file('layout'), { layers, compression: 'none' });
    registry = await startLayoutRegistry(folder.file('layout'));
  });
  afterEach(async () => {
    await registry[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  const ensure = (reference: string, more: Partial<RootImageOptions> = {}) => {
    const options = { home: folder.file('home'), progress: silentProgress, signal: never };
    return ensureRootImage(reference, { ...options, ...more });
  };
  const layersAsked = () => registry.blobs.filter((digest) => written.layers.includes(digest));

  it('is fetched once by two callers at once, and not again', async () => {
    const reference = `${registry.host}/some/image:1`;
    const both = await Promise.all([ensure(reference), ensure(reference)]);
    assert.deepEqual(both[0], both[1]);
    assert.equal(both[0]?.digest, written.config);
    assert.equal(layersAsked().length, 3);
    registry.blobs.length = 0;
    assert.equal((await ensure(reference)).digest, written.config);
    assert.deepEqual(registry.blobs, []);
    await ensure(`docker://${registry.host}/some/image:1`);
    assert.deepEqual(layersAsked(), []);
  });

  it('is taken by its digest, with or without a tag', async () => {
    const { manifests } = JSON.parse(await readFile(folder.file('layout/index.json'), 'utf8')) as {
      manifests: { digest: string }[];
    };
    const image = await ensure(`${registry.host}/image:1@${manifests[0]?.digest}`);
    assert.equal(image.digest, written.config);
  });

  it('goes on with the layers that are there after its process was killed', async () => {
    const [, , last = ''] = written.layers;
    const asked = Promise.withResolvers<void>();
    registry.fault = (digest) => {
      if (digest !== last) return true;
      // Layers are unpacked in their order: the first two are there only some time after the last was asked for.
      asked.resolve();
      return false;
    };
    const argv = [program, folder.file('home'), `${registry.host}/image:1`];
    const child = spawn(process.execPath, argv, { stdio: 'inherit' });
    await asked.promise;
    await untilLayers(folder.file('home/roots/store'), 2);
    child.kill('SIGKILL');
    await once(child, 'exit');
    registry.fault = null;
    registry.blobs.length = 0;
    assert.equal((await ensure(`${registry.host}/image:1`)).digest, written.config);
    assert.deepEqual(layersAsked(), [last]);
    const left = await readdir(folder.file('home/roots'));
    assert.deepEqual(left.sort(), ['lock', 'references', 'storage.conf', 'store']);
  });

  it('can be given up, and is fetched by the next caller', async () => {
    const controller = new AbortController();
    registry.fault = (digest) => {
      if (!written.layers.includes(digest)) return true;
      controller.abort(new Error('enough'));
      return false;
    };
    await assert.rejects(ensure(`${registry.host}/image:1`, { signal: controller.signal }), /enough/);
    registry.fault = null;
    assert.equal((await ensure(`${registry.host}/image:1`)).digest, written.config);
  });

  it('with a damaged layer is refused, with the digest of the layer', async () => {
    const [, layer = ''] = written.layers;
    registry.fault = (digest, response) => {
      if (digest !== layer) return true;
      response.writeHead(200).end(randomBytes(102_400));
      return false;
    };
    const damaged = ensure(`${registry.host}/image:1`);
    await assert.rejects(damaged, { code: 'bad-image', message: new RegExp(`layer ${layer} is damaged`) });
    registry.fault = null;
    assert.equal((await ensure(`${registry.host}/image:1`)).digest, written.config);
  });

  it('that is nowhere is an error with all that was tried', async () => {
    const nowhere = ensure(`${registry.host}/image:none`, { engine: () => Promise.resolve(null) });
    await assert.rejects(nowhere, {
      code: 'no-such-image',
      message: /engine: no Docker Engine answers\n {2}registry 127\.0\.0\.1:\d+: .*manifest unknown/,
    });
    await assert.rejects(ensure(`${registry.host}/private:1`), { code: 'no-such-image', help: /log in/ });
    await assert.rejects(ensure('127.0.0.1:1/image'), { code: 'registry-unreachable' });
    const engine = engineWith({});
    await assert.rejects(ensure('engine:image', { engine }), {
      code: 'no-such-image',
      message: /engine: it has no/,
    });
  });

  it('is taken from the engine if that has it, and again when the name stands for another image there', async () => {
    const name = 'own/image:1';
    const archive = folder.file('own.tar');
    await execa('skopeo', ['copy', `oci:${folder.file('layout')}`, `docker-archive:${archive}:${name}`]);
    const saved: string[] = [];
    const images = { [name]: { id: 'sha256:1', archive } };
    const engine = engineWith(images, saved);
    assert.equal((await ensure(name, { engine })).digest, written.config);
    assert.equal((await ensure(name, { engine })).digest, written.config);
    assert.deepEqual(saved, [name]);
    images[name] = { id: 'sha256:2', archive };
    await ensure(name, { engine });
    assert.deepEqual(saved, [name, name]);
    // Without the engine the image stays as it was.
    assert.equal((await ensure(name, { engine: () => Promise.resolve(null) })).digest, written.config);
  });
});

/** An engine with these images, and the names of those that were taken from it. */
function engineWith(images: Readonly<Record<string, { id: string; archive: string }>>, saved: string[] = []) {
  return (): Promise<EngineImages> =>
    Promise.resolve({
      find: (name) => {
        const image = images[name];
        return Promise.resolve(image ? { id: image.id, bytes: 300_000 } : null);
      },
      save: (name) => {
        saved.push(name);
        return Promise.resolve(createReadStream(images[name]?.archive ?? ''));
      },
    });
}

/** Waits until this many layers are whole in the store. */
async function untilLayers(folder: string, count: number): Promise<void> {
  const files = new StorageFiles(folder);
  using limit = deadline(`${count} layers`, 60_000);
  const probe = async () => {
    const layers = [...(await files.layers()).values()];
    const whole = layers.filter(({ incomplete }) => !incomplete).length;
    return whole >= count
      ? ({ done: true, value: undefined } as const)
      : ({ done: false, saw: `${whole} layers` } as const);
  };
  await poll('layers', probe, { intervalMs: 50, signal: limit.signal });
}
