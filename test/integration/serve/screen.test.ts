import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { pause } from '../../../bridge/lib/index.ts';
import { watchRoutes } from '../../../host/doors/serve/live/live-routes.ts';
import type { LiveScreen } from '../../../host/doors/serve/live/screen-feed.ts';
import { openServer, type Server } from '../../../host/doors/serve/server.ts';
import { connectDisplay, type XDisplay } from '../../../host/node/display/display.ts';
import { takeChangedPicture } from '../../../host/node/display/screen.ts';
import { Recorder } from '../../support/x-recorder.ts';
import { startXvfb } from '../../support/xvfb.ts';

const never = new AbortController().signal;

describe('a watched screen', () => {
  let display: XDisplay;
  let recorder: Recorder;
  let server: Server;
  let taken = 0;
  const owned = new AsyncDisposableStack();
  const wait = (signal: AbortSignal | undefined) => () => display.changed(signal ?? never);
  const screen: LiveScreen = {
    display: { width: 800, height: 600 },
    picture: ({ after, signal, ...options } = {}) =>
      takeChangedPicture(() => display.picture(options), after, wait(signal)),
    update: async ({ signal, ...options } = {}) => {
      const update = await takeChangedPicture(() => display.update(options), options.after, wait(signal));
      taken += 1;
      return update;
    },
  };
  const open = () => Promise.resolve(screen);
  before(async () => {
    const x = owned.use(await startXvfb(800, 600));
    display = owned.use(await connectDisplay(x.socket, never));
    recorder = owned.use(await Recorder.start(x.socket, { pings: false, slowMs: 0 }));
    await recorder.paint(0, 0, 800, 600, 0xff0000);
    const routes = watchRoutes({ title: 'a <screen>', open });
    server = owned.use(await openServer(routes, 0));
  });
  after(() => owned.disposeAsync());

  it('is live in a browser, frame by frame as it changes', async function () {
    this.timeout(60_000);
    const args = ['--no-sandbox', '--disable-gpu'];
    const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args });
    try {
      const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
      const problems: string[] = [];
      page.on('console', (message) => problems.push(message.text()));
      await page.goto(server.url, { waitUntil: 'commit' });
      assert.equal(await page.title(), 'a <screen>');
      await shows(page, [254, 0, 0]);
      await recorder.paint(0, 0, 800, 600, 0x0000ff);
      await shows(page, [0, 0, 254]);
      const before = taken;
      await pause(500);
      assert.equal(taken, before, 'frames were made of a screen that did not change');
      assert.deepEqual(problems, []);
    } finally {
      await browser.close();
    }
  });

  it('says that its sandbox has ended, or that its server has', async function () {
    this.timeout(60_000);
    let ended = false;
    const routes = watchRoutes({
      title: 'x',
      open: () => (ended ? Promise.reject(new Error('gone')) : open()),
      hasEnded: () => Promise.resolve(ended),
    });
    const args = ['--no-sandbox', '--disable-gpu'];
    await using browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args });
    const [first, second] = [await browser.newPage(), await browser.newPage()];
    const said = (page: Page, text: string) => page.locator('#over', { hasText: text }).waitFor();
    const one = await openServer(routes, 0);
    await first.goto(one.url, { waitUntil: 'commit' });
    assert.equal(await first.locator('#over').isVisible(), false);
    ended = true;
    await said(first, 'This sandbox has ended');
    await one[Symbol.asyncDispose]();
    ended = false;
    const other = await openServer(routes, 0);
    await second.goto(other.url, { waitUntil: 'commit' });
    await second.locator('#over').waitFor({ state: 'attached' });
    await other[Symbol.asyncDispose]();
    await said(second, 'Not connected');
  });

  it('is sent as one PNG on request', async () => {
    const url = new URL(server.url);
    url.pathname = '/screen.png';
    const answer = await fetch(url);
    assert.equal(answer.status, 200);
    const { width, height } = await sharp(await answer.arrayBuffer()).metadata();
    assert.deepEqual([width, height], [800, 600]);
  });

  it('is refused without the token, and under any other host name', async () => {
    const { port, searchParams } = new URL(server.url);
    const token = searchParams.get('token') ?? '';
    const path = `/screen.png?token=${token}`;
    assert.equal(await statusOf(port, '/screen.png'), 401);
    assert.equal(await statusOf(port, `/screen.png?token=${token.slice(1)}x`), 401);
    assert.equal(await statusOf(port, path, { host: `evil.example:${port}` }), 421);
    assert.equal(await statusOf(port, path, {}, 'POST'), 405);
    assert.equal(await statusOf(port, `/nothing?token=${token}`), 404);
    assert.equal(await statusOf(port, '/screen.png', { authorization: `Bearer ${token}` }), 200);
  });

  it('is not served on other addresses of this machine', async () => {
    const port = Number(new URL(server.url).port);
    const others = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ address, family }) => family === 'IPv4' && address !== '127.0.0.1');
    for (const { address } of others) {
      const socket = connect(port, address);
      await assert.rejects(once(socket, 'connect'), { code: 'ECONNREFUSED' }, address);
      socket.destroy();
    }
  });

  it('reports that a port is taken', async () => {
    const port = Number(new URL(server.url).port);
    await assert.rejects(openServer({}, port), { code: 'port-taken' });
  });

  it('ends its streams when its server closes', async () => {
    const routes = watchRoutes({ title: 'x', open });
    const other = await openServer(routes, 0);
    const url = new URL(other.url);
    url.pathname = '/screen.mjpeg';
    const { body } = await fetch(url);
    const reader = body?.getReader();
    await reader?.read();
    await other[Symbol.asyncDispose]();
    await assert.rejects(async () => {
      for (;;) if ((await reader?.read())?.done) throw new Error('the stream is over');
    });
  });
});

/** Waits until a page has a colour at a place away from the pointer. */
async function shows(page: Page, colour: readonly number[]): Promise<void> {
  let seen: number[] = [];
  for (let look = 0; look < 50; look += 1) {
    const { data } = await sharp(await page.screenshot())
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const at = (100 * 800 + 100) * 3;
    seen = [...data.subarray(at, at + 3)];
    if (seen.every((value, i) => Math.abs(value - (colour[i] ?? 0)) < 8)) return;
    await pause(100);
  }
  assert.deepEqual(seen, colour);
}

function statusOf(port: string, path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<number | undefined>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}
