import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { watchFindings } from '../../../host/doors/cli/commands/doctor.ts';
import { raiseWatchLimits, readProcessLimits } from '../../../host/node/container/kernel-limits.ts';
import { readWatchLimits } from '../../../host/node/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';

describe('the process limits of a sandbox', () => {
  const own = (signals: string, bytes: string) =>
    [
      'Limit                     Soft Limit           Hard Limit           Units     ',
      `Max pending signals       100                  ${signals.padEnd(20)} signals   `,
      `Max msgqueue size         819200               ${bytes.padEnd(20)} bytes     `,
    ].join('\n');
  const of = (text: string) => readProcessLimits(text).map(({ type, hard, soft }) => [type, hard, soft]);

  it('leave this machine enough of what the kernel counts per user', () => {
    assert.deepEqual(of(own('96364', 'unlimited')), [
      ['RLIMIT_CORE', 0, 0],
      ['RLIMIT_SIGPENDING', 4096, 4096],
      ['RLIMIT_MSGQUEUE', 204_800, 204_800],
    ]);
  });

  it("do not exceed this process's own, which can't be raised in a container", () => {
    assert.deepEqual(of(own('1000', '0')).slice(1), [
      ['RLIMIT_SIGPENDING', 1000, 1000],
      ['RLIMIT_MSGQUEUE', 0, 0],
    ]);
  });
});

describe("a machine's limits of file watchers", () => {
  let folder: TemporaryFolder;
  beforeEach(async () => (folder = await temporaryFolder()));
  afterEach(() => folder[Symbol.asyncDispose]());

  async function machine(instances: number, watches: number) {
    const kernel = folder.file('inotify');
    await mkdir(kernel);
    await writeFile(`${kernel}/max_user_instances`, `${instances}\n`);
    await writeFile(`${kernel}/max_user_watches`, `${watches}\n`);
    return { kernel, kept: folder.file('60-pwp.conf') };
  }

  it('are raised if too low, now and for the next boot, and pwp doctor says how', async () => {
    const places = await machine(128, 192_536);
    const [finding] = watchFindings(await readWatchLimits(places));
    assert.equal(finding?.state, 'without');
    assert.match(
      finding.help,
      /sysctl -w fs\.inotify\.max_user_instances=8192 fs\.inotify\.max_user_watches=1048576$/,
    );
    await raiseWatchLimits(places);
    assert.deepEqual(await readWatchLimits(places), { instances: 8192, watches: 1_048_576, cure: null });
    const kept = await readFile(places.kept, 'utf8');
    assert.match(kept, /^fs\.inotify\.max_user_instances = 8192\nfs\.inotify\.max_user_watches = 1048576$/m);
    assert.equal(watchFindings(await readWatchLimits(places))[0]?.state, 'ok');
  });

  it('are each left unchanged if high enough', async () => {
    const places = await machine(128, 2_000_000);
    await raiseWatchLimits(places);
    assert.deepEqual(await readWatchLimits(places), { instances: 8192, watches: 2_000_000, cure: null });
    assert.doesNotMatch(await readFile(places.kept, 'utf8'), /watches/);
  });

  it('are not reported if the kernel does not count them', async () => {
    const places = { kernel: folder.file('none'), kept: folder.file('kept') };
    await raiseWatchLimits(places);
    assert.deepEqual(watchFindings(await readWatchLimits(places)), []);
    assert.deepEqual(await readdir(folder.path), []);
  });
});
