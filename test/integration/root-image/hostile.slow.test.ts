import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { describeAgentRoot } from '../../../host/node/index.ts';
import { createLocalNode } from '../../../host/node/index.ts';
import type { LocalNode } from '../../../host/node/local/local-node.ts';
import { fetchAgentRoot } from '../../../host/node/root-images.ts';
import { Environment } from '../../../host/run/index.ts';
import type { TemporaryFolder } from '../../support/folder.ts';
import { writeHostileImage } from '../../support/hostile-image.ts';
import { lookTask } from '../../support/look-task.ts';
import { bareSpec, never, says } from '../../support/node-sandbox.ts';
import { writeOciLayout } from '../../support/oci-layout.ts';
import { runHome } from '../../support/run-home.ts';
import { storeFolder } from '../../support/store-folder.ts';

describe('an image that is made to do harm', function () {
  this.timeout(900_000);
  let folder: TemporaryFolder;
  let node: LocalNode;
  let image: string;
  before(async () => {
    folder = await storeFolder();
    image = await writeHostileImage(folder);
    node = await createLocalNode({ home: runHome(), root: fetchAgentRoot });
  });
  after(async () => {
    await node[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  it('is described', async () => {
    const { programs, system, environment, links } = await describeAgentRoot(node, image, { signal: never });
    assert.deepEqual([programs.git, programs.python, system, links], [null, null, '', ['/opt']]);
    assert.match(programs.bash?.version ?? '', /^5\./);
    assert.match(environment.problems.join('\n'), /entry point is left out/);
  });

  it('is the root of an IDE, which is checkpointed and forked there, and named if it has no score', async () => {
    await using env = new Environment({ node, task: lookTask, image });
    await env.reset({ signal: never });
    const { result } = await env.call({
      name: 'shell',
      arguments: { command: 'ls -A /project; echo yes > done.txt' },
    });
    const { stdout } = result as { readonly stdout: string };
    assert.match(stdout, /notes\.txt/);
    // For each program of a terminal, the image's loader prints an error, in which its output may be lost.
    await env.call({ name: 'run_terminal_cmd', arguments: { command: 'echo $((40 + 2))' } });
    const [fork] = await env.fork();
    assert.ok(fork);
    await fork.close();
    // A test's files would be unpacked through the image's link.
    await assert.rejects(env.grade(), { code: 'grading-failed', message: /"opt" is a symbolic link/ });
  });

  it('has no capabilities, and reaches nothing of this machine', async () => {
    await using bare = await node.start(bareSpec({ root: image }));
    assert.match(await says(bare, 'cat /proc/self/mountinfo'), / \/\.pwp ro,nosuid,nodev/);
    const marker = `pwp-test-${process.pid}`;
    try {
      await writeFile(`/${marker}`, '');
      const seen = await says(bare, 'ls -A /opt');
      assert.match(seen, /^entry\.sh$/m);
      assert.doesNotMatch(seen, new RegExp(marker));
    } finally {
      await rm(`/${marker}`, { force: true });
    }
    assert.equal(existsSync('/entry.sh') || existsSync('/many'), false);
  });

  it('is refused with what is wrong, where nothing can run', async () => {
    await writeOciLayout(folder.file('long'), {
      layers: [[{ name: 'bin', type: 'folder' }]],
      config: { Env: [`PATH=${'/x'.repeat(512 * 1024)}`] },
    });
    await assert.rejects(node.start(bareSpec({ root: folder.file('long') })), {
      code: 'bad-image',
      message: /the variable PATH .* has 1048581 bytes/,
    });
    await writeOciLayout(folder.file('pipes'), {
      layers: [
        [
          { name: 'etc', type: 'folder' },
          { name: 'etc/passwd', type: 'fifo' },
        ],
      ],
    });
    await assert.rejects(node.start(bareSpec({ root: folder.file('pipes') })), {
      code: 'sandbox-failed',
      message: /took longer than/,
    });
  });
});
