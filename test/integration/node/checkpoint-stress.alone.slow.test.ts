import assert from 'node:assert/strict';
import { BusyIde, deskSeeds } from '../../../bench/lib/busy-ide.ts';
import { defaultDisplay, defaultLimits } from '../../../host/node/index.ts';
import { onEachNode } from '../../support/each-node.ts';
import { never } from '../../support/node-sandbox.ts';

const cycles = { local: 10, docker: 3 } as const;

onEachNode('an IDE in the middle of work', (open, kind) => {
  it(`works as before after each of ${cycles[kind]} checkpoints and restores`, async () => {
    await using opened = await open();
    const { node } = opened;
    const spec = { name: 'stress', role: 'ide', seeds: await deskSeeds(), keep: false } as const;
    await using sandbox = await node.start({ ...spec, display: defaultDisplay, limits: defaultLimits });
    await sandbox.ready();
    const desk = new BusyIde(sandbox, never);
    await desk.lay();
    for (let round = 1; round <= cycles[kind]; round += 1) {
      const { id } = await sandbox.checkpoint({ kind: 'live' });
      const text = await desk.text();
      await desk.write(' undone');
      await sandbox.restore(id);
      assert.equal(await desk.text(), text);
      await desk.check(round);
      await node.deleteCheckpoint(id);
    }
  });
});
