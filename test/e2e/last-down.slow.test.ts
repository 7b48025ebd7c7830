import assert from 'node:assert/strict';
import * as z from 'zod';
import { listOrigins } from '../../host/changes/index.ts';
import { Cli } from '../support/cli.ts';
import { onEachNode } from '../support/each-node.ts';
import { temporaryFolder } from '../support/folder.ts';

const one = z.object({ id: z.string() });

onEachNode('the end of the last sandbox', (_, kind) => {
  // No kind of node is named, as in the hints that are printed: the id finds it.
  const cli = new Cli(kind);
  const unnamed = new Cli(undefined);

  it('leaves its checkpoints, which are forked and deleted by their ids alone', async () => {
    await using folder = await temporaryFolder();
    const { id } = one.parse(await cli.json('up', folder.path));
    const taken = one.parse(await unnamed.json('checkpoint', id));
    await unnamed.json('down', id);
    const listed = z.array(one).parse(await cli.json('checkpoints'));
    assert.ok(listed.some((each) => each.id === taken.id));
    const { sandboxes } = z.object({ sandboxes: z.array(one) }).parse(await unnamed.json('fork', taken.id));
    for (const fork of sandboxes) await unnamed.json('down', fork.id);
    await unnamed.json('checkpoints', 'delete', taken.id);
    const left = z.array(one).parse(await cli.json('checkpoints'));
    assert.ok(!left.some((each) => each.id === taken.id));
    assert.ok(!(await listOrigins()).includes(id), 'the copy that it began with is left');
  });
});
