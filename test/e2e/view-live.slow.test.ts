import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import * as z from 'zod';
import { Cli } from '../support/cli.ts';
import { onOneNode } from '../support/each-node.ts';
import { JsonDocuments } from '../support/json-documents.ts';

/** The longest wait, in milliseconds, for something to appear on a busy machine. */
const waitMs = 180_000;
const printed = z.object({ url: z.url() });
const list = z.array(z.object({ id: z.string() }));

onOneNode('a step that is opened live in the page of studies', (_, kind) => {
  const cli = new Cli(kind);
  const owned = new AsyncDisposableStack();
  let page: Page;
  let sandbox = '';
  let stop: () => Promise<void> = () => Promise.resolve();

  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pwp-view-live-'));
    owned.defer(() => rm(folder, { recursive: true }));
    const runs = join(folder, 'runs');
    const ran = await cli.pwp('run', '-t', 'tasks/vscode/swap-text-test', '-a', 'oracle', '--out', runs);
    assert.equal(ran.code, 0, `${ran.stdout}${ran.stderr}`);
    const written = await readdir(runs);
    const child = cli.start('view', runs, '--json');
    const exit = once(child, 'exit');
    stop = async () => {
      child.kill('SIGINT');
      await exit;
    };
    owned.defer(stop);
    const { url } = printed.parse(await new JsonDocuments(child).next());
    const browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu'],
    });
    owned.defer(() => browser.close());
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(waitMs);
    await page.goto(url);
    const first = page.locator('.chip[data-id]').first();
    await first.waitFor();
    await first.click();
    await page.waitForSelector('.stage .step');
    assert.deepEqual(await readdir(runs), written);
  });
  after(() => owned.disposeAsync());

  it('shows the state of that step, on the page of pwp pair', async () => {
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector('.stage [id=step-1]');
    await page.keyboard.press('o');
    await page.locator('.live [role=status]', { hasText: /Step 1 is reached|can’t be opened/ }).waitFor();
    assert.match(await page.innerText('.live [role=status]'), /screen, editor and files are as recorded/);
    sandbox = await page.innerText('.states code');
    const opening = page.context().waitForEvent('page');
    // The focus is on the link.
    await page.keyboard.press('Enter');
    const pair = await opening;
    pair.setDefaultTimeout(waitMs);
    await pair.waitForSelector('body[data-mode=agent], body[data-mode=waiting], #control');
    assert.match(await pair.title(), /vscode\/swap-text-test, step 1/);
    await pair.close();
    assert.ok(list.parse(await cli.json('sandboxes')).some(({ id }) => id === sandbox));
  });

  it('ends with the page', async () => {
    await stop();
    assert.ok(!list.parse(await cli.json('sandboxes')).some(({ id }) => id === sandbox));
  });
});
