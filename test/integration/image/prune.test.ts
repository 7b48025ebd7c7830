import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { silentProgress } from '../../../host/lib/index.ts';
import { pruneImageLayers } from '../../../host/node/image/image-uses.ts';
import { ensureLayer } from '../../../host/node/image/layer-build.ts';
import { type ImageLayer, LayerStore } from '../../../host/node/image/layer-store.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { never } from '../../support/node-sandbox.ts';
import { quickRecipe } from './recipes.ts';

describe('layers that nothing needs', () => {
  let folder: TemporaryFolder;
  let layer: ImageLayer;
  beforeEach(async () => {
    folder = await temporaryFolder();
    const options = { progress: silentProgress, signal: never };
    layer = await ensureLayer(new LayerStore(folder.path), quickRecipe(), options);
  });
  afterEach(() => folder[Symbol.asyncDispose]());
  const prune = async (...bound: string[]) =>
    (await pruneImageLayers({ signal: never, bound, home: folder.path })).map(({ name }) => name);

  it('are removed', async () => {
    assert.deepEqual(await prune('/somewhere/else', `${dirname(layer.rootfs)}-too`), ['trial']);
    assert.deepEqual((await readdir(folder.file('images'))).sort(), ['lock', 'logs']);
  });

  it('are measured before they are removed, to report the freed space', async () => {
    const [pruned] = await pruneImageLayers({ signal: never, home: folder.path });
    assert.ok((pruned?.bytes ?? 0) > 0);
  });

  it('are kept while a container mounts them, or a folder above or inside them', async () => {
    for (const bound of [dirname(layer.rootfs), folder.file('images'), layer.rootfs, `${layer.rootfs}/usr`])
      assert.deepEqual(await prune(bound), [], bound);
    assert.deepEqual(await prune(), ['trial']);
  });

  it('are kept while a saved checkpoint needs them, if they hold languages', async () => {
    const recipe = { ...quickRecipe(), name: 'languages-cpp-go' };
    const options = { progress: silentProgress, signal: never };
    const { key } = await ensureLayer(new LayerStore(folder.path), recipe, options);
    const image = `${'a'.repeat(16)}-${'b'.repeat(16)}-cpp-go-${key.slice(0, 16)}`;
    const pruned = async (...kept: string[]) =>
      (await pruneImageLayers({ signal: never, kept, home: folder.path })).map(({ name }) => name);
    assert.deepEqual(await pruned(image), ['trial']);
    assert.deepEqual(await pruned(), ['languages-cpp-go']);
  });

  it('are not mixed up with layers of other sources whose key starts the same', async () => {
    const store = new LayerStore(folder.path);
    const recipe = quickRecipe();
    assert.equal((await store.find(recipe))?.rootfs, layer.rootfs);
    assert.equal(await store.find({ ...recipe, key: recipe.key.slice(0, 63) + 'b' }), null);
  });
});
