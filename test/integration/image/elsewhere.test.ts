import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lockCommand } from '../../../host/lib/concurrency.ts';
import { identifyByPs } from '../../../host/lib/process-identity.ts';
import { temporaryFolder } from '../../support/folder.ts';

/** The replacements for Linux features on other Unix systems, run here. */
describe('on other Unix systems', () => {
  it('a process is identified by its start time', async () => {
    const self = await identifyByPs(process.pid);
    assert.equal(self?.pid, process.pid);
    assert.match(self.startTime, /\d\d:\d\d:\d\d \d{4}$/);
    assert.deepEqual(await identifyByPs(process.pid), self);
    const child = spawn('true');
    await once(child, 'exit');
    assert.equal(await identifyByPs(child.pid ?? 0), null);
  });

  it('a lock is held by the kernel: one owner at a time, free when it is killed', async () => {
    await using folder = await temporaryFolder();
    const start = (wait: boolean) => {
      const [program, args] = lockCommand(folder.file('lock'), wait, 'darwin');
      return spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    };
    const first = start(false);
    const [text] = (await once(first.stdout, 'data')) as [Buffer];
    assert.equal(text.toString(), 'held\n');
    const refused = start(false);
    assert.deepEqual(await once(refused, 'exit'), [1, null]);
    const second = start(true);
    const held = once(second.stdout, 'data');
    first.kill('SIGKILL');
    await held;
    second.stdin.end();
    assert.deepEqual(await once(second, 'exit'), [0, null]);
  });
});
