import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readBatch, readLog } from '../../../host/grade/checks/indexed-db/log.ts';
import { readLevelDb } from '../../../host/grade/checks/indexed-db/index.ts';
import { unsnappy } from '../../../host/grade/checks/indexed-db/snappy.ts';
import { readTable } from '../../../host/grade/checks/indexed-db/table.ts';
import { left } from './left.ts';
import { batchOf, logOf, writeLevelDb } from './leveldb-files.ts';

const bytes = (text: string) => Buffer.from(text);

/** A block with its kind and a checksum that nobody looks at. */
const block = (...parts: Buffer[]) => Buffer.concat([...parts, Buffer.from([0, 0, 0, 0, 1, 0, 0, 0])]);
const ended = (data: Buffer, kind = 0) => Buffer.concat([data, Buffer.from([kind, 0, 0, 0, 0])]);

/** A table of two changes: `key1` = `one` at 5, `key2` removed at 6; the second shares the beginning of the first. */
function tableOf(kind: 'plain' | 'snappy'): Buffer {
  const tail = (sequence: number, put: number) => Buffer.from([put, sequence, 0, 0, 0, 0, 0, 0]);
  const data = block(
    Buffer.concat([Buffer.from([0, 12, 3]), bytes('key1'), tail(5, 1), bytes('one')]),
    Buffer.concat([Buffer.from([3, 9, 0]), bytes('2'), tail(6, 0)]),
  );
  // All of it is one literal.
  const packed =
    kind === 'plain' ? data : Buffer.concat([Buffer.from([data.length, (data.length - 1) << 2]), data]);
  const index = block(Buffer.concat([Buffer.from([0, 1, 2]), bytes('z'), Buffer.from([0, packed.length])]));
  const start = packed.length + 5;
  const footer = Buffer.alloc(48);
  Buffer.from([0, 0, start, index.length]).copy(footer);
  footer.writeBigUInt64LE(0xdb4775248b80fb57n, 40);
  return Buffer.concat([ended(packed, kind === 'plain' ? 0 : 1), ended(index), footer]);
}

describe("a browser's LevelDB", () => {
  it('has a log of records, some longer than a block', () => {
    const records = [bytes('a'), Buffer.alloc(70_000, 7), bytes('b'), Buffer.alloc(0)];
    const log = logOf(records);
    assert.deepEqual([...readLog(log)], records);
    assert.equal([...readLog(log.subarray(0, -8))].length, 2);
  });

  it('numbers the changes of a batch', () => {
    const changes = [
      ...readBatch(
        batchOf(
          [
            [bytes('k'), bytes('v')],
            [bytes('k'), null],
          ],
          8n,
        ),
      ),
    ];
    assert.deepEqual(
      changes.map(({ value, sequence }) => [value?.toString() ?? null, sequence]),
      [
        ['v', 8n],
        [null, 9n],
      ],
    );
  });

  for (const kind of ['plain', 'snappy'] as const)
    it(`has tables with ${kind} blocks`, () => {
      const found = [...readTable(tableOf(kind))];
      assert.deepEqual(
        found.map(({ key, value, sequence }) => [key.toString(), value?.toString() ?? null, sequence]),
        [
          ['key1', 'one', 5n],
          ['key2', null, 6n],
        ],
      );
      assert.throws(() => [...readTable(tableOf(kind).subarray(0, -1))], RangeError);
    });

  it('repeats what it has packed', () => {
    // A literal of two bytes, then eight from two back.
    assert.equal(unsnappy(Buffer.from([10, 4, 97, 98, 0x11, 2])).toString(), 'ababababab');
    assert.equal(unsnappy(Buffer.from([10, 4, 97, 98, 0x1e, 2, 0])).toString(), 'ababababab');
    for (const bad of [
      [10, 4, 97, 98, 0x11, 3],
      [10, 4, 97],
      [3, 4, 97, 98],
      [255, 255, 255, 255, 127],
    ])
      assert.throws(() => unsnappy(Buffer.from(bad)), RangeError);
  });

  it('lets a later change in the log go before a table', async () => {
    await using folder = await left({});
    const place = join(folder.path, 'ide/db');
    await writeLevelDb(place, []);
    await writeFile(join(place, '000002.ldb'), tableOf('snappy'));
    // Log 3, next file 4, and a table of level 1: number 2, a size, the smallest and the largest key.
    const manifest = Buffer.from([2, 3, 3, 4, 7, 1, 2, 9, 1, 97, 1, 98]);
    await writeFile(join(place, 'MANIFEST-000001'), logOf([manifest]));
    const read = async () => {
      const entries = await readLevelDb(folder.files, '/ide/db');
      return entries instanceof Map
        ? [...(entries as Map<string, unknown>)].map(([key, value]) => [key, String(value)])
        : entries;
    };
    assert.deepEqual(await read(), [['key1', 'one']]);
    const later = batchOf(
      [
        [bytes('key1'), bytes('two')],
        [bytes('key2'), bytes('back')],
      ],
      7n,
    );
    await writeFile(join(place, '000003.log'), logOf([later]));
    assert.deepEqual(await read(), [
      ['key1', 'two'],
      ['key2', 'back'],
    ]);
  });

  it('is none where there is no such folder', async () => {
    await using folder = await left({});
    assert.equal(await readLevelDb(folder.files, '/ide/db'), null);
  });
});
