import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { Cli } from '../support/cli.ts';
import { containersOf, whatIsLeft } from '../support/docker-traces.ts';
import { onEachNode } from '../support/each-node.ts';

const list = z.array(z.object({ id: z.string(), owner: z.object({ pid: z.number() }) }));

onEachNode('a run that is stopped', (_, kind) => {
  const cli = new Cli(kind);
  let out = '';

  before(async () => (out = await mkdtemp(join(tmpdir(), 'pwp-e2e-'))));
  after(() => rm(out, { recursive: true }));

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`leaves no sandbox behind after ${signal}`, async () => {
      const run = cli.start('run', '-t', 'tasks/vscode/autosave-500', '-a', 'oracle-gui', '--out', out);
      await firstStep(run);
      run.kill(signal);
      await once(run, 'exit');
      assert.deepEqual(await ownedBy(cli, run.pid), []);
    });
  }

  it('is swept after kill -9', async () => {
    const run = cli.start('run', '-t', 'tasks/vscode/autosave-500', '-a', 'oracle-gui', '--out', out);
    await firstStep(run);
    assert.equal((await ownedBy(cli, run.pid)).length, 1);
    const containers = kind === 'docker' ? await containersOf(run.pid) : [];
    assert.equal(containers.length, kind === 'docker' ? 1 : 0);
    run.kill('SIGKILL');
    await once(run, 'exit');
    await cli.pwp('sandboxes', 'sweep');
    assert.deepEqual(await ownedBy(cli, run.pid), []);
    for (const each of containers) assert.deepEqual(await whatIsLeft(each), []);
  });
});

async function ownedBy(cli: Cli, pid: number | undefined): Promise<string[]> {
  return list
    .parse(await cli.json('sandboxes', 'list'))
    .filter(({ owner }) => owner.pid === pid)
    .map(({ id }) => id);
}

/** Waits until the run has printed its first step: a sandbox is up and an episode is under way. */
function firstStep(run: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let reported = '';
    run.stdout?.on('data', (chunk: Buffer) => {
      reported += chunk.toString();
      if (/^ {2}1\. /m.test(reported)) resolve();
    });
    run.once('exit', () => reject(new Error(`the run ended before its first step:\n${reported}`)));
  });
}
