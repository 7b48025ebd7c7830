import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { neverAborted, poll } from '../../../bridge/lib/index.ts';
import { identifyProcess } from '../../../host/lib/index.ts';
import { takeBatchRight } from '../../../host/node/control/batch-right.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';

const program = fileURLToPath(new URL('../../programs/batch.ts', import.meta.url));

describe('the right to play a batch', () => {
  let folder: TemporaryFolder;
  let path: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
    await mkdir(folder.file('run'));
    path = folder.file('run/batch.json');
  });
  afterEach(() => folder[Symbol.asyncDispose]());

  async function begin(waitMs?: number, signal = neverAborted): Promise<AsyncDisposable> {
    const owner = await identifyProcess(process.pid);
    assert.ok(owner);
    return takeBatchRight(path, owner, signal, waitMs);
  }

  /** Another process that holds the right until it is killed. */
  async function holder() {
    const child = spawn(process.execPath, [...process.execArgv, program, path], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    return child;
  }

  it('is held by one at a time, in order of arrival, and leaves nothing behind', async () => {
    const order: string[] = [];
    await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map(async (name) => {
        await using held = await begin();
        void held;
        order.push(`${name} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        order.push(`${name} ends`);
      }),
    );
    assert.equal(order.length, 12);
    for (let i = 0; i < order.length; i += 2) assert.equal(order[i + 1], order[i]?.replace('begins', 'ends'));
    assert.deepEqual(await readdir(folder.file('run')), []);
  });

  it('is waited for while another process holds it, and is free when that is killed', async () => {
    const other = await holder();
    const exited = once(other, 'exit');
    await assert.rejects(begin(200), ({ code, message }: { code: string; message: string }) => {
      assert.equal(code, 'batch-under-way');
      assert.match(message, new RegExp(`process ${other.pid} has played it for \\d+ s`));
      return true;
    });
    const waiting = [1, 2, 3].map(async () => {
      await using held = await begin();
      void held;
    });
    other.kill('SIGKILL');
    await exited;
    await Promise.all(waiting);
    assert.deepEqual(await readdir(folder.file('run')), ['batch.json.lock']);
  });

  it('is not waited for once the caller or the sandbox is gone', async () => {
    await using held = await begin();
    void held;
    const controller = new AbortController();
    const given = begin(undefined, controller.signal);
    controller.abort(new Error('no more'));
    await assert.rejects(given, /no more/);
    const late = assert.rejects(begin(), { code: 'sandbox-stopped' });
    const waits = async () => {
      const done = (await readdir(folder.file('run'))).length === 2;
      return done ? ({ done, value: undefined } as const) : ({ done, saw: 'no draft' } as const);
    };
    await poll('the one who waits', waits, { intervalMs: 5, signal: neverAborted });
    await rm(folder.file('run'), { recursive: true });
    await late;
  });
});
