import assert from 'node:assert/strict';
import { PacketReader } from '../../../host/node/display/wire/checked-stream.ts';
import { displayLimits } from '../../../host/node/display/wire/greeting.ts';

const limits = { ...displayLimits, packetsPerSecond: 100 };

/** A greeting with one screen of 64x48, without formats and depths. */
function greeting({ mask = 0x1f_ffff, width = 64, cut = 0 } = {}): Buffer {
  const bytes = Buffer.alloc(80);
  bytes.writeUInt8(1, 0);
  bytes.writeUInt16LE((bytes.length - 8 - cut) / 4, 6);
  bytes.writeUInt32LE(0x20_0000, 12);
  bytes.writeUInt32LE(mask, 16);
  bytes.writeUInt8(1, 28);
  bytes.writeUInt8(8, 34);
  bytes.writeUInt8(255, 35);
  bytes.writeUInt16LE(width, 60);
  bytes.writeUInt16LE(48, 62);
  return bytes;
}

function reply(sequence: number, units = 0, detail = 0): Buffer {
  const bytes = Buffer.alloc(32 + Math.min(units, 1000) * 4);
  bytes.writeUInt8(1, 0);
  bytes.writeUInt8(detail, 1);
  bytes.writeUInt16LE(sequence % 0x1_0000, 2);
  bytes.writeUInt32LE(units, 4);
  return bytes;
}

const getInputFocus = Buffer.from([43, 0, 1, 0]);
const noOperation = Buffer.from([127, 0, 1, 0]);
const getKeyboardMapping = Buffer.from([101, 0, 2, 0, 8, 248, 0, 0]);

function greeted(): PacketReader {
  const packets = new PacketReader(limits, () => 0);
  assert.deepEqual([...packets.take(greeting())], [greeting()]);
  return packets;
}

describe('the stream of an X server', () => {
  it('is split into greeting and packets, regardless of how it arrives', () => {
    const packets = new PacketReader(limits, () => 0);
    const event = Buffer.alloc(32, 22);
    const sent = Buffer.concat([greeting(), event, event]);
    const got = [...sent].flatMap((byte) => [...packets.take(Buffer.from([byte]))]);
    assert.deepEqual(got, [greeting(), event, event]);
    packets.sent(Buffer.concat([getInputFocus, getInputFocus]));
    assert.deepEqual([...packets.take(Buffer.concat([reply(1), reply(2)]))], [reply(1), reply(2)]);
  });

  it('may skip requests without a reply, across the wrap of sequence numbers', () => {
    const packets = greeted();
    for (let i = 0; i < 0x1_0000; i += 1) packets.sent(i % 60_000 === 59_999 ? getInputFocus : noOperation);
    assert.equal([...packets.take(reply(60_000))].length, 1);
    packets.sent(getInputFocus);
    assert.equal([...packets.take(reply(0x1_0001))].length, 1);
  });

  const greetings = {
    'leaves no resource ids': greeting({ mask: 0 }),
    'has a huge screen': greeting({ width: 0xffff }),
    'is cut off': greeting({ cut: 4 }),
  };
  for (const [what, bytes] of Object.entries(greetings))
    it(`is refused if the greeting ${what}`, () => {
      assert.throws(() => [...new PacketReader({ ...limits, pixels: 10_000 }).take(bytes)], {
        code: 'display-lost',
      });
    });

  it('is refused if it replies to no request', () => {
    assert.throws(() => [...greeted().take(reply(1))], /was not made/);
  });

  it('is refused if it replies twice', () => {
    const packets = greeted();
    packets.sent(getInputFocus);
    assert.throws(() => [...packets.take(Buffer.concat([reply(1), reply(1)]))], /was not made/);
  });

  it('is refused if a reply is longer than possible, before the rest arrives', () => {
    const packets = greeted();
    packets.sent(getInputFocus);
    assert.throws(() => [...packets.take(reply(1, 0xffff_ffff).subarray(0, 32))], /a reply of/);
  });

  it('is refused if keys have no keysyms', () => {
    const packets = greeted();
    packets.sent(getKeyboardMapping);
    assert.throws(() => [...packets.take(reply(1, 10, 0))], /without keysyms/);
  });

  it('is refused if it sends too much in a second', () => {
    const packets = greeted();
    assert.throws(() => [...packets.take(Buffer.alloc(32 * 101, 22))], /in a second/);
  });
});
