import assert from 'node:assert/strict';
import { soundFormat } from '../../../bridge/protocol/index.ts';
import { SoundMemory } from '../../../bridge/src/desktop/sound.ts';

const { rate, bytesPerFrame } = soundFormat;

/** Frames whose left sample is their number, from 1. */
function loud(frames: number, first = 1): Buffer {
  const pcm = Buffer.alloc(frames * bytesPerFrame);
  for (let i = 0; i < frames; i += 1) pcm.writeUInt16LE(((first + i) % 60_000) + 1, i * bytesPerFrame);
  return pcm;
}
const silent = (frames: number) => Buffer.alloc(frames * bytesPerFrame);

describe('the sound memory', () => {
  it('returns all frames after one, however they were added', () => {
    const memory = new SoundMemory(1);
    const pcm = loud(10);
    memory.add(pcm.subarray(0, 7));
    memory.add(pcm.subarray(7, 9));
    memory.add(pcm.subarray(9));
    assert.deepEqual(memory.read(), { from: 0, to: 10, pcm });
    assert.deepEqual(memory.read(4), { from: 4, to: 10, pcm: pcm.subarray(4 * bytesPerFrame) });
    assert.deepEqual(memory.read(10), { from: 10, to: 10, pcm: Buffer.alloc(0) });
  });

  it('returns only silence as nothing, and silence between sounds as zeros', () => {
    const memory = new SoundMemory(1);
    memory.add(silent(5));
    memory.add(silent(5));
    assert.deepEqual(memory.read(), { from: 0, to: 10, pcm: Buffer.alloc(0) });
    memory.add(loud(2));
    memory.add(silent(3));
    const pcm = Buffer.concat([silent(2), loud(2), silent(3)]);
    assert.deepEqual(memory.read(8), { from: 8, to: 15, pcm });
    assert.deepEqual(memory.read(12), { from: 12, to: 15, pcm: Buffer.alloc(0) });
  });

  it('forgets sound older than its limit, to the frame', () => {
    const memory = new SoundMemory(1);
    memory.add(silent(10 * rate));
    memory.add(loud(rate - 10));
    assert.deepEqual(memory.read().from, 10 * rate - 10);
    memory.add(loud(rate));
    const { from, to, pcm } = memory.read();
    assert.deepEqual([from, to], [11 * rate - 10, 12 * rate - 10]);
    assert.deepEqual(pcm, loud(rate));
  });

  it('starts at its end for a reader that asks beyond it', () => {
    const memory = new SoundMemory(1);
    memory.add(loud(3));
    assert.deepEqual(memory.read(Number.MAX_SAFE_INTEGER), { from: 3, to: 3, pcm: Buffer.alloc(0) });
  });

  it('wakes waiting readers at a sound, not at silence', async () => {
    const memory = new SoundMemory(1);
    let heard = false;
    const waiting = memory.heard(0, new AbortController().signal).then(() => (heard = true));
    memory.add(silent(5));
    await new Promise(setImmediate);
    assert.equal(heard, false);
    memory.add(loud(1));
    assert.equal(await waiting, true);
    await memory.heard(5, new AbortController().signal);
    await assert.rejects(memory.heard(6, AbortSignal.abort(new Error('enough'))), /enough/);
  });
});
