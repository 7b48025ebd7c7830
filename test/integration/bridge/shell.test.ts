import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { poll } from '../../../bridge/lib/index.ts';
import { ErrorCode, type ParamsIn, RpcError, shell } from '../../../bridge/protocol/index.ts';
import { Handlers, Peer } from '../../../bridge/rpc/index.ts';
import { memoryPair } from '../../../bridge/rpc/transport.ts';
import { serveShell } from '../../../bridge/src/shell.ts';

const env = { PATH: process.env['PATH'], HOME: '/root' };
const workspace = '/var';

function run(params: ParamsIn<typeof shell.run>, signal?: AbortSignal) {
  const [left, right] = memoryPair();
  const handlers = new Handlers();
  serveShell(handlers, { workspace, env: () => Promise.resolve(env) });
  new Peer(right, handlers);
  return new Peer(left).request(shell.run, params, signal);
}

/** Pids of processes with this word in their command line. */
async function running(word: string): Promise<string> {
  return (await run({ command: `pgrep -f '[${word[0]}]${word.slice(1)}' || true` })).stdout;
}

describe('shell.run', () => {
  it('returns the exit code and both streams separately', async () => {
    const { durationMs, ...result } = await run({ command: 'echo out; echo err >&2; exit 3' });
    const rest = { signal: null, truncated: false, timedOut: false, jobsLeft: false };
    assert.deepEqual(result, { exitCode: 3, stdout: 'out\n', stderr: 'err\n', ...rest });
    assert.ok(durationMs > 0);
  });

  it('begins in the workspace', async () => {
    assert.equal((await run({ command: 'pwd' })).stdout, '/var\n');
  });

  it('takes a working folder and variables', async () => {
    const { stdout } = await run({ command: 'pwd; echo $WORD $HOME', cwd: '/usr', env: { WORD: 'a b' } });
    assert.equal(stdout, '/usr\na b /root\n');
  });

  it('reports the signal that ended a command', async () => {
    const { exitCode, signal } = await run({ command: 'kill -USR1 $$' });
    assert.deepEqual([exitCode, signal], [null, 'SIGUSR1']);
  });

  it('bounds each stream while the command continues', async () => {
    const command = 'head -c 300000 /dev/zero | tr "\\0" a; echo tail >&2; exit 5';
    const result = await run({ command, maxOutputBytes: 1000 });
    assert.match(result.stdout, /^a{500}\n\[\d+ bytes left out\]\na{440}$/);
    assert.deepEqual([result.stderr, result.truncated, result.exitCode], ['tail\n', true, 5]);
  });

  it('stays within its schema when the bound cuts a character', async () => {
    const { stdout, truncated } = await run({ command: 'printf €€', maxOutputBytes: 4 });
    assert.ok(truncated && stdout.startsWith('€') && stdout.length <= 4, stdout);
  });

  it('kills the whole group at its time-out and keeps the output so far', async () => {
    const command = 'echo begun; (trap "" TERM; exec -a pwp-late sleep 900) & exec -a pwp-late sleep 900';
    const result = await run({ command, timeoutMs: 300 });
    assert.deepEqual([result.timedOut, result.exitCode, result.stdout], [true, null, 'begun\n']);
    assert.equal(await running('pwp-late'), '');
  });

  it('kills the whole group when the caller gives up', async () => {
    const controller = new AbortController();
    const request = run({ command: 'exec -a pwp-cancelled sleep 900' }, controller.signal);
    while ((await running('pwp-cancelled')) === '');
    controller.abort();
    await assert.rejects(
      request,
      (error: unknown) => error instanceof RpcError && error.code === ErrorCode.Cancelled,
    );
    while ((await running('pwp-cancelled')) !== '');
  });

  it('answers when the command ends, even if it left something in the background', async () => {
    const { stdout, timedOut } = await run({
      command: 'exec -a pwp-behind sleep 900 & echo $!',
      timeoutMs: 20_000,
    });
    assert.equal(timedOut, false);
    process.kill(Number(stdout), 'SIGKILL');
  });

  it('names a folder that does not exist', async () => {
    await assert.rejects(run({ command: 'true', cwd: '/no/such' }), (error: unknown) => {
      assert.ok(error instanceof RpcError && error.code === ErrorCode.NotFound);
      return /\/no\/such/.test(error.message);
    });
  });

  it('keeps the output of background jobs open', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pwp-jobs-'));
    try {
      const loop = `i=0; while [ $i -lt 100 ]; do i=$((i+1)); echo line $i; echo $i > ${folder}/count; sleep 0.02; done`;
      const { stdout, jobsLeft } = await run({ command: `(${loop}) & echo begun` });
      assert.match(stdout, /begun/);
      assert.equal(jobsLeft, true);
      const probe = async () => {
        const count = (await readFile(`${folder}/count`, 'utf8').catch(() => '')).trim();
        return count === '100'
          ? ({ done: true, value: undefined } as const)
          : ({ done: false, saw: count } as const);
      };
      await poll('the end of the job', probe, { intervalMs: 50, signal: AbortSignal.timeout(30_000) });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
