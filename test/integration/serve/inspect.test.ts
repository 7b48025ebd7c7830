import assert from 'node:assert/strict';
import { type Browser, chromium, type Page } from 'playwright-core';
import { poll, type Probe } from '../../../bridge/lib/index.ts';
import { hasSandboxEnded } from '../../../host/doors/cli/served-ide.ts';
import { inspectRoutes } from '../../../host/doors/serve/live/live-routes.ts';
import { openServer } from '../../../host/doors/serve/server.ts';
import { Session } from '../../../host/ide/index.ts';
import { defaultDisplay } from '../../../host/node/index.ts';
import { onOneNode } from '../../support/each-node.ts';
import { Ide } from '../../support/ide-sandbox.ts';
import { faintTexts, meetingBoxes } from '../../support/page-scripts.ts';

const evil = '<img src=x onerror=document.title=1>.txt';

onOneNode('the inspect page', (open) => {
  let ide: Ide;
  let browser: Browser;
  let page: Page;
  let url: URL;
  const problems: string[] = [];
  const owned = new AsyncDisposableStack();

  before(async () => {
    const files = { 'stats.py': 'x = 1\n', 'other.txt': '', [evil]: '' };
    ide = owned.use(await Ide.start(open, files));
    const { node } = owned.use(await open());
    const { id } = ide.sandbox;
    const routes = inspectRoutes({
      title: 'an <ide>',
      open: () => Promise.resolve(ide.sandbox),
      hasEnded: () => hasSandboxEnded(node, id),
    });
    const server = owned.use(await openServer(routes, 0));
    url = new URL(server.url);
    const args = ['--no-sandbox', '--disable-gpu'];
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args });
    owned.defer(() => browser.close());
    page = await browser.newPage({ viewport: { width: 1440, height: 810 } });
    page.on('console', (message) => problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(url.href, { waitUntil: 'commit' });
    await page.waitForSelector('#status[data-state=live]');
  });
  after(() => owned.disposeAsync());

  const texts = (selector: string) => page.locator(selector).allTextContents();

  it('shows the marks over the screen and in a list, in the same places', async () => {
    await page.click('#tab-list');
    const row = page.locator('#list .row', { hasText: 'stats.py' }).first();
    const id = await row.getAttribute('data-mark');
    const [mark] = (await ide.observe()).marks.filter(({ name }) => name.startsWith('stats.py'));
    assert.equal(id, String(mark?.id));
    await row.hover();
    const frame = page.locator(`#marks [data-mark="${id}"].pointed`);
    const [stage, shown] = [await page.locator('#stage').boundingBox(), await frame.boundingBox()];
    assert.ok(stage && shown && mark);
    const scale = stage.width / defaultDisplay.width;
    assert.ok(Math.abs(shown.x - stage.x - mark.box.x * scale) < 2, JSON.stringify([stage, shown, mark.box]));
    assert.ok(Math.abs(shown.width - mark.box.width * scale) < 2);
  });

  it('hides the marks on a key press, and shows them again', async () => {
    const marks = page.locator('#marks');
    await page.keyboard.press('m');
    assert.equal(await marks.isVisible(), false);
    await page.keyboard.press('m');
    assert.equal(await marks.isVisible(), true);
  });

  it('follows actions in the IDE', async () => {
    await page.click('#tab-state');
    await ide.click(await ide.find('treeitem', /^stats\.py/), 1, 2);
    await page.waitForSelector('#state >> text="file:///workspace/stats.py"');
    await ide.type('y = 2');
    await page.waitForSelector('#focus >> text=●');
    await page.waitForSelector('#state .leaf:has(.key:text-is("dirty")) .value:text-is("true"):visible');
  });

  it('follows state changes that are not visible on the screen', async () => {
    const value = page.locator('#state .leaf:has(.key:text-is("effective")) .value:text-is("7")');
    assert.equal(await value.count(), 0);
    const argv = ['bash', '-ec', `mkdir -p .vscode; echo '{"editor.tabSize":7}' > .vscode/settings.json`];
    const env = { PATH: '/usr/bin:/bin' };
    const command = { argv, cwd: '/workspace', env, timeoutMs: 10_000, maxOutputBytes: 1000 };
    await ide.sandbox.exec(command, { signal: AbortSignal.timeout(20_000) });
    await value.first().waitFor({ state: 'attached' });
  });

  it('can be searched: the tree expands to matches, and other marks are hidden', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('STATS');
    const keys = await texts('#state .leaf .key');
    assert.ok(keys.includes('uri') && !keys.includes('trusted'), keys.join());
    assert.ok((await texts('#state mark')).every((text) => text === 'stats'));
    await page.click('#tab-list');
    for (const text of await texts('#list .row')) assert.match(text, /stats/i);
    assert.equal(await page.locator('#marks .mark').count(), await page.locator('#list .row').count());
    await page.fill('#search', 'no such thing');
    assert.deepEqual(await texts('#list-says'), ['No mark matches.']);
    await page.fill('#search', '');
  });

  it('treats data from the sandbox as text, and logs no problem', async () => {
    await page.waitForSelector('#list .row >> text=onerror');
    assert.equal(await page.locator('aside img').count(), 0);
    assert.equal(await page.title(), 'an <ide>');
    assert.deepEqual(problems, []);
  });

  it('keeps marks valid that an agent was shown', async () => {
    using session = new Session(ide.sandbox);
    const { marks } = await session.observe({ signal: AbortSignal.timeout(20_000) });
    const item = marks.find(({ name }) => name.startsWith('other.txt'));
    await page.reload({ waitUntil: 'commit' });
    await page.waitForSelector('#status[data-state=live]');
    const { info } = await session.step([{ kind: 'mark', verb: 'click', mark: item?.id ?? 0 }], {
      signal: AbortSignal.timeout(20_000),
    });
    assert.equal(info.outcomes[0]?.effect, 'confirmed', info.outcomes[0]?.evidence);
  });

  for (const width of [1280, 400])
    it(`has numbers that do not overlap, and does not overflow, at ${width} pixels`, async () => {
      await page.setViewportSize({ width, height: 800 });
      const numbers = page.locator('#marks .mark span:not(.nowhere)');
      await numbers.first().waitFor();
      assert.ok((await numbers.count()) > 5);
      // They are placed once the window has its new size.
      const apart = async (): Promise<Probe<undefined>> => {
        const met = await page.evaluate<string[]>(`${meetingBoxes}('#marks .mark span:not(.nowhere)')`);
        return met.length === 0 ? { done: true, value: undefined } : { done: false, saw: met.join(', ') };
      };
      await poll('numbers apart', apart, { intervalMs: 50, signal: AbortSignal.timeout(20_000) });
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
    });

  it('has enough contrast for its text in both schemes', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const tab of ['#tab-state', '#tab-list']) {
        await page.click(tab);
        assert.deepEqual(await page.evaluate(faintTexts), [], `${colorScheme} ${tab}`);
      }
    }
  });

  it('is refused without the token', async () => {
    for (const path of ['/', '/live', '/screen.mjpeg', '/screen.png'])
      assert.equal((await fetch(new URL(path, url.origin))).status, 401, path);
  });

  it('says that the sandbox has ended, also to later visitors', async () => {
    await ide.sandbox.stop();
    for (const come of [() => Promise.resolve(null), () => page.reload({ waitUntil: 'commit' })]) {
      await come();
      await page.waitForSelector('#status[data-state=ended]');
      assert.equal(await page.locator('#over').innerText(), 'This sandbox has ended');
    }
    assert.deepEqual(problems, []);
  });
});
