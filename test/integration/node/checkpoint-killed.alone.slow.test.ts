import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pause } from '../../../bridge/lib/index.ts';
import { openTestNode, says, type TestNode } from '../../support/node-sandbox.ts';
import { tracesOf } from '../../support/node-traces.ts';

const program = fileURLToPath(new URL('../../programs/checkpoint-taker.ts', import.meta.url));
/** From its first system calls to its end, in milliseconds. */
const moments = [0, 20, 60, 120, 200, 320];

describe('a checkpoint whose process is killed', function () {
  this.timeout(180_000);
  let test: TestNode;
  before(async () => (test = await openTestNode()));
  after(() => test[Symbol.asyncDispose]());

  /** Kills a process this long after it began `phase`. Returns the id of its sandbox. */
  async function killedIn(phase: 'checkpoint' | 'restore', ms: number): Promise<string> {
    const child = spawn(process.execPath, [program, test.home], { stdio: ['ignore', 'pipe', 'inherit'] });
    const exit = once(child, 'exit');
    let id = '';
    for await (const line of createInterface(child.stdout)) {
      if (line.startsWith('taker-')) id = line;
      else if (line === phase) break;
    }
    await pause(ms);
    child.kill('SIGKILL');
    await exit;
    return id;
  }

  for (const phase of ['checkpoint', 'restore'] as const)
    it(`leaves nothing frozen or mounted after the next sweep (${phase})`, async () => {
      const ends: string[] = [];
      for (const ms of moments) {
        const id = await killedIn(phase, ms);
        await test.node.sweep();
        // Another node on this machine may have swept it before.
        const isLeft = (await test.node.list()).some((each) => each.id === id);
        ends.push(isLeft ? 'goes on' : 'removed');
        if (isLeft) {
          await goesOn(id);
          await test.node.stop(id);
        }
        assert.deepEqual(await tracesOf(id, test.home), []);
      }
      console.log(`      after ${moments.join(', ')} ms: ${ends.join(', ')}`);
    });

  async function goesOn(id: string): Promise<void> {
    const info = (await test.node.list()).find((each) => each.id === id);
    assert.equal(info?.state, 'running');
    const sandbox = await test.node.open(id);
    assert.equal(await says(sandbox, 'cat /root/a; pgrep -c sleep'), 'kept\n1');
    const taken = await sandbox.checkpoint();
    await sandbox.restore(taken.id);
    assert.equal(await says(sandbox, 'cat /root/a'), 'kept');
  }
});
