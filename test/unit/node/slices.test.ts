import assert from 'node:assert/strict';
import { desktop, ide } from '../../../bridge/protocol/index.ts';
import { parseAcceptedSockets } from '../../../host/node/checkpoint/other-processes.ts';
import { askInSlices, requestSliceMs } from '../../../host/node/local/bridge-connection.ts';

describe('a waiting request', () => {
  it('is sent in slices until something has changed or its time is over', async () => {
    const asked: (number | undefined)[] = [];
    const ask = ({ waitMs }: { readonly waitMs?: number | undefined }) => {
      asked.push(waitMs);
      return Promise.resolve({ cursor: 'b', changed: asked.length === 3 ? ['tabs' as const] : [] });
    };
    const answer = await askInSlices(ide.changes, { after: 'a', waitMs: 60_000 }, ask);
    assert.deepEqual([answer.changed, asked], [['tabs'], [requestSliceMs, requestSliceMs, requestSliceMs]]);
    asked.length = 0;
    assert.deepEqual((await askInSlices(ide.changes, { waitMs: 0 }, ask)).changed, []);
    assert.deepEqual(asked, [0]);
  });

  it('is sent once if it is of another kind', async () => {
    let times = 0;
    await askInSlices(desktop.status, {}, () => {
      times += 1;
      return Promise.resolve({ services: [] });
    });
    assert.equal(times, 1);
  });
});

describe('the table of Unix sockets', () => {
  it('lists the ends of connections to a desk, and of nothing else', () => {
    const table = `Num       RefCount Protocol Flags    Type St Inode Path
0000000031401ef6: 00000003 00000000 00000000 0001 03 8750571
0000000083e4867c: 00000003 00000000 00000000 0001 03 8654054 /desk/bridge.sock
0000000083e4867d: 00000003 00000000 00000000 0001 03 8666563 /desk/X1
000000000aa4867d: 00000002 00000000 00010000 0001 01 8614645 /desk/X1
000000000aa4867e: 00000003 00000000 00000000 0001 03 12 /run/dbus/system_bus_socket
`;
    assert.deepEqual(
      [...parseAcceptedSockets(table)],
      [
        ['8654054', '/desk/bridge.sock'],
        ['8666563', '/desk/X1'],
      ],
    );
  });
});
