import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { deadline, pause, poll } from '../../../bridge/lib/index.ts';
import { connectDisplay, type XDisplay } from '../../../host/node/display/display.ts';
import { startVideo, type VideoOptions } from '../../../host/run/record/video.ts';
import { slowIt } from '../../support/slow.ts';
import { Recorder } from '../../support/x-recorder.ts';
import { startXvfb } from '../../support/xvfb.ts';

const never = new AbortController().signal;
const red = 0xff0000;
const blue = 0x0000ff;

describe('a video', () => {
  let folder: string;
  let display: XDisplay;
  let recorder: Recorder;
  const owned = new AsyncDisposableStack();
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pwp-video-'));
    owned.defer(() => rm(folder, { recursive: true }));
    // Odd sizes: x264 only takes even ones.
    const x = owned.use(await startXvfb(801, 601));
    display = owned.use(await connectDisplay(x.socket, never));
    recorder = owned.use(await Recorder.start(x.socket, { pings: false, slowMs: 0 }));
  });
  after(() => owned.disposeAsync());

  const film = (name: string, take: VideoOptions['take'] = (options) => display.picture(options)) =>
    startVideo({ path: join(folder, name), take });
  const paint = (colour: number) => recorder.paint(0, 0, 801, 601, colour);

  it('shows what the screen showed, from start to end', async () => {
    await paint(red);
    await using video = await film('whole.mkv');
    await pause(1200);
    await paint(blue);
    await pause(1200);
    const { frames, failure } = await video.finish();
    assert.equal(failure, null);
    assert(frames >= 3, `${frames} frames`);
    const { width, height, colours, said } = await framesOf(join(folder, 'whole.mkv'));
    assert.deepEqual([width, height], [802, 602], said);
    assert.equal(colours.at(0), 'red');
    assert.equal(colours.at(-1), 'blue');
    assert.equal(colours.indexOf('blue'), colours.lastIndexOf('red') + 1, colours.join(' '));
  });

  it('has the first picture, even if it is very short', async () => {
    await paint(red);
    const shown = Promise.withResolvers<void>();
    const video = await film('short.mkv', async (options) => {
      const picture = await display.picture(options);
      shown.resolve();
      return picture;
    });
    await shown.promise;
    const { frames } = await video.finish();
    const { colours } = await framesOf(join(folder, 'short.mkv'));
    assert.deepEqual([colours.length, colours[0]], [frames, 'red']);
  });

  slowIt('has each frame at its time even if the encoder starts late', async () => {
    await paint(red);
    await mkdir(join(folder, 'late'));
    const late = '#!/bin/sh\nsleep 2\nPATH=${PATH#*:} exec ffmpeg "$@"\n';
    await writeFile(join(folder, 'late/ffmpeg'), late, { mode: 0o755 });
    const path = process.env['PATH'] ?? '';
    process.env['PATH'] = `${folder}/late:${path}`;
    const filming = film('late.mkv');
    process.env['PATH'] = path;
    const video = await filming;
    await pause(600);
    await paint(blue);
    await pause(400);
    const { frames, failure } = await video.finish();
    assert.equal(failure, null);
    const { colours } = await framesOf(join(folder, 'late.mkv'));
    assert.equal(colours.length, frames);
    assert.ok(colours.filter((colour) => colour === 'red').length >= 3, colours.join(' '));
    assert.equal(colours.at(-1), 'blue');
  });

  it('can be played up to the point where it was cut off', async () => {
    await paint(red);
    const path = join(folder, 'cut.mkv');
    await using filming = new AsyncDisposableStack();
    filming.use(await film('cut.mkv'));
    using limit = deadline('the first bytes of the video', 30_000);
    const probe = async () =>
      (await stat(path).catch(() => null))?.size
        ? ({ done: true, value: true } as const)
        : ({ done: false, saw: 'none' } as const);
    await poll('video', probe, { intervalMs: 100, signal: limit.signal });
    const copy = join(folder, 'copy.mkv');
    await poll(
      'a frame that can be read',
      async () => {
        await copyFile(path, copy);
        const { colours } = await framesOf(copy);
        return colours.length > 0 ? { done: true, value: colours } : { done: false, saw: 'no frame' };
      },
      { intervalMs: 300, signal: limit.signal },
    );
  });

  it("continues while the screen can't be read, and does not fail", async () => {
    await paint(red);
    let calls = 0;
    const video = await film('gaps.mkv', async (options) => {
      calls += 1;
      if (calls > 1) throw new Error('no display');
      return display.picture(options);
    });
    await pause(700);
    const { failure } = await video.finish();
    assert.equal(failure, null);
    assert((await framesOf(join(folder, 'gaps.mkv'))).colours.every((colour) => colour === 'red'));
  });

  it('reports that it could not be written', async () => {
    const video = await film('no/such/folder.mkv');
    await pause(700);
    const { failure } = await video.finish();
    assert.match(failure ?? '', /No such file/);
  });

  it('is refused if ffmpeg is missing', async () => {
    const path = process.env['PATH'];
    process.env['PATH'] = folder;
    try {
      await assert.rejects(film('none.mkv'), { code: 'command-missing' });
    } finally {
      process.env['PATH'] = path;
    }
  });
});

/** Reads a video back: its size, the colour of each frame, and the errors found in it. */
async function framesOf(path: string) {
  const entries = ['-show_entries', 'stream=width,height', '-of', 'json'];
  const { stdout, stderr: said } = await execa('ffprobe', ['-v', 'error', ...entries, path], {
    reject: false,
  });
  const [stream] =
    (JSON.parse(stdout || '{}') as { streams?: { width: number; height: number }[] }).streams ?? [];
  const raw = `${path}.raw`;
  const dot = ['-vf', 'scale=1:1', '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-y', raw];
  await execa('ffmpeg', ['-loglevel', 'quiet', '-i', path, ...dot], { reject: false });
  const pixels = await readFile(raw).catch(() => Buffer.alloc(0));
  const colours = Array.from({ length: pixels.length / 3 }, (_, i) =>
    (pixels[i * 3] ?? 0) > (pixels[i * 3 + 2] ?? 0) ? 'red' : 'blue',
  );
  return { width: stream?.width, height: stream?.height, colours, said };
}
