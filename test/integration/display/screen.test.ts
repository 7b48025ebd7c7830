import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { execa } from 'execa';
import sharp from 'sharp';
import { PwpError } from '../../../bridge/lib/index.ts';
import { connectDisplay, type XDisplay } from '../../../host/node/display/display.ts';
import { takeChangedPicture } from '../../../host/node/display/screen.ts';
import type { ScreenPicture, ScreenUpdate } from '../../../host/node/index.ts';
import { Recorder } from '../../support/x-recorder.ts';
import { startXvfb, type Xvfb } from '../../support/xvfb.ts';

const never = new AbortController().signal;

function isLost(error: unknown): boolean {
  return error instanceof PwpError && error.code === 'display-lost';
}

describe('pictures of a screen', () => {
  let x: Xvfb;
  let display: XDisplay;
  let recorder: Recorder;

  // A failed start is cleaned up too.
  const owned = new AsyncDisposableStack();
  before(async () => {
    x = owned.use(await startXvfb(1366, 767));
    display = owned.use(await connectDisplay(x.socket, never));
    recorder = owned.use(await Recorder.start(x.socket, { pings: true, slowMs: 0 }));
    await recorder.paint(0, 0, 1366, 767, 0x102030);
    await recorder.paint(1100, 600, 266, 167, 0xfe7301);
    await recorder.paint(3, 5, 1, 1, 0x00ff7f);
  });
  after(() => owned.disposeAsync());

  const move = (left: number, top: number) =>
    display.play([{ kind: 'move', x: left, y: top, relative: false }], never);
  const raw = (png: Uint8Array) => sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });

  it("equals the picture of ImageMagick's import, except for the pointer", async () => {
    await move(400, 300);
    const capture = await display.capture(never);
    const { stdout } = await execa('import', ['-window', 'root', 'png:-'], {
      env: { DISPLAY: x.name },
      encoding: 'buffer',
    });
    const [own, other] = await Promise.all([raw(capture.bytes), raw(stdout)]);
    assert.deepEqual([own.info.width, own.info.height], [1366, 767]);
    assert.deepEqual([other.info.width, other.info.height], [1366, 767]);
    let different = 0;
    for (let i = 0; i < own.data.length; i += 3) {
      if (own.data.compare(other.data, i, i + 3, i, i + 3) === 0) continue;
      const left = (i / 3) % 1366;
      const top = Math.floor(i / 3 / 1366);
      assert(Math.abs(left - 400) <= 32 && Math.abs(top - 300) <= 32, `differs at (${left}, ${top})`);
      different += 1;
    }
    assert(different > 0, 'the pointer is missing');
    assert.deepEqual(capture.pointer, { x: 400, y: 300 });
  });

  it('reports what changed since the previous picture, and nothing if nothing did', async () => {
    await display.capture(never);
    const still = await display.capture(never);
    assert.equal(still.changed, null);
    await recorder.paint(700, 100, 40, 30, 0xffffff);
    const painted = await display.capture(never);
    assert.deepEqual(painted.changed, { x: 700, y: 100, width: 40, height: 30 });
    const { data } = await raw(painted.bytes);
    const at = (129 * 1366 + 739) * 3;
    assert.deepEqual([...data.subarray(at, at + 3)], [255, 255, 255]);
    await recorder.paint(700, 100, 40, 30, 0xffffff);
    const same = await display.capture(never);
    assert.equal(same.changed, null);
    assert.deepEqual(same.bytes, painted.bytes);
  });

  it('reports the whole screen first', async () => {
    await using fresh = await connectDisplay(x.socket, never);
    const { changed } = await fresh.capture(never);
    assert.deepEqual(changed, { x: 0, y: 0, width: 1366, height: 767 });
  });

  it('shows the pointer at the edge of the screen', async () => {
    await move(1365, 766);
    const { bytes, pointer } = await display.capture(never);
    assert.deepEqual(pointer, { x: 1365, y: 766 });
    assert.equal((await raw(bytes)).info.width, 1366);
  });

  it('takes simultaneously requested pictures in turn', async () => {
    const all = await Promise.all([1, 2, 3].map(() => display.capture(never)));
    const [first] = all;
    for (const { bytes } of all) assert.deepEqual(bytes, first?.bytes);
  });

  it('distinguishes two places that changed', async () => {
    await display.capture(never);
    await recorder.paint(32, 32, 10, 10, 0x111111);
    await recorder.paint(1200, 700, 10, 10, 0x222222);
    const { changes } = await display.capture(never);
    assert.deepEqual(
      changes
        .map(({ x, y, width, height }) => [x, y, width, height])
        .toSorted(([, a = 0], [, b = 0]) => a - b),
      [
        [32, 32, 16, 16],
        [1200, 688, 10, 22],
      ],
    );
  });

  it('shows a region, exactly', async () => {
    await recorder.paint(300, 200, 5, 4, 0xfe7301);
    const { bytes, ...picture } = await display.picture({ region: { x: 299, y: 199, width: 7, height: 6 } });
    assert.deepEqual([picture.width, picture.height, picture.mime], [7, 6, 'image/png']);
    const { data } = await raw(bytes);
    assert.deepEqual([...data.subarray(0, 3)], [0x10, 0x20, 0x30]);
    const inside = (7 + 1) * 3;
    assert.deepEqual([...data.subarray(inside, inside + 3)], [0xfe, 0x73, 0x01]);
  });

  for (const format of ['png', 'jpeg', 'webp'] as const) {
    it(`shrinks, as ${format}`, async () => {
      const options = { format, within: { width: 683, height: 1000 } };
      const { bytes, width, height, region } = await display.picture(options);
      assert.deepEqual(region, { x: 0, y: 0, width: 1366, height: 767 });
      const { format: read, ...size } = await sharp(bytes).metadata();
      assert.deepEqual([read, size.width, size.height], [format, 683, 384]);
      assert.deepEqual([width, height], [683, 384]);
      const { data } = await raw(bytes);
      const at = (320 * 683 + 640) * 3;
      for (const [i, value] of [0xfe, 0x73, 0x01].entries())
        assert(Math.abs((data[at + i] ?? 0) - value) < 24, `colour ${i} is ${data[at + i]}`);
    });
  }

  it('makes no second picture of an unchanged screen', async () => {
    const first = await display.picture({ format: 'webp' });
    const second = await display.picture({ format: 'webp' });
    assert.equal(second.bytes, first.bytes);
    assert.equal(second.serial, first.serial);
  });

  it('waits for a change, which may be only the pointer', async () => {
    const { serial } = await display.picture({});
    const next = takeChangedPicture(
      () => display.picture({}),
      serial,
      () => display.changed(never),
    );
    await move(17, 19);
    assert((await next).serial > serial);
    const limit = AbortSignal.timeout(300);
    const { serial: newest } = await display.picture({});
    await assert.rejects(
      takeChangedPicture(
        () => display.picture({}),
        newest,
        () => display.changed(limit),
      ),
      { name: 'TimeoutError' },
    );
  });

  it('updates only the parts that differ, to exactly the same screen', async () => {
    const whole = await display.update({});
    assert.deepEqual(
      whole.parts.map(({ region }) => region),
      [{ x: 0, y: 0, width: 1366, height: 767 }],
    );
    await recorder.paint(32, 32, 16, 16, 0xabcdef);
    const one = await display.update({ after: whole.serial });
    await recorder.paint(1000, 700, 5, 5, 0xfedcba);
    const two = await display.update({ after: one.serial });
    const both = await display.update({ after: whole.serial });
    const regions = ({ parts }: ScreenUpdate) =>
      parts.map(({ region }) => region).toSorted((a, b) => a.y - b.y);
    const [first, second] = [
      { x: 32, y: 32, width: 16, height: 16 },
      { x: 992, y: 688, width: 16, height: 32 },
    ];
    assert.deepEqual(regions(one), [first]);
    assert.equal(regions(two).length, 1);
    assert.deepEqual(regions(both)[0], first);
    assert.deepEqual(both.serial, two.serial);
    const [{ region, bytes } = fail()] = two.parts;
    assert(second.x <= region.x && region.x <= 1000 && region.y <= 700, JSON.stringify(region));
    const all = await raw((await display.picture({})).bytes);
    const part = await raw(bytes);
    const at = region.y * 1366 * 3 + region.x * 3;
    assert.deepEqual(part.data.subarray(0, region.width * 3), all.data.subarray(at, at + region.width * 3));
  });

  it('has no parts if nothing differs, and the whole screen for an unknown serial', async () => {
    const { serial } = await display.update({});
    assert.deepEqual(await display.update({ after: serial }), { serial, parts: [] });
    for (const after of [0, serial + 1000]) {
      const { parts } = await display.update({ after });
      assert.deepEqual(parts[0]?.region, { x: 0, y: 0, width: 1366, height: 767 });
    }
  });

  it('does not change what later captures are compared with', async () => {
    await display.capture(never);
    await recorder.paint(500, 500, 8, 8, 0x123123);
    await display.picture({});
    const { changed } = await display.capture(never);
    assert.deepEqual(changed, { x: 500, y: 500, width: 8, height: 8 });
  });

  it('returns the captured screen in the size and format that the agent asks for', async () => {
    const { view, bytes } = await display.capture(never, {
      within: { width: 300, height: 300 },
      format: 'webp',
    });
    assert(view);
    assert.deepEqual([view.width, view.mime], [300, 'image/webp']);
    const again = await display.capture(never, { within: { width: 300, height: 300 }, format: 'webp' });
    assert.equal(again.view?.bytes, view.bytes);
    assert.equal(again.bytes, bytes);
  });

  it('refuses a region that is not on the screen', async () => {
    const region = { x: 1366, y: 0, width: 10, height: 10 };
    await assert.rejects(display.picture({ region }), { code: 'bad-picture' });
  });

  it('notes when something was drawn, and nothing before that', async () => {
    await using fresh = await connectDisplay(x.socket, never);
    assert.equal(fresh.lastDamage(), undefined);
    const before = performance.now();
    await recorder.paint(10, 10, 5, 5, 0xabcdef);
    // The event is on its way; any command's round trip ends after it.
    await fresh.play([{ kind: 'locate' }], never);
    const first = fresh.lastDamage() ?? 0;
    assert(first >= before);
    await recorder.paint(10, 10, 5, 5, 0x123456);
    await fresh.play([{ kind: 'locate' }], never);
    assert((fresh.lastDamage() ?? 0) > first);
  });
});

describe('the memory that an X server shares', () => {
  const isMapped = async ({ child }: Xvfb) =>
    /\/pwp-[0-9a-f-]+ \(deleted\)/.test(await readFile(`/proc/${child.pid}/maps`, 'utf8'));

  it('is released before the connection ends, every time', async () => {
    await using x = await startXvfb(640, 480);
    for (let i = 0; i < 20; i += 1) {
      {
        await using display = await connectDisplay(x.socket, never);
        await display.capture(never);
        assert.ok(await isMapped(x), 'it is not mapped while it is shared');
      }
      assert.equal(await isMapped(x), false, `round ${i}`);
    }
  });
});

describe('an X server that goes away', () => {
  it('is reported to all callers, and closes the display', async () => {
    await using x = await startXvfb(640, 480);
    await using display = await connectDisplay(x.socket, never);
    const playing = display.play(
      [{ kind: 'sleep', ms: 60_000 }, { kind: 'locate' }],
      AbortSignal.timeout(500),
    );
    const failed = assert.rejects(playing);
    await x.child.stop();
    await display.closed;
    await assert.rejects(display.capture(never), isLost);
    await failed;
    await assert.rejects(display.play([{ kind: 'locate' }], never), isLost);
  });

  it('fails at once if it does not exist', async () => {
    await assert.rejects(connectDisplay('/tmp/.X11-unix/X65000', never), isLost);
  });

  it('leaves no descriptor behind', async () => {
    const { readdirSync } = await import('node:fs');
    const count = () => readdirSync('/proc/self/fd').length;
    await using x = await startXvfb(640, 480);
    const before = count();
    for (let i = 0; i < 5; i += 1) {
      await using display = await connectDisplay(x.socket, never);
      await display.capture(never);
    }
    // Descriptors of earlier tests may close meanwhile.
    assert.ok(count() <= before, `${count()} descriptors, ${before} before`);
  });
});

function fail(): ScreenPicture {
  return assert.fail('there is no part');
}
