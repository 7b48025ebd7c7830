import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { poll } from '../../../bridge/lib/index.ts';
import { acquireLock, lockHolder, type ProcessIdentity, readLockNote } from '../../../host/lib/index.ts';

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

  it('lets a second owner in after the first, and reports which process it waits for', async () => {
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

  it('leaves no process when it is cancelled', async () => {
    await using first = await acquireLock(path, { signal });
    void first;
    const controller = new AbortController();
    const waiting = acquireLock(path, { signal: controller.signal });
    const pid = await poll('the process that waits', () => waiter(path), { intervalMs: 10, signal });
    controller.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
    assert.equal(existsSync(`/proc/${pid}`), false);
  });

  it('is free after its owner is killed', async () => {
    const owner = spawn(process.execPath, [holder, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(owner.stdout, 'data');
    assert.equal((await lockHolder(path))?.pid, owner.pid);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    assert.equal(await lockHolder(path), null);
    assert.equal((await readLockNote(path))?.pid, owner.pid);
    const lock = await acquireLock(path, { signal, purpose: 'a test' });
    assert.equal((await readLockNote(path))?.purpose, 'a test');
    await lock[Symbol.asyncDispose]();
    await lock[Symbol.asyncDispose]();
    assert.equal(await readLockNote(path), null);
  });
});

/** The process that waits for the lock of `path`. */
async function waiter(path: string) {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (line.startsWith(`flock\0--close\0${path}\0`)) return { done: true, value: pid } as const;
  }
  return { done: false, saw: 'none' } as const;
}
