import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setImmediate as tick } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { deadline, neverAborted, poll } from '../../../bridge/lib/index.ts';
import { SandboxAccess } from '../../../host/node/local/sandbox-access.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';

const holdLock = fileURLToPath(new URL('../../integration/image/programs/hold-lock.ts', import.meta.url));

describe('the access to a sandbox', () => {
  let folder: TemporaryFolder;
  let order: string[];
  beforeEach(async () => {
    folder = await temporaryFolder();
    order = [];
  });
  afterEach(() => folder[Symbol.asyncDispose]());

  /** An object that drives the sandbox, by its name in the log. */
  function open(name: string): SandboxAccess {
    const drop = (what: string) => () => {
      order.push(`${name} ${what}`);
      return Promise.resolve();
    };
    const turn = folder.file('turn.lock');
    return new SandboxAccess({ id: 'x', turn, disconnect: drop('lets go'), hangUp: drop('hangs up') });
  }

  async function logged(line: string): Promise<void> {
    using limit = deadline(line, 10_000);
    const probe = () =>
      order.includes(line)
        ? ({ done: true, value: undefined } as const)
        : ({ done: false, saw: order.join() } as const);
    await poll(line, probe, { intervalMs: 5, signal: limit.signal });
  }

  it('is shared by calls, and had alone by a checkpoint, in their order', async () => {
    using access = open('a');
    const gate = Promise.withResolvers<void>();
    const call = (name: string, until?: Promise<void>) =>
      access.shared(neverAborted, async () => {
        order.push(`${name} begins`);
        await until;
        order.push(`${name} ends`);
      });
    const calls = [call('one', gate.promise), call('two')];
    const taken = access.exclusive('checkpoint', neverAborted, () => {
      order.push('checkpoint');
      return Promise.resolve();
    });
    const last = call('three');
    await calls[1];
    await tick();
    assert.deepEqual(order, ['one begins', 'two begins', 'two ends']);
    gate.resolve();
    await Promise.all([...calls, taken, last]);
    const apart = ['a hangs up', 'a hangs up', 'checkpoint'];
    assert.deepEqual(order.slice(3), ['one ends', ...apart, 'three begins', 'three ends']);
    assert.equal(await readFile(folder.file('turn.lock'), 'utf8'), '');
  });

  it('is not waited for by callers that give up, who hold up no one', async () => {
    using access = open('a');
    const held = await access.acquireShared(neverAborted);
    const stop = new AbortController();
    const given = access.exclusive('restore', stop.signal, () => Promise.resolve());
    const waits = access.shared(stop.signal, () => Promise.resolve());
    const later = access.shared(neverAborted, () => Promise.resolve());
    stop.abort(new Error('enough'));
    await assert.rejects(given, /enough/);
    await assert.rejects(waits, /enough/);
    await later;
    held[Symbol.dispose]();
    await access.exclusive('restore', neverAborted, () => Promise.resolve());
  });

  it('makes others let go, and keeps them waiting to connect', async () => {
    using one = open('one');
    using other = open('other');
    await other.mayConnect(neverAborted);
    let connecting: Promise<void> | undefined;
    await one.exclusive('checkpoint', neverAborted, async () => {
      await one.mayConnect(neverAborted);
      await logged('other lets go');
      connecting = other.shared(neverAborted, () => other.mayConnect(neverAborted));
      void connecting.then(() => order.push('other connects'));
      order.push('checkpoint');
    });
    await connecting;
    const expected = ['one hangs up', 'one hangs up', 'other lets go', 'checkpoint', 'other connects'];
    assert.deepEqual(order, expected);
  });

  it('is free again once the process that had it alone is killed', async () => {
    const path = folder.file('turn.lock');
    const holder = spawn(process.execPath, [...process.execArgv, holdLock, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(holder.stdout, 'data');
    using access = open('a');
    const connecting = access.mayConnect(neverAborted).then(() => order.push('connects'));
    const taken = access.exclusive('restore', neverAborted, () => Promise.resolve());
    await tick();
    assert.ok(!order.includes('connects'));
    const exited = once(holder, 'exit');
    holder.kill('SIGKILL');
    await Promise.all([exited, connecting, taken]);
  });
});
