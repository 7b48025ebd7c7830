import assert from 'node:assert/strict';
import * as z from 'zod';
import { listOrigins } from '../../host/node/index.ts';
import { Cli } from '../support/cli.ts';
import { onEachNode } from '../support/each-node.ts';
import { temporaryFolder } from '../support/folder.ts';

const one = z.object({ id: z.string() });

onEachNode('the end of the last sandbox', (_, kind) => {
  // As in the printed hints, no kind of node is given: the id finds it.
  const cli = new Cli(kind);
  const unnamed = new Cli(undefined);

  it('leaves its checkpoints, which can be forked and deleted by id alone', async () => {
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
