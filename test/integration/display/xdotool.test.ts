import assert from 'node:assert/strict';
import { execa } from 'execa';
import { inputOf } from '../../../bench/lib/xdotool.ts';
import { deadline, poll } from '../../../bridge/lib/index.ts';
import { connectDisplay, type XDisplay } from '../../../host/node/display/display.ts';
import { Recorder } from '../../support/x-recorder.ts';
import { startXvfb, type Xvfb } from '../../support/xvfb.ts';

/** Lines whose presses, clicks and motions must equal xdotool's own, one for one. */
const lines = [
  'mousemove 100 200',
  'mousemove 0 0 mousemove --sync 1919 1079',
  'mousemove 10 20 click 1',
  'click --repeat 2 --delay 20 3',
  'click 4 click 5',
  'mousemove_relative -- -5 3',
  'mousemove_relative 2000 2000',
  'mousedown 1 mousemove 300 300 mouseup 1',
  'key a',
  'key A',
  'key exclam minus period',
  'key ctrl+c',
  'key ctrl+shift+p',
  'key ctrl+A',
  'key Shift_L+a',
  'key alt+F4 Return',
  'key Prior Next Home',
  'key 38',
  'key a mousemove 5 5',
  'keydown shift key a keyup shift',
  'keydown shift key --clearmodifiers a keyup shift',
  'keydown ctrl+shift keyup ctrl+shift',
  'type Hello',
  'type a b c',
  `type 'const x = {"a": [1, 2]}; // !@#$%^&*()_+~'`,
  'type -- --dashes',
  'sleep 0.01 click 1',
  'mousedown 3 mouseup 3',
  'click 2 click 6 click 7 click 8 click 9',
  'click --repeat 3 5',
  'click --clearmodifiers 1',
  'key --repeat 3 --delay 5 Down',
  'key --delay 2 x y z',
  'key --clearmodifiers ctrl+s',
  'key super+l alt+Tab shift+F10',
  'key space Tab BackSpace Delete Escape Insert',
  'key plus asterisk slash backslash grave',
  'key KP_Enter Menu',
  'key U20AC',
  'keydown alt key Tab keyup alt',
  'keydown a keyup a',
  'mousemove 300 300 mousedown 1 mousemove_relative 50 20 mousemove_relative -- -10 5 mouseup 1',
  'keydown ctrl click 1 keyup ctrl',
  'getmouselocation click 1',
  "type 'tab\tbed'",
  'type --delay 3 slow',
  'type --clearmodifiers Clear',
  'mousemove --sync 15 25 sleep 0.005 mousemove 16 26',
];

describe('input against the real xdotool', () => {
  let x: Xvfb;
  let recorder: Recorder;
  let display: XDisplay;
  const never = new AbortController().signal;
  const start = inputOf('xdotool mousemove 700 700');

  // A failed start is cleaned up too.
  const owned = new AsyncDisposableStack();
  before(async () => {
    x = owned.use(await startXvfb());
    recorder = owned.use(await Recorder.start(x.socket, { pings: true, slowMs: 0 }));
    display = owned.use(await connectDisplay(x.socket, never));
  });
  after(() => owned.disposeAsync());

  /** The window's events; releases without keysyms, since those depend on the order of releases. */
  async function recorded(play: () => Promise<unknown>): Promise<string[]> {
    await display.play(start, never);
    await recorder.settled();
    recorder.events.length = 0;
    await play();
    await recorder.settled();
    const presses = recorder.events.filter(({ name }) => name !== 'KeyRelease');
    const released = recorder.events.length - presses.length;
    return [
      ...presses.map(({ name, detail, x, y }) => `${name} ${detail} (${x}, ${y})`),
      `${released} released`,
    ];
  }

  /** On a busy machine xdotool takes a character's key away before the window has looked it up. */
  async function recordedOfXdotool(command: string): Promise<string[]> {
    const play = () => recorded(() => execa('sh', ['-c', command], { env: { DISPLAY: x.name } }));
    const probe = async () => {
      const seen = await play();
      const lost = seen.some((event) => event.startsWith('KeyPress 0 '));
      return lost ? ({ done: false, saw: seen.join() } as const) : ({ done: true, value: seen } as const);
    };
    using limit = deadline(command, 60_000);
    return await poll('a key that the window could look up', probe, { intervalMs: 50, signal: limit.signal });
  }

  for (const line of lines) {
    it(line, async () => {
      const command = `xdotool ${line}`;
      const real = await recordedOfXdotool(command);
      const own = await recorded(() => display.play(inputOf(command), never));
      assert.deepEqual(own, real);
      assert(real.length > 1);
    });
  }

  it('releases keys in reverse order: the modifier last', async () => {
    await recorded(() => display.play(inputOf('xdotool key ctrl+shift+p'), never));
    const released = recorder.events.filter(({ name }) => name === 'KeyRelease').map(({ detail }) => detail);
    assert.deepEqual(released, [0x50, 0xffe1, 0xffe3]);
  });

  it('reports where the pointer is', async () => {
    const result = await display.play(inputOf('xdotool mousemove 12 34 getmouselocation'), never);
    assert.deepEqual(result, { executed: 2, failure: undefined, locations: [{ x: 12, y: 34 }] });
  });
});
