import { PwpError } from '../../bridge/lib/index.ts';
import { CheckpointStore } from '../../host/node/checkpoint-store/checkpoint-store.ts';
import { changed, newDump, take } from '../support/checkpoint-dump.ts';

// Takes, packs, reads, exports, imports and deletes checkpoints until it is killed. Prints a line before each.

const [home] = process.argv.slice(2);
if (home === undefined) throw new Error('usage: checkpoint-keeper <cache folder>');
const never = new AbortController().signal;
// Little is kept raw, so that the background work has much to do.
const store = await CheckpointStore.open(home, { budgetBytes: 20e6, hotBytes: 3e6, quietMs: 0 });
for (;;) {
  const dump = newDump(400);
  console.log('take');
  const parent = await take(store, dump);
  const child = await take(store, changed(dump), { parent: parent.id });
  console.log('pack');
  await store.pack(child.id, never);
  console.log('hold');
  {
    await using held = await store.hold(child.id, never);
    await store.prove(held.id);
  }
  console.log('export');
  await store.export(child.id, `${home}/out-${process.pid}`, never);
  console.log('delete');
  await store.delete(child.id).catch((error: unknown) => {
    // The test reads every checkpoint meanwhile. One that it uses can't be deleted.
    if (!(error instanceof PwpError) || error.code !== 'checkpoint-in-use') throw error;
  });
  console.log('import');
  await store.import(`${home}/out-${process.pid}`, never);
  console.log('idle');
  await store.idle();
}
