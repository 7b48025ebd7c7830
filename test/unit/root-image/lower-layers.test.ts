import assert from 'node:assert/strict';
import { nameLayers, requireOptionsFit } from '../../../host/node/container/lower-layers.ts';

const store = '/home/user/.cache/pwp/roots/store/overlay/l';
const link = (i: number) => `${store}/${String(i).padStart(26, 'A')}`;

describe('names of layers in mount options', () => {
  it('are whole paths while they are few: the mount table shows which folders are in use', () => {
    assert.deepEqual(nameLayers(['/a/b', '/c']), { cwd: '/', lowerdir: '/a/b:/c' });
  });

  it('are short ones where a whole path for each would not fit', () => {
    const layers = ['/cache/images/own/rootfs', ...Array.from({ length: 127 }, (_, i) => link(i))];
    const { cwd, lowerdir } = nameLayers(layers);
    assert.equal(cwd, store);
    assert.equal(lowerdir.split(':')[0], '/cache/images/own/rootfs');
    assert.equal(lowerdir.split(':')[127], '126'.padStart(26, 'A'));
    requireOptionsFit(
      `lowerdir=${lowerdir},upperdir=/a,workdir=/b,index=off,metacopy=off,redirect_dir=off,xino=on`,
    );
  });

  it('that do not fit are refused, since they would be cut off without an error', () => {
    assert.throws(() => requireOptionsFit('x'.repeat(4096)), { code: 'mount-failed' });
    for (const path of ['/a:b', '/a,b', '/a\\b'])
      assert.throws(() => nameLayers([path]), { code: 'bad-setting' });
  });
});
