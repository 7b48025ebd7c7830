import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rm, symlink } from 'node:fs/promises';
import { createLocalNode, describeAgentRoot } from '../../../host/node/index.ts';
import { fetchAgentRoot } from '../../../host/node/root-images.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { never } from '../../support/node-sandbox.ts';
import { runHome } from '../../support/run-home.ts';
import { makeSmallRoot } from '../../support/small-root.ts';

/** Each of them would end a program of ours, or have it load the image's files. */
const env = {
  ...{ PATH: '/usr/bin:/bin', LD_PRELOAD: '/lib/none.so' },
  ...{ NODE_OPTIONS: '--no-such-option', OPENSSL_CONF: '/nowhere' },
};

describe('what an image has', () => {
  it('is found out in a sandbox, also with pipes in the place of its files', async () => {
    await using folder = await temporaryFolder();
    const reference = folder.file('root');
    await makeSmallRoot(reference);
    execFileSync('mkfifo', [
      '-m',
      '777',
      ...['etc/os-release', 'bin/git'].map((name) => folder.file(`root/${name}`)),
    ]);
    await rm(folder.file('root/bin/sed'));
    await symlink('/bin/sed', folder.file('root/bin/sed'));
    await using node = await createLocalNode({
      home: runHome(),
      root: async (image, options) => ({ ...(await fetchAgentRoot(image, options)), env }),
    });
    const facts = await describeAgentRoot(node, reference, { signal: never });
    const { programs, environment, system, libc, shell } = facts;
    assert.match(programs.bash?.version ?? '', /^5\./);
    assert.deepEqual(
      [programs.sed, programs.git, programs.python, system, shell],
      [null, null, null, '', ''],
    );
    assert.match(libc, /^glibc \d/);
    assert.deepEqual([environment.active, environment.problems], [null, []]);
  });
});
