import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import * as z from 'zod';
import { poll } from '../../bridge/lib/index.ts';
import { attemptResult } from '../../host/run/study/attempt-result.ts';
import { Cli } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openRedis } from '../../bench/lib/queue-server.ts';

const status = z.object({
  studies: z.array(z.object({ waiting: z.int(), underWay: z.int(), made: z.int() })),
  underWay: z.array(z.object({ worker: z.string() })),
  workers: z.array(z.object({ name: z.string() })),
});
const sandboxes = z.array(z.object({ id: z.string(), state: z.string() }));

describe('pwp eval --queue', () => {
  it('has its attempts made by pwp worker, although processes of attempts and workers are killed', async () => {
    await using owned = new AsyncDisposableStack();
    const folder = owned.use(await temporaryFolder());
    const server = owned.use(await openRedis());
    const env = { PWP_QUEUE: server.url, PWP_STORE: folder.file('store'), PWP_HOME: process.env['PWP_HOME'] };
    const cli = new Cli('local', env);
    const before = await listSandboxes(cli);
    const work = (): ChildProcess =>
      owned.adopt(cli.start('worker', '--parallel', '2'), async (worker) => {
        if (worker.exitCode !== null || worker.signalCode !== null) return;
        worker.kill('SIGTERM');
        await once(worker, 'exit');
      });
    const until = (what: string, isSo: (found: z.output<typeof status>) => boolean) =>
      poll(
        what,
        async () => {
          const found = status.parse(await cli.json('queue', 'status'));
          return isSo(found) ? { done: true, value: found } : { done: false, saw: JSON.stringify(found) };
        },
        { intervalMs: 500, signal: AbortSignal.timeout(120_000) },
      );

    const study = folder.file('study');
    const tasks = ['tasks/vscode/swap-text-test', 'tasks/vscode/autosave-500'];
    const playing = cli.json(
      ...['eval', '-t', ...tasks, '-a', 'oracle', 'null', '-k', '1', '--tries', '3', '--out', study],
    );
    await until('the attempts', ({ studies }) => studies[0]?.waiting === 4);
    const first = work();
    await until('two attempts', ({ underWay }) => underWay.length === 2);
    const [attempt] = await attemptProcesses(first);
    process.kill(attempt ?? 0, 'SIGKILL');
    await until('another attempt', ({ studies }) => (studies[0]?.waiting ?? 4) <= 1);
    first.kill('SIGKILL');
    work();
    const result = await playing;
    assert.partialDeepStrictEqual(result, { planned: 4, done: 4, stopped: null, ends: { scored: 4 } });
    const lines = (await readFile(join(study, 'attempts.jsonl'), 'utf8')).trimEnd().split('\n');
    const rewards = lines.map((line) => {
      const { agent, reward, tries } = attemptResult.parse(JSON.parse(line));
      assert.equal(tries.at(-1)?.end, 'scored');
      return [agent, reward];
    });
    assert.deepEqual(rewards.toSorted(), [
      ['null', 0],
      ['null', 0],
      ['oracle', 1],
      ['oracle', 1],
    ]);
    const killed = lines.filter((line) => /ended by SIGKILL/.test(line));
    assert.equal(killed.length, 1);
    await owned.disposeAsync();
    assert.deepEqual(await listSandboxes(cli), before);
  });
});

async function attemptProcesses({ pid = 0 }: ChildProcess): Promise<number[]> {
  const { stdout } = await execa('pgrep', ['-P', String(pid), '-f', ' attempt$']);
  return stdout.split('\n').map(Number);
}

/** Listing them removes those of killed processes. */
async function listSandboxes(cli: Cli): Promise<string[]> {
  return sandboxes.parse(await cli.json('sandboxes', 'list')).map(({ id }) => id);
}
