import assert from 'node:assert/strict';
import { chooseLayerSource } from '../../../host/node/docker/engine.ts';
import { imageBuildError } from '../../../host/node/docker/image-build.ts';
import { findUnneededImages, type NodeImageUse } from '../../../host/node/docker/image-list.ts';

describe('images of the Docker node', () => {
  const elsewhere = { arch: 'x64', shared: false };

  it('bring their own layers if this machine shares no files with the engine', async () => {
    assert.equal(await chooseLayerSource(elsewhere, {}), 'complete');
    assert.equal(await chooseLayerSource(elsewhere, { PWP_NODE_IMAGE: '' }), 'complete');
    assert.equal(await chooseLayerSource(elsewhere, { PWP_NODE_IMAGE: 'bound' }), 'bound');
    assert.equal(
      await chooseLayerSource({ arch: 'x64', shared: true }, { PWP_NODE_IMAGE: 'complete' }),
      'complete',
    );
    await assert.rejects(chooseLayerSource(elsewhere, { PWP_NODE_IMAGE: 'full' }), { code: 'bad-setting' });
  });

  it('are not needed if no source tree here and no container uses them; node images are removed first', () => {
    const image = (kind: NodeImageUse['kind'], name: string, current = false, used = false) => {
      return { kind, name, key: '', bytes: 0, builtAt: '', current, used };
    };
    const images = [
      image('node-base', 'base'),
      image('node-base', 'current base', true),
      image('node-layers', 'layers'),
      image('node', 'used', false, true),
      image('rest', 'rest'),
      image('node', 'old'),
    ];
    assert.deepEqual(
      findUnneededImages(images).map(({ name }) => name),
      ['old', 'rest', 'layers', 'base'],
    );
  });

  it("that can't be built report whether the disk was full, and where the log is", () => {
    const full = imageBuildError('apt: write failed: No space left on device', '/log', new Error('step 3'));
    assert.equal(full.code, 'disk-full');
    assert.match(full.help ?? '', /pwp images prune\n.*\/log/);
    const local = Object.assign(new Error('write'), { code: 'ENOSPC' });
    assert.equal(imageBuildError('writing failed', null, local).code, 'disk-full');
    const other = imageBuildError('step 3 failed', '/log', new Error('exit 1'));
    assert.deepEqual([other.code, other.help], ['image-build-failed', 'The whole log is in /log.']);
  });
});
