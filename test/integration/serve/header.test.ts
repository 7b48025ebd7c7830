import assert from 'node:assert/strict';
import { type Browser, chromium } from 'playwright-core';
import { raceSignal } from '../../../bridge/lib/index.ts';
import { pairRoutes } from '../../../host/doors/serve/live/live-routes.ts';
import { openServer, type Server } from '../../../host/doors/serve/server.ts';

/** What {@link filledHead} measures, in CSS pixels. */
interface Seen {
  /** Number of different tops among its buttons. */
  readonly tops: number;
  readonly height: number;
  /** Right edge of the rightmost button. */
  readonly right: number;
  /** Width of the page's content. */
  readonly across: number;
  /** Width of the words that say who acts. */
  readonly who: number;
}

/** A script for the page: fills its header with the longest texts. */
const filledHead = `(() => {
  document.body.dataset['kind'] = document.body.dataset['mode'] = 'pair';
  const text = 'Maria de los Angeles has control, and the agent waits for an answer to its question';
  for (const [id, said] of [
    ['mode', 'Maria has control'],
    ['detail', text],
  ]) {
    const element = document.getElementById(id);
    if (element) element.textContent = said;
  }
  // All buttons that can be visible together, and two that can't.
  const take = document.getElementById('take');
  if (take) take.textContent = 'Take control from Maria de los Angeles';
  const ids = ['take', 'pause', 'end', 'sound', 'fit', 'full'];
  for (const id of ids) document.getElementById(id)?.removeAttribute('hidden');
  const boxes = ids.map((id) => document.getElementById(id)?.getBoundingClientRect());
  const head = document.querySelector('header')?.getBoundingClientRect();
  return {
    tops: new Set(boxes.map((box) => Math.round(box?.top ?? -1))).size,
    height: head?.height ?? 0,
    right: Math.max(...boxes.map((box) => box?.right ?? Infinity)),
    across: document.documentElement.scrollWidth,
    who: document.getElementById('mode')?.clientWidth ?? 0,
  };
})()`;

describe('the header of the pair page', function () {
  this.timeout(120_000);
  let browser: Browser;
  let server: Server;
  const owned = new AsyncDisposableStack();

  before(async () => {
    const open = (signal: AbortSignal) => raceSignal(new Promise<never>(() => undefined), signal);
    const routes = pairRoutes({
      title: 'a-project-with-a-long-name',
      person: 'A person',
      open,
      hasEnded: () => Promise.resolve(false),
    });
    server = owned.use(await openServer(routes, 0));
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
    owned.defer(() => browser.close());
  });
  after(() => owned.disposeAsync());

  for (const width of [1241, 1280, 1920])
    it(`is one line at ${width} pixels, regardless of its text, with every button in reach`, async () => {
      const page = await browser.newPage({ viewport: { width, height: 800 } });
      await page.goto(server.url);
      const seen = await page.evaluate<Seen>(filledHead);
      assert.equal(seen.tops, 1);
      assert.ok(seen.height < 70, `${seen.height} pixels high`);
      assert.ok(seen.who > 80, 'the text that says who acts is not readable');
      assert.ok(seen.right <= width && seen.across <= width, JSON.stringify(seen));
      await page.close();
    });
});
