import assert from 'node:assert/strict';
import { holdsDescriptors } from '../../../host/node/checkpoint/dump-checks.ts';

/** A packet in socket 335 of a dump; file numbers as in a message of CRIU. */
interface Packet {
  readonly payload: Buffer;
  readonly files?: readonly number[];
}

describe('data in flight between programs', () => {
  const plain: Packet = { payload: Buffer.alloc(300, '"') };

  it('may be bytes, of any number and value', () => {
    assert.equal(holdsDescriptors(image([])), false);
    assert.equal(holdsDescriptors(image([plain, { payload: Buffer.alloc(70_000, 0x22) }, plain])), false);
  });

  it('is recognized as a descriptor at any position', () => {
    const passed: Packet = { payload: Buffer.from('x'), files: [336, 7] };
    for (const packets of [[passed], [passed, plain], [plain, plain, passed]])
      assert.equal(holdsDescriptors(image(packets)), true);
  });

  it('is not guessed if the file is cut off', () => {
    assert.throws(() => holdsDescriptors(image([plain]).subarray(0, 10)), RangeError);
  });
});

/** A `sk-queues.img` as CRIU writes it. */
function image(packets: readonly Packet[]): Buffer {
  const parts = packets.flatMap(({ payload, files }) => {
    const rights = Buffer.concat((files ?? []).map((file) => Buffer.concat([Buffer.of(0x10), number(file)])));
    const passed = Buffer.concat([Buffer.of(0x08, 1), rights]);
    const message = Buffer.concat([
      ...[Buffer.of(0x08), number(335), Buffer.of(0x10), number(payload.length)],
      ...(files ? [Buffer.of(0x22), number(passed.length), passed] : []),
    ]);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(message.length);
    return [length, message, payload];
  });
  return Buffer.concat([Buffer.from('criumark'), ...parts]);
}

function number(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.of(...bytes, rest);
}
