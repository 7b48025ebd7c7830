import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareFolder, socketFolder } from '../../../extension/src/window-socket.ts';

const uid = process.getuid?.() ?? 0;

describe('the folder of the sockets', () => {
  const place = { env: { PWP_SOCKET_DIR: '/run/a', XDG_RUNTIME_DIR: '/run/user/7' }, tmp: '/tmp', uid: 7 };

  it('is the setting first of all', () => assert.equal(socketFolder('/set', place), '/set'));

  it('is $PWP_SOCKET_DIR next', () => assert.equal(socketFolder('', place), '/run/a'));

  it('is in $XDG_RUNTIME_DIR next', () => {
    const env = { ...place.env, PWP_SOCKET_DIR: '' };
    assert.equal(socketFolder('', { ...place, env }), '/run/user/7/pwp');
  });

  it('is with temporary files, separate for each user, if nothing else is set', () => {
    assert.equal(socketFolder('', { ...place, env: {} }), '/tmp/pwp-7');
  });

  it('is never relative to the folder where VS Code was started', () => {
    assert.throws(() => socketFolder('sockets', place), {
      code: 'bad-setting',
      help: /pwp\.socketDirectory/,
    });
    const env = { PWP_SOCKET_DIR: 'sockets' };
    assert.throws(() => socketFolder('', { ...place, env }), {
      code: 'bad-setting',
      help: /\$PWP_SOCKET_DIR/,
    });
  });
});

describe('a folder for sockets', () => {
  let base: string;
  beforeEach(async () => (base = await mkdtemp(join(tmpdir(), 'pwp-folder-'))));
  afterEach(() => rm(base, { recursive: true }));

  it('is made for its owner only', async () => {
    await prepareFolder(join(base, 'a/b'), uid);
    assert.equal((await stat(join(base, 'a/b'))).mode & 0o777, 0o700);
  });

  it('is used as it is when only its owner may write to it', async () => {
    await mkdir(join(base, 'shared'), { mode: 0o755 });
    await prepareFolder(join(base, 'shared'), uid);
    assert.equal((await stat(join(base, 'shared'))).mode & 0o777, 0o755);
  });

  it('is refused when others may write to it', async () => {
    await chmod(base, 0o770);
    await assert.rejects(prepareFolder(base, uid), { code: 'unsafe-folder', help: /chmod 700/ });
  });

  it('is refused when it belongs to another user', async () => {
    await assert.rejects(prepareFolder(base, uid + 1), { code: 'unsafe-folder', message: /belongs to user/ });
  });

  it('is refused when it is a link or a file', async () => {
    await symlink(base, join(base, 'link'));
    await assert.rejects(prepareFolder(join(base, 'link'), uid), { code: 'unsafe-folder' });
    await writeFile(join(base, 'file'), '');
    await assert.rejects(prepareFolder(join(base, 'file'), uid));
  });
});
