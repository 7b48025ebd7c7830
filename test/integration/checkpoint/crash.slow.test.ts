import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pause } from '../../../bridge/lib/index.ts';
import { CheckpointStore } from '../../../host/node/checkpoint-store/checkpoint-store.ts';
import { newDump, readDump, take } from '../../support/checkpoint-dump.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { never } from '../../support/node-sandbox.ts';

const program = fileURLToPath(new URL('../../programs/checkpoint-keeper.ts', import.meta.url));
const phases = ['take', 'pack', 'hold', 'export', 'delete', 'import', 'idle'];
const kills = phases.length;

interface Keeper {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
}

describe('a store whose process is killed', function () {
  this.timeout(600_000);

  it(`is whole after each of ${kills} kills at any moment, while another process works`, async () => {
    await using folder = await temporaryFolder();
    const begin = async (phase: string): Promise<Keeper> => {
      const child = spawn(process.execPath, [program, folder.path], { stdio: ['ignore', 'pipe', 'inherit'] });
      for await (const line of createInterface(child.stdout)) if (line === phase) break;
      child.stdout.resume();
      return { child, ended: once(child, 'exit') };
    };
    const seen = new Set<string>();
    const survivor = await begin('take');
    try {
      for (let round = 0; round < kills; round++) {
        const victim = await begin(phases[round % phases.length] ?? '');
        // At any point of the phase it began: from its first system calls to somewhere in the next phase.
        await pause(Math.random() ** 2 * 1000);
        await kill(victim);
        for (const trace of await check(folder.path, false)) seen.add(trace);
      }
    } finally {
      await kill(survivor);
    }
    await check(folder.path, true);
    console.log(`      found left by the killed: ${[...seen].sort().join(', ') || 'nothing'}`);
  });

  /** Kills it. It must not have ended by itself; if it did, this process's standard error says why. */
  async function kill({ child, ended }: Keeper): Promise<void> {
    child.kill('SIGKILL');
    await ended;
    assert.equal(child.signalCode, 'SIGKILL', `a keeper ended with exit code ${child.exitCode}`);
  }

  /** Sweeps; then checks that every checkpoint can be read in full, and that nothing else exists. */
  async function check(home: string, alone: boolean): Promise<string[]> {
    await using store = await CheckpointStore.open(home, {
      budgetBytes: 2 ** 30,
      hotBytes: 2 ** 30,
      quietMs: 0,
    });
    const before = await readdir(`${home}/checkpoints`);
    assert.deepEqual(await store.sweep(), []);
    for (const { id } of await store.list()) {
      try {
        await checkWhole(store, id);
      } catch (error) {
        // The other process deletes, too.
        if (alone || (error as { code?: unknown }).code !== 'no-such-checkpoint') throw error;
      }
    }
    if (alone) await checkNothingElse(home, store);
    return before.map((name) => name.replace(/-.*|[0-9a-f]{8}/g, '')).filter((name) => name.startsWith('.'));
  }

  async function checkWhole(store: CheckpointStore, id: string): Promise<void> {
    await using held = await store.hold(id, never);
    const { pages, text } = await readDump(held.folder);
    assert.equal(pages.length, 400 * 4096);
    assert.ok(text.length >= 40_000);
    assert.equal(await readFile(`${held.folder}/images/inventory.img`, 'utf8'), 'a small one');
  }

  async function checkNothingElse(home: string, store: CheckpointStore): Promise<void> {
    await store.idle();
    const ids = (await store.list()).map(({ id }) => id);
    const names = await readdir(`${home}/checkpoints`);
    assert.deepEqual(names.sort(), ['.background', '.lock', 'packs', ...ids].sort());
    for (const id of ids) {
      assert.deepEqual(await readdir(`${home}/checkpoints/${id}/holds`).catch(() => []), []);
      await store.delete(id);
    }
    assert.deepEqual(await readdir(`${home}/checkpoints/packs`), []);
    await take(store, newDump());
  }
});
