import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { deadline, poll, PwpError, startChild } from '../../../bridge/lib/index.ts';
import { temporaryFolder } from '../../support/folder.ts';

const env = { PATH: process.env['PATH'] };

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The first line that a program wrote to its log. */
async function firstLine(log: string): Promise<string> {
  using limit = deadline('first line', 10_000);
  return await poll(
    'a line',
    async () => {
      const [line, more] = (await readFile(log, 'utf8')).split('\n');
      return more === undefined ? { done: false, saw: line ?? '' } : { done: true, value: line ?? '' };
    },
    { intervalMs: 10, signal: limit.signal },
  );
}

describe('a child process', () => {
  it('reports how it ended', async () => {
    await using child = await startChild('bash', ['-c', 'exit 7'], { env });
    assert.deepEqual(await child.stopped, { code: 7, signal: null });
  });

  it('writes both streams to its log and inherits nothing by default', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('log');
    await using child = await startChild('bash', ['-c', 'echo out; echo err >&2; echo "[$HOME]"'], {
      env,
      log,
    });
    await child.stopped;
    assert.equal(await readFile(log, 'utf8'), 'out\nerr\n[]\n');
  });

  it('is an error when it cannot be started', async () => {
    await assert.rejects(startChild('/no/such/program', [], { env }), (error: unknown) => {
      return error instanceof PwpError && error.code === 'spawn-failed';
    });
  });

  it('is killed with all its children when it ignores the request to stop', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('log');
    const child = await startChild('bash', ['-c', 'trap "" TERM; sleep 1000 & echo $!; wait; sleep 1000'], {
      env,
      log,
    });
    const grandchild = Number(await firstLine(log));
    assert.deepEqual(await child.stop(100), { code: null, signal: 'SIGKILL' });
    using limit = deadline('end of the grandchild', 10_000);
    const gone = () =>
      isAlive(grandchild) ? ({ done: false, saw: 'alive' } as const) : ({ done: true, value: true } as const);
    await poll('its end', gone, { intervalMs: 10, signal: limit.signal });
  });

  it('can be stopped twice, and after its end', async () => {
    const child = await startChild('sleep', ['1000'], { env });
    const [first, second] = await Promise.all([child.stop(), child.stop()]);
    assert.deepEqual(first, { code: null, signal: 'SIGTERM' });
    assert.equal(first, second);
    assert.equal(await child.stop(), first);
  });
});
