import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { poll, PwpError } from '../../../bridge/lib/index.ts';
import { connectDisplay, type XDisplay } from '../../../host/node/display/display.ts';
import { XKeyboard } from '../../../host/node/display/keyboard.ts';
import { XConnection } from '../../../host/node/display/x-connection.ts';
import type { InputCommand } from '../../../host/node/index.ts';
import { everything, slowIt } from '../../support/slow.ts';
import { Recorder } from '../../support/x-recorder.ts';
import { startXvfb, type Xvfb } from '../../support/xvfb.ts';

const never = new AbortController().signal;
const alphabet = [
  ...'abcdefXYZ 0123456789!@#$%^&*()_+-=[]{}\\|;:\'",.<>/?`~\n\t',
  ...'ÄäÖöÜüßéÉèñÑçøØåÅœŒ€£¥§°µ¿¡«»…–—“”„‘’→←↑↓∑∞≠≤≥√∫ΩωΔδπλЖжЩщЯя',
  ...'\u0301\u0308\u200d\u202e\u200fشעربي𝔘𝄞𠮷🏳️\ufe0f',
  ...'日本語漢字かな交じり文中测试字符한국어텍스트אבשערבไทย😀🎉🚀👍',
];

/** Text of characters drawn by a fixed generator: every run types the same. */
function mixedText(seed: number, length: number): string {
  let state = seed;
  const next = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  return Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)] ?? '').join('');
}

const done = { done: true, value: undefined } as const;
const wait = { done: false, saw: 'less' } as const;
const soon = () => ({ intervalMs: 10, signal: AbortSignal.timeout(20_000) });

/** A separate process that holds a button and types, to be killed in a test. */
async function startTypist(socket: string, text: string): Promise<ChildProcess> {
  const program = new URL('../../programs/typist.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [program, socket, text], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child, 'spawn');
  return child;
}

function type(text: string): InputCommand {
  return { kind: 'type', text, delayMs: 0 };
}

describe('typing', () => {
  let x: Xvfb;
  let display: XDisplay;
  let observer: XConnection;

  // A failed start is cleaned up too.
  const owned = new AsyncDisposableStack();
  before(async () => {
    x = owned.use(await startXvfb());
    display = owned.use(await connectDisplay(x.socket, never));
    observer = owned.use(await XConnection.open(x.socket, never));
  });
  after(() => owned.disposeAsync());

  const map = () =>
    observer.ask<number[][]>('the map', (answer) => observer.client.GetKeyboardMapping(8, 248, answer));
  const signs = async () => (await map()).map((row) => row.filter((keysym) => keysym !== 0));

  for (const client of [
    { title: 'a client that answers pings', pings: true, slowMs: 0 },
    { title: 'a client that is slow to read a changed map', pings: true, slowMs: 40 },
    { title: 'a client that answers no pings', pings: false, slowMs: 0 },
  ]) {
    (client.slowMs > 0 ? slowIt : it)(
      `is exact for ${client.title}, and gives the keycodes back`,
      async () => {
        const before = await signs();
        using recorder = await Recorder.start(x.socket, client);
        for (const seed of everything ? [1, 2] : [1]) {
          const text = mixedText(seed, 250);
          recorder.text = '';
          const result = await display.play([type(text)], never);
          assert.deepEqual(result, { executed: 1, failure: undefined, locations: [] });
          await recorder.settled();
          assert.equal(recorder.text, text);
        }
        assert.deepEqual(await signs(), before);
      },
    );
  }

  it('keeps two batches apart that are played at the same time', async () => {
    using recorder = await Recorder.start(x.socket, { pings: true, slowMs: 0 });
    const texts = ['äöü 漢字\n', 'ÄÖÜ かな\n'];
    await Promise.all(texts.map((text) => display.play([type(text)], never)));
    await recorder.settled();
    assert.equal(recorder.text, texts.join(''));
  });

  it('returns the keycodes and releases everything when it is cancelled', async () => {
    using recorder = await Recorder.start(x.socket, { pings: true, slowMs: 0 });
    const before = await signs();
    const stop = new AbortController();
    const commands: InputCommand[] = [
      { kind: 'key', keys: ['ctrl', 'é'], action: 'down', delayMs: 0 },
      { kind: 'button', button: 1, action: 'down', repeat: 1, delayMs: 0 },
      { kind: 'sleep', ms: 60_000 },
    ];
    const played = display.play(commands, stop.signal);
    await recorder.seen('ButtonPress');
    stop.abort(new Error('enough'));
    await assert.rejects(played, /enough/);
    await recorder.settled();
    assert.deepEqual(await new XKeyboard(observer).down(), []);
    assert.equal(recorder.events.filter(({ name }) => name === 'ButtonRelease').length, 1);
    assert.deepEqual(await signs(), before);
  });
});

describe('a process that dies while it types', () => {
  it('leaves nothing that the next connection does not repair', async () => {
    await using x = await startXvfb(800, 600);
    using recorder = await Recorder.start(x.socket, { pings: true, slowMs: 0 });
    using observer = await XConnection.open(x.socket, never);
    const map = () =>
      observer.ask<number[][]>('the map', (answer) => observer.client.GetKeyboardMapping(8, 248, answer));
    const signs = async () => (await map()).map((row) => row.filter((keysym) => keysym !== 0));
    const before = await signs();
    const typist = await startTypist(x.socket, 'äöü 漢字 😀 '.repeat(400));
    await recorder.seen('ButtonPress');
    await poll('typed text', () => Promise.resolve(recorder.text.length > 20 ? done : wait), soon());
    typist.kill('SIGKILL');
    await once(typist, 'exit');
    assert.notDeepEqual(await signs(), before);
    await using next = await connectDisplay(x.socket, never);
    assert.deepEqual(await signs(), before);
    assert.deepEqual(await new XKeyboard(observer).down(), []);
    await recorder.settled();
    const last = recorder.events.filter(({ name }) => name.startsWith('Button')).at(-1);
    assert.equal(last?.name, 'ButtonRelease');
    recorder.text = '';
    await next.play([type('Ärger 日本')], never);
    await recorder.settled();
    assert.equal(recorder.text, 'Ärger 日本');
  });

  it('is not confused with one that still types', async () => {
    await using x = await startXvfb(800, 600);
    using recorder = await Recorder.start(x.socket, { pings: true, slowMs: 0 });
    await using display = await connectDisplay(x.socket, never);
    const text = 'äöü 漢字 😀 '.repeat(20);
    const typing = display.play([type(text)], never);
    await recorder.seen('KeyPress');
    await using other = await connectDisplay(x.socket, never);
    assert.ok(other.size.width > 0);
    await typing;
    await recorder.settled();
    assert.equal(recorder.text, text);
  });
});

describe('release', () => {
  it('releases all keys and buttons, regardless of what pressed them, and does nothing if none is down', async () => {
    await using x = await startXvfb(800, 600);
    using recorder = await Recorder.start(x.socket, { pings: true, slowMs: 0 });
    await using display = await connectDisplay(x.socket, never);
    await using other = await connectDisplay(x.socket, never);
    const buttons = [1, 3].map(
      (button) => ({ kind: 'button', button, action: 'down', repeat: 1, delayMs: 0 }) as const,
    );
    await display.play(
      [{ kind: 'key', keys: ['ctrl', 'shift', 'a'], action: 'down', delayMs: 0 }, ...buttons],
      never,
    );
    await other.play([{ kind: 'release' }], never);
    await recorder.settled();
    const count = (word: string) => recorder.events.filter(({ name }) => name === word).length;
    assert.deepEqual([count('KeyRelease'), count('ButtonRelease')], [3, 2]);
    recorder.events.length = 0;
    await other.play([{ kind: 'release' }], never);
    await recorder.settled();
    assert.deepEqual(recorder.events, []);
  });
});

describe('release of locks', () => {
  it('turns off Caps Lock and Num Lock, which releasing keys does not, and only if they are on', async () => {
    await using x = await startXvfb(800, 600);
    using recorder = await Recorder.start(x.socket, { pings: true, slowMs: 0 });
    await using display = await connectDisplay(x.socket, never);
    const tap = (key: string) => ({ kind: 'key', keys: [key], action: 'press', delayMs: 0 }) as const;
    for (const lock of ['Caps_Lock', 'Num_Lock']) {
      await display.play([tap(lock)], never);
      await recorder.settled();
      recorder.events.length = 0;
      await display.play([{ kind: 'release' }], never);
      await recorder.settled();
      const presses = recorder.events.filter(({ name }) => name === 'KeyPress');
      assert.equal(presses.length, 1, lock);
      recorder.events.length = 0;
      await display.play([{ kind: 'release' }], never);
      await recorder.settled();
      assert.deepEqual(recorder.events, [], lock);
    }
  });
});

describe('text while Caps Lock is on', () => {
  it('is typed as given, and the lock stays on for keys before and after', async () => {
    await using x = await startXvfb(800, 600);
    using recorder = await Recorder.start(x.socket, { pings: true, slowMs: 0 });
    await using display = await connectDisplay(x.socket, never);
    const tap = (key: string) => ({ kind: 'key', keys: [key], action: 'press', delayMs: 0 }) as const;
    using observer = await XConnection.open(x.socket, never);
    const isLocked = async () => {
      const pointer = await observer.ask<{ readonly keyMask: number }>('the locks', (answer) =>
        observer.client.QueryPointer(observer.root, answer),
      );
      return (pointer.keyMask & 2) !== 0;
    };
    await display.play([tap('Caps_Lock'), type('aB')], never);
    await recorder.settled();
    const pressed = recorder.events.filter(({ name }) => name === 'KeyPress').map(({ detail }) => detail);
    const [capsLock, shift] = [0xffe5, 0xffe1];
    const keys = pressed.filter((keysym) => keysym !== shift && keysym !== capsLock);
    assert.deepEqual([pressed[0], pressed[1], pressed.at(-1)], [capsLock, capsLock, capsLock]);
    assert.equal(keys.length, 2, pressed.map((keysym) => keysym.toString(16)).join());
    assert.equal(await isLocked(), true);
    await display.play([tap('Caps_Lock'), type('aB')], never);
    assert.equal(await isLocked(), false);
  });
});

describe('an X server that restarts in the middle of a batch', () => {
  it('is reported as a lost display, and the next connection works', async () => {
    await using x = await startXvfb(800, 600);
    await using display = await connectDisplay(x.socket, never);
    const playing = display.play([type('äöü '.repeat(2000))], never);
    const failed = assert.rejects(
      playing,
      (error) => error instanceof PwpError && error.code === 'display-lost',
    );
    using recorder = await Recorder.start(x.socket, { pings: true, slowMs: 0 });
    await recorder.seen('KeyPress');
    await x.child.stop();
    await failed;
    await using again = await startXvfb(800, 600);
    await using next = await connectDisplay(again.socket, never);
    assert.equal((await next.play([type('a')], never)).failure, undefined);
  });
});

describe('long text', () => {
  it('of 100 KB starts at once and can be cancelled', async () => {
    await using x = await startXvfb(800, 600);
    using recorder = await Recorder.start(x.socket, { pings: true, slowMs: 0 });
    await using display = await connectDisplay(x.socket, never);
    const stop = new AbortController();
    const played = display.play([type('lorem ipsum '.repeat(8534))], stop.signal);
    await recorder.seen('KeyPress');
    stop.abort(new Error('enough'));
    await assert.rejects(played, /enough/);
    await recorder.settled();
    assert.ok(recorder.text.length > 0 && recorder.text.length < 10_000);
    assert.ok('lorem ipsum '.repeat(8534).startsWith(recorder.text));
  });
});

describe('batches that cannot be played', () => {
  let x: Xvfb;
  let display: XDisplay;
  let recorder: Recorder;

  // A failed start is cleaned up too.
  const owned = new AsyncDisposableStack();
  before(async () => {
    x = owned.use(await startXvfb(800, 600));
    display = owned.use(await connectDisplay(x.socket, never));
    recorder = owned.use(await Recorder.start(x.socket, { pings: true, slowMs: 0 }));
  });
  after(() => owned.disposeAsync());

  const bad: [string, InputCommand, RegExp][] = [
    [
      'an unknown key',
      { kind: 'key', keys: ['ctrl', 'frob'], action: 'press', delayMs: 0 },
      /unknown key 'frob'/,
    ],
    [
      'coordinates off the screen',
      { kind: 'move', x: 800, y: 10, relative: false },
      /\(800, 10\) is off the screen/,
    ],
    ['a character that no key types', type('bell\u0007'), /U\+0007 at position 5/],
    ['NUL', type('a\u0000b'), /U\+0000 at position 2/],
    [
      'half of a surrogate pair',
      type('😀x\udc00'),
      /U\+DC00 at position 3 of the text: half of a surrogate pair/,
    ],
    [
      'an unknown button',
      { kind: 'button', button: 12, action: 'click', repeat: 1, delayMs: 0 },
      /button 12/,
    ],
  ];
  for (const [title, command, message] of bad) {
    it(`${title}: nothing of the batch is played`, async () => {
      await recorder.settled();
      recorder.events.length = 0;
      const first: InputCommand = { kind: 'key', keys: ['shift'], action: 'down', delayMs: 0 };
      const result = await display.play([first, command, type('x')], never);
      assert.equal(result.executed, 0);
      assert.equal(result.failure?.index, 1);
      assert.match(result.failure.message, message);
      await recorder.settled();
      assert.deepEqual(recorder.events, []);
    });
  }

  it('keeps a key down over batches until it is released', async () => {
    await display.play([{ kind: 'key', keys: ['shift'], action: 'down', delayMs: 0 }], never);
    recorder.text = '';
    await display.play([type('aB')], never);
    await display.play([{ kind: 'key', keys: ['shift'], action: 'up', delayMs: 0 }], never);
    await display.play([type('c')], never);
    await recorder.settled();
    assert.equal(recorder.text, 'ABc');
  });
});
