import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { temporaryFolder } from '../../support/folder.ts';

const opener = fileURLToPath(new URL('../../programs/node-opener.ts', import.meta.url));

describe('the root folder of a node', () => {
  it('is refused if it is a chroot, where sandboxes would not be isolated', async () => {
    await using folder = await temporaryFolder();
    // Everything of this machine on a separate file system, in a mount namespace that ends with the command.
    const script = `set -e; cd ${folder.path}; mount -t tmpfs tmpfs .; mkdir upper work root
      mount -t overlay overlay -o lowerdir=/,upperdir=upper,workdir=work root
      mount -t proc proc root/proc; mount --rbind /sys root/sys; mount --rbind /dev root/dev; mount -t tmpfs tmpfs root/run
      exec chroot root "$@"`;
    const inside = [process.execPath, opener];
    const args = ['--mount', '--propagation', 'private', 'sh', '-c', script, 'sh', ...inside];
    const { stdout } = await execa('unshare', args);
    assert.equal(stdout, 'chrooted');
  });
});
