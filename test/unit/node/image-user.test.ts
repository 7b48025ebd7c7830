import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { findImageUser } from '../../../host/node/root-image/image-user.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';

const passwd = [
  'root:x:0:0:root:/root:/bin/bash',
  'dev:x:1000:1000::/srv/dev:/bin/bash',
  'www-data:x:33:33::/var/www:/bin/sh',
  'odd:x:1001:100::/:/bin/sh',
  'desk:x:2000:65100::/home/desk:/bin/sh',
];
const group = [
  'root:x:0:',
  'dev:x:1000:',
  'users:x:100:dev,odd',
  'video:x:44:odd,dev',
  'adm:x:65100:www-data',
];

describe('the user of an image', () => {
  let folder: TemporaryFolder;
  before(async () => {
    folder = await temporaryFolder();
    const files = {
      // The upper one counts.
      'lower/etc/passwd': 'dev:x:7:7::/lower:/bin/sh\n',
      'lower/etc/group': 'dev:x:7:\n',
      'upper/etc/passwd': `${passwd.join('\n')}\n`,
      'upper/etc/group': `${group.join('\n')}\n`,
    };
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(folder.file(path)), { recursive: true });
      await writeFile(folder.file(path), text);
    }
  });
  after(() => folder[Symbol.asyncDispose]());

  const find = (user: string, env: Readonly<Record<string, string>> = {}, layers = ['upper', 'lower']) =>
    findImageUser({
      reference: 'an-image',
      layers: layers.map((name) => folder.file(name)),
      config: { env, user, workdir: '/', entrypoint: [], cmd: [] },
    });
  const dev = { uid: 1000, gid: 1000, groups: [100, 44], home: '/srv/dev' };

  it('is named, or numbered, with the groups that have it', async () => {
    for (const user of ['dev', '1000']) assert.deepEqual(await find(user), dev);
    assert.deepEqual(await find('0'), { uid: 0, gid: 0, groups: [], home: '/root' });
  });

  it('has the group that is given, and then no other', async () => {
    for (const user of ['dev:video', '1000:44'])
      assert.deepEqual(await find(user), { ...dev, gid: 44, groups: [] });
    assert.deepEqual(await find('dev:1234'), { ...dev, gid: 1234, groups: [] });
  });

  it('may be in no table', async () => {
    const unlisted = { uid: 4321, gid: 0, groups: [], home: '/home/pwp' };
    assert.deepEqual(await find('4321'), unlisted);
    assert.deepEqual(await find('4321', {}, []), unlisted);
    assert.deepEqual(await find('0', {}, []), { uid: 0, gid: 0, groups: [], home: '/root' });
  });

  it('has the home that the variables give, unless it is the system', async () => {
    assert.equal((await find('dev', { HOME: '/data/home' })).home, '/data/home');
    assert.equal((await find('dev', { HOME: '/usr/bin' })).home, '/home/pwp');
    assert.equal((await find('odd')).home, '/home/pwp');
    assert.equal((await find('0', { HOME: '/' })).home, '/root');
  });

  it('is refused if the image does not have it', async () => {
    for (const user of ['missing', 'dev:missing', '-1', '4294967295'])
      await assert.rejects(find(user), { code: 'bad-image' }, user);
  });

  it("is never the desktop's, nor in its group", async () => {
    for (const user of ['65100', 'dev:65100', 'desk', 'www-data', '1000:adm'])
      await assert.rejects(find(user), { code: 'unsupported' }, user);
  });

  it('has a home that programs find through links', async () => {
    await mkdir(folder.file('linked/srv/homes'), { recursive: true });
    await symlink('srv/homes', folder.file('linked/home'));
    await symlink('/home/./there', folder.file('linked/srv/homes/one'));
    const layers = ['linked', 'upper'];
    assert.equal((await find('dev', { HOME: '/home/one/x' }, layers)).home, '/srv/homes/there/x');
    assert.equal((await find('dev', { HOME: '/home/../home/../../etc' }, layers)).home, '/home/pwp');
    await symlink('two', folder.file('linked/srv/homes/one2'));
    await symlink('one2', folder.file('linked/srv/homes/two'));
    await assert.rejects(find('dev', { HOME: '/home/two' }, layers), {
      code: 'bad-image',
      message: /circle/,
    });
  });

  it("is not read from this machine's own tables", async () => {
    await mkdir(folder.file('links'), { recursive: true });
    await symlink('/etc', folder.file('links/etc'));
    await assert.rejects(find('www-data', {}, ['links']), { code: 'bad-image' });
  });
});
