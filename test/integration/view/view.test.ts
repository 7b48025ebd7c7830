import assert from 'node:assert/strict';
import { appendFile, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { PwpError, raceSignal } from '../../../bridge/lib/index.ts';
import { openServer, type Server } from '../../../host/doors/serve/server.ts';
import { LiveStates, type OpenLive } from '../../../host/doors/view/live-states.ts';
import { viewRoutes } from '../../../host/doors/view/view-routes.ts';
import type { RecordEvent } from '../../../host/run/index.ts';
import { formatEvent } from '../../../host/run/record/record-lines.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { harmful } from '../../support/harmful-name.ts';
import { slowIt } from '../../support/slow.ts';
import { writeMadeUpStudy } from '../../support/made-up-study.ts';
import { writeViewedFolder } from '../../support/viewed-study.ts';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** The longest wait, in milliseconds, for something to appear on a busy machine. */
const waitMs = 60_000;
const planted = 'first/attempts/alpha-t8/ace/2';
const beside = 'first/attempts/alpha-t8/ace/1';

describe('the page of studies', () => {
  const owned = new AsyncDisposableStack();
  let root: string;
  let server: Server;
  let live: LiveStates;
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];

  before(async function () {
    this.timeout(waitMs);
    const folder = owned.use(await temporaryFolder());
    root = folder.file('studies');
    await writeViewedFolder(root);
    await rm(`${root}/first/attempts/alpha-t9/dud/5/attempt.json`);
    await rm(`${root}/${planted}/try-1/frames/0003.png`);
    const damaged = { at: '2026-01-01T00:00:00.000Z', ms: 1, event: 'step' } as RecordEvent;
    await appendFile(`${root}/${beside}/try-1/events.jsonl`, `${formatEvent(damaged)}\n`);
    live = owned.use(new LiveStates(openLive));
    server = owned.use(await openServer(await viewRoutes(root, live), 0));
    const args = ['--no-sandbox', '--disable-gpu'];
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args });
    owned.defer(() => browser.close());
    page = await opened('');
  });
  after(() => owned.disposeAsync());

  async function opened(hash: string, url = server.url): Promise<Page> {
    const made = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    made.setDefaultTimeout(waitMs);
    made.on('console', (message) => problems.push(message.text()));
    made.on('pageerror', (error) => problems.push(error.message));
    await made.goto(`${url}${hash}`);
    await made.waitForSelector('body:not([data-view=none])');
    return made;
  }

  const shows = (name: string) => page.waitForSelector(`body[data-view=${name}]`);
  const at = (id: string) => page.waitForSelector(`#one .stage [id=${id}]`);
  const hash = () => new URLSearchParams(new URL(page.url()).hash.slice(1));
  /** Waits until the page shows the text. */
  const says = (selector: string, text: RegExp) =>
    page.locator(selector, { hasText: text }).first().waitFor();

  it('has each attempt of each agent at each task', async () => {
    assert.equal(await page.locator('.chip[data-id]').count(), 301);
    assert.equal(await page.locator('.chip.passed').count(), 98);
    const suspect = page.locator('.chip.suspect[data-id^=first]');
    assert.match(
      (await suspect.getAttribute('aria-label')) ?? '',
      /alpha\/t0, dud, attempt 4: suspect score/,
    );
    const open = page.locator('.chip.open[data-id]');
    assert.match(
      (await open.getAttribute('title')) ?? '',
      /alpha\/t9, dud, attempt 5: not over\nit is not over/,
    );
    assert.match(await page.innerText('.lead'), /first: 299 of 600 over/);
  });

  it('filters by failure mode, and opens an attempt by keyboard alone', async () => {
    await page.selectOption('#by-mode', 'syntax-error-loop');
    await says('#matches', /^1 of 301 attempts$/);
    await page.focus('#main');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    assert.equal(await page.evaluate('document.activeElement.dataset.id'), planted);
    await page.keyboard.press('Enter');
    await shows('one');
    assert.equal(await page.innerText('#one h1'), 'alpha/t8');
    await at('step-0');
  });

  it('steps through an attempt by keyboard, with marks, an edit and a missing frame', async () => {
    for (let i = 0; i < 4; i += 1) {
      await page.keyboard.press('ArrowRight');
      await at(`step-${i + 1}`);
    }
    assert.equal(hash().get('at'), 'step-4');
    assert.match(await page.innerText('#one .panel'), /Refused\s+SyntaxError: invalid syntax/);
    assert.match(await page.innerText('.edited .removed'), /- a/);
    assert.match(await page.innerText('.edited .added'), /\+ b/);
    assert.equal(await page.locator('.stage .marks').isVisible(), false);
    await page.keyboard.press('m');
    assert.equal(await page.locator('.stage .marks').isVisible(), true);
    await page.keyboard.press('m');
    assert.equal(await page.getAttribute('.stop[aria-current]', 'data-at'), '4');
    await page.keyboard.press('ArrowLeft');
    await says('.stage .alert', /frames\/0003\.png is missing/);
    await page.keyboard.press('End');
    await at('step-11');
  });

  it('finds steps by effect, tool and text, and goes from one to the next', async () => {
    await page.selectOption('#by-tool', 'search_replace');
    await page.selectOption('#by-effect', 'refused');
    await says('#matches', /^3 of 12 steps$/);
    await page.focus('#main');
    await page.keyboard.press('Home');
    await at('step-0');
    for (const step of ['step-4', 'step-5']) {
      await page.keyboard.press('n');
      await at(step);
    }
    await page.keyboard.press('p');
    await at('step-4');
    await page.fill('#by-text', 'no such words');
    await says('#matches', /^0 of 12 steps$/);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await shows('all');
    await says('#matches', /^0 of 301 attempts/);
    await page.click('#clear');
    await page.fill('#by-mark', 'inventory.py');
    await says('#matches', /^[12] of 301 attempts$/);
    await page.click('#clear');
  });

  it('opens at the step that a link names, and names what does not exist', async () => {
    const other = await opened('#a=runs/one&at=step-6');
    await other.waitForSelector('.stage [id=step-6]');
    assert.match(await other.innerText('.stage .panel'), /selection is now “range”/);
    assert.equal(await other.locator('.about .checks li').count(), 3);
    await other.close();
    const lost = await opened('#a=runs/two');
    assert.match(await lost.innerText('#trouble'), /no record|no attempt/);
    await lost.close();
    problems.length = 0;
  });

  it('shows two attempts side by side, aligned by their actions', async () => {
    await page.goto(`${server.url}#a=${planted}`);
    await page.locator('#beside').locator('option').nth(1).waitFor({ state: 'attached' });
    await page.keyboard.press('s');
    assert.equal(await page.evaluate('document.activeElement.id'), 'beside');
    await page.goto(`${server.url}#a=${planted}&b=${beside}`);
    await page.waitForSelector('.pair');
    const rows = await page.locator('.pair').allInnerTexts();
    assert.equal(rows.length, 13);
    const signs = await page.locator('.pair .sign-of').allInnerTexts();
    assert.deepEqual(signs.join(''), '===←←←←=←←←=→');
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector('.pair:nth-child(2)[aria-current]');
    assert.equal(await page.locator('.halves .step').count(), 2);
    await page.keyboard.press('End');
    await says('.halves', /This line can’t be read/);
  });

  it('opens a step live by keyboard, reports the outcome, and ends it', async () => {
    await page.goto(`${server.url}#a=${planted}&at=step-1`);
    await at('step-1');
    await page.keyboard.press('o');
    await says('.live [role=status]', /^Step 1 is reached\.$/);
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'step 1, live');
    await found(page, 'a live state');
    const [opened] = live.open;
    assert.deepEqual([opened?.id, opened?.step, opened?.sandbox], [planted, 1, 'live-1']);
    const inside = await fetch(opened?.url ?? '');
    assert.equal(await inside.text(), `${root}/${planted}/try-1, step 1`);
    await page.keyboard.press('ArrowRight');
    await at('step-2');
    await page.keyboard.press('o');
    await says('.live [role=status]', /^Step 2 can’t be opened: it was not reached: a mark is gone$/);
    await page.getByRole('button', { name: 'End step 1, live' }).click();
    await says('.live [role=status]', /^live-1 has ended$/);
    assert.deepEqual(live.open, []);
    await assert.rejects(fetch(opened?.url ?? ''));
  });

  it('opens one live state at a time, cancels it with its page, and only accepts POST from this origin', async () => {
    const other = await opened(`#a=${planted}&at=step-3`);
    await other.waitForSelector('.stage [id=step-3]');
    await other.keyboard.press('o');
    await other.locator('.live [role=status]', { hasText: /Opening step 3: being played/ }).waitFor();
    const address = `${server.origin}/data/live?token=${server.token}&id=${planted}&step=1`;
    const busy = await fetch(address, { method: 'POST' });
    assert.equal(busy.status, 400);
    assert.match(await busy.text(), /another state is being opened/);
    await other.close();
    await gaveUp.promise;
    const asked = (init: RequestInit, url = address) => fetch(url, init).then(({ status }) => status);
    assert.equal(await asked({ method: 'POST', headers: { Origin: 'http://example.org' } }), 403);
    assert.equal(await asked({ method: 'POST' }, address.replace(server.token, 'x'.repeat(32))), 401);
    assert.deepEqual(await (await fetch(address)).json(), []);
  });

  for (const colorScheme of ['light', 'dark'] as const)
    (colorScheme === 'light' ? it : slowIt)(
      `has nothing that axe finds and fits 400 pixels, in the ${colorScheme}`,
      async function () {
        this.timeout(2 * waitMs);
        await page.emulateMedia({ colorScheme });
        for (const [link, ready] of [
          ['#effect=refused', '.chip[data-id]:not(.gone)'],
          [`#a=${beside}&at=step-3&effect=confirmed`, '.stage .step'],
          [`#a=${planted}&b=${beside}`, '.halves .step'],
        ] as const) {
          await page.goto(`${server.url}${link}`);
          await page.waitForSelector(ready);
          for (const width of [1440, 400]) {
            await page.setViewportSize({ width, height: 900 });
            await found(page, `${link} at ${width}`);
            assert.equal(
              await page.evaluate('document.documentElement.scrollWidth'),
              width,
              `${link} at ${width}`,
            );
          }
        }
      },
    );

  it('runs no script from a record', async () => {
    const folder = owned.use(await temporaryFolder());
    const dress = (name: string) => `${name}${harmful}`;
    const isOver = ({ family, task }: { family: string; task: number }) => family === 'alpha' && task === 8;
    await writeMadeUpStudy(folder.file('study'), { dress, isOver });
    await using other = await openServer(await viewRoutes(folder.path), 0);
    const hostile = await opened('', other.url);
    hostile.on('dialog', (dialog) => problems.push(`a dialog: ${dialog.message()}`));
    const [one, two] = [`study/${planted.slice(6)}`, `study/${beside.slice(6)}`];
    for (const [link, ready] of [
      ['#', '.chip[data-id]'],
      [`#a=${one}&at=step-11`, '.stage .step'],
      [`#a=${one}&b=${two}&at=3`, '.halves .step'],
    ] as const) {
      await hostile.goto(`${other.url}${link}`);
      await hostile.waitForSelector(ready);
      assert.equal(await hostile.locator('main :is(script, img[onerror])').count(), 0);
    }
    // The page's policy would stop a script that got in anyway.
    const refused = hostile.waitForEvent('console', (message) =>
      /Content Security Policy/.test(message.text()),
    );
    await hostile.evaluate(
      `document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="document.title = 1">')`,
    );
    await refused;
    assert.notEqual(await hostile.title(), '1');
    await hostile.close();
    const ofFrames = problems.filter((text) => !/404|Content Security Policy/.test(text));
    assert.deepEqual(ofFrames, []);
    problems.length = 0;
  });

  it('logged no problem', () =>
    assert.deepEqual(
      problems.filter((text) => !/404/.test(text)),
      [],
    ));
});

/** Fires when the opening of a state is cancelled. */
const gaveUp = Promise.withResolvers<void>();

/** Stands in for IDEs: step 1 opens a page, step 2 fails, step 3 never ends until cancelled. */
const openLive: OpenLive = async ({ folder, step }, say, signal) => {
  say('being played');
  if (step === 2)
    throw new PwpError('replay-stopped', 'it was not reached', { cause: new Error('a mark is gone') });
  if (step === 3) {
    await raceSignal(new Promise<never>(() => undefined), signal).finally(() => gaveUp.resolve());
  }
  const server = await openServer(
    { '/': (_, response) => Promise.resolve(void response.end(`${folder}, step ${step}`)) },
    0,
  );
  const words = `Step ${step} is reached.`;
  return {
    url: server.url,
    sandbox: `live-${step}`,
    words,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};

/** Fails with the problems that axe finds in a page. */
async function found(page: Page, where: string): Promise<void> {
  // The page allows no scripts except its own.
  await page.evaluate(await readFile(axe, 'utf8'));
  const violations = await page.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' ')))`,
  );
  assert.deepEqual(violations, [], where);
}
