import assert from 'node:assert/strict';
import { pause } from '../../../bridge/lib/index.ts';
import { soundFormat } from '../../../bridge/protocol/index.ts';
import { SoundTrack } from '../../../host/run/record/video.ts';

const { rate, bytesPerFrame } = soundFormat;
const never = new AbortController().signal;

describe('the sound of a video', () => {
  it('has the played sound, silence for missing parts, and continues after a restore', async () => {
    const frame = (value: number, count = 1) => Buffer.alloc(count * bytesPerFrame, value);
    const answers = [
      { from: 100, to: 100, pcm: Buffer.alloc(0) },
      { from: 100, to: 102, pcm: frame(1, 2) },
      // One frame was lost.
      { from: 103, to: 104, pcm: frame(2) },
      // The sandbox was restored to an earlier moment.
      { from: 50, to: 50, pcm: Buffer.alloc(0) },
      { from: 50, to: 51, pcm: frame(3) },
      { from: 51, to: 53, pcm: Buffer.alloc(0) },
    ];
    const asked: (number | undefined)[] = [];
    const written: Uint8Array[] = [];
    const read = ({ after }: { after?: number | undefined }) => {
      asked.push(after);
      const answer = answers.shift();
      return answer ? Promise.resolve(answer) : Promise.reject(new Error('no more'));
    };
    const track = new SoundTrack(read, (pcm) => Promise.resolve(void written.push(pcm)));
    while (answers.length > 0) await track.next(never);
    assert.deepEqual(asked, [Number.MAX_SAFE_INTEGER, 100, 102, 104, 50, 51]);
    const expected = Buffer.concat([frame(1, 2), frame(0), frame(2), frame(3), frame(0, 2)]);
    assert.deepEqual(Buffer.concat(written), expected);
  });

  it('is never longer than the elapsed time, even if a sandbox claims more', async () => {
    let frames = 0;
    let at = 0;
    const track = new SoundTrack(
      () => Promise.resolve({ from: (at += 30 * rate), to: at + 30 * rate, pcm: Buffer.alloc(0) }),
      (pcm) => Promise.resolve(void (frames += pcm.byteLength / bytesPerFrame)),
    );
    const start = performance.now();
    for (let i = 0; i < 100; i += 1) await track.next(never);
    assert(frames <= ((performance.now() - start) / 1000 + 1) * rate + 1, `${frames} frames`);
  });

  it('is filled with silence while nothing can be read', async () => {
    let frames = 0;
    const track = new SoundTrack(
      () => Promise.reject(new Error('frozen')),
      (pcm) => Promise.resolve(void (frames += pcm.byteLength / bytesPerFrame)),
    );
    await track.next(never);
    const start = performance.now();
    await pause(700);
    await track.next(never);
    assert(frames > 0.1 * rate, `${frames} frames`);
    assert(frames <= ((performance.now() - start) / 1000) * rate, `${frames} frames`);
  });
});
