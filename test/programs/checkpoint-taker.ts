import { createLocalNode } from '../../host/node/index.ts';
import { bareImage, bareSpec, says } from '../support/node-sandbox.ts';

// Starts a kept sandbox, prints its id, and takes and restores checkpoints until killed. Prints a line before each.

const [home] = process.argv.slice(2);
if (home === undefined) throw new Error('usage: checkpoint-taker <cache folder>');
const node = await createLocalNode({ home, image: bareImage });
await node.checkpointSupport();
const sandbox = await node.start(bareSpec({ name: 'taker', keep: true }));
await says(sandbox, 'echo kept > /root/a; setsid sleep 1000 >/dev/null 2>&1 </dev/null &');
console.log(sandbox.id);
for (;;) {
  console.log('checkpoint');
  const { id } = await sandbox.checkpoint({ kind: 'live' });
  console.log('restore');
  await sandbox.restore(id);
  await node.deleteCheckpoint(id);
}
