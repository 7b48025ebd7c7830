import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acquireLock, lockHolder, type ProcessIdentity } from '../../../host/lib/index.ts';

const holder = join(import.meta.dirname, 'programs/hold-lock.ts');

describe('lock', () => {
  let folder = '';
  let path = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pwp-lock-'));
    path = join(folder, 'new/lock');
  });
  afterEach(() => rm(folder, { recursive: true }));
  const signal = new AbortController().signal;

  it('lets a second owner in after the first, and reports whom it waits for', async () => {
    const order: string[] = [];
    const first = await acquireLock(path, { signal });
    let waiting: Promise<AsyncDisposable> | undefined;
    const asked = await new Promise<ProcessIdentity | null>((onWait) => {
      waiting = acquireLock(path, { signal, onWait }).finally(() => order.push('second has it'));
    });
    assert.equal(asked?.pid, process.pid);
    order.push('first lets go');
    await first[Symbol.asyncDispose]();
    await (await waiting)?.[Symbol.asyncDispose]();
    assert.deepEqual(order, ['first lets go', 'second has it']);
  });

  it('stops waiting when it is cancelled', async () => {
    const first = await acquireLock(path, { signal });
    const controller = new AbortController();
    const waiting = acquireLock(path, {
      signal: controller.signal,
      onWait: () => controller.abort(new Error('enough')),
    });
    await assert.rejects(waiting, /enough/);
    await first[Symbol.asyncDispose]();
    await (await acquireLock(path, { signal }))[Symbol.asyncDispose]();
  });

  it('is free after its owner was killed', async () => {
    const owner = spawn(process.execPath, [holder, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(owner.stdout, 'data');
    assert.equal((await lockHolder(path))?.pid, owner.pid);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    assert.equal(await lockHolder(path), null);
    const lock = await acquireLock(path, { signal });
    await lock[Symbol.asyncDispose]();
  });
});
