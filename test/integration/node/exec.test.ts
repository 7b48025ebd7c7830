import assert from 'node:assert/strict';
import { PwpError } from '../../../bridge/lib/index.ts';
import type { Sandbox } from '../../../host/node/index.ts';
import { onEveryNode, type OpenedNode } from '../../support/each-node.ts';
import { bareSpec, bash, says } from '../../support/node-sandbox.ts';

onEveryNode('exec', (open) => {
  let test: OpenedNode;
  let sandbox: Sandbox;
  before(async () => {
    test = await open();
    sandbox = await test.node.start(bareSpec());
  });
  after(() => test[Symbol.asyncDispose]());

  it('returns the exit code and both streams separately', async () => {
    const result = await bash(sandbox, 'echo out; echo err >&2; exit 3');
    assert.deepEqual(result, {
      exitCode: 3,
      stdout: 'out\n',
      stderr: 'err\n',
      truncated: false,
      timedOut: false,
    });
  });

  it('takes a working folder and an environment, and passes arguments unchanged', async () => {
    const argv = [
      'bash',
      '-c',
      'pwd; echo "$WORD"; echo "$HOME"; printf "<%s>" "$@"',
      'x',
      '$HOME',
      '--tty',
      "a'b",
      '',
    ];
    const spec = {
      argv,
      cwd: '/usr/lib',
      env: { WORD: 'a=b c\nd' },
      timeoutMs: 10_000,
      maxOutputBytes: 1000,
    };
    const { stdout } = await sandbox.exec(spec);
    assert.equal(stdout, "/usr/lib\na=b c\nd\n/root\n<$HOME><--tty><a'b><>");
  });

  it('bounds output without stopping the program', async () => {
    const result = await bash(sandbox, 'yes € | head -c 1000000; exit 4', { maxOutputBytes: 10 });
    assert.deepEqual(
      { ...result, stderr: '' },
      { exitCode: 4, stdout: '€\n€\n€'.slice(0, 4), stderr: '', truncated: true, timedOut: false },
    );
  });

  it('ends at its time-out all that it started, even processes that left its process group', async () => {
    const line = 'echo begun; setsid --fork sleep 1234; (trap "" TERM; sleep 1234) & sleep 1234';
    const result = await bash(sandbox, line, { timeoutMs: 1000 });
    assert.deepEqual(result, {
      exitCode: null,
      stdout: 'begun\n',
      stderr: '',
      truncated: false,
      timedOut: true,
    });
    assert.equal(await says(sandbox, 'pgrep -r S,R,D -f "^sleep 1234" || echo none'), 'none');
  });

  it('ends background processes when the program ends', async () => {
    assert.equal(await says(sandbox, 'sleep 4321 & echo over'), 'over');
    assert.equal(await says(sandbox, 'pgrep -r S,R,D -f "^sleep 4321" || echo none'), 'none');
  });

  it('ends when the caller gives up', async () => {
    const controller = new AbortController();
    const spec = { argv: ['sleep', '2345'], cwd: '/', env: {}, timeoutMs: 60_000, maxOutputBytes: 10 };
    const running = sandbox.exec(spec, { signal: controller.signal });
    await says(sandbox, 'until pgrep -f "^sleep 2345"; do :; done');
    controller.abort(new PwpError('cancelled', 'enough'));
    await assert.rejects(running, { code: 'cancelled' });
    assert.equal(await says(sandbox, 'pgrep -r S,R,D -f "^sleep 2345" || echo none'), 'none');
  });

  it('distinguishes a program that cannot be started from one that fails', async () => {
    const spec = { argv: ['no-such-program'], cwd: '/', env: {}, timeoutMs: 10_000, maxOutputBytes: 1000 };
    await assert.rejects(sandbox.exec(spec), {
      code: 'exec-failed',
      message: /no-such-program/,
    });
    await assert.rejects(sandbox.exec({ ...spec, argv: ['true'], cwd: '/nowhere' }), {
      code: 'exec-failed',
    });
    assert.equal((await bash(sandbox, 'no-such-program')).exitCode, 127);
  });

  it('counts the processor time of all programs inside', async () => {
    const { cpuMs: before } = await sandbox.usage();
    await says(sandbox, 'for i in $(seq 200000); do :; done');
    assert.ok((await sandbox.usage()).cpuMs > before + 50);
  });
});
