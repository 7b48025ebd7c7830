import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { writeIndex, writeReport } from '../../../host/doors/report/index.ts';
import { writeEpisode } from '../../support/episode-fixture.ts';
import { faintTexts, pictureWidths, type PictureWidths } from '../../support/page-scripts.ts';

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

describe('the report in a browser', () => {
  let folder: string;
  let browser: Browser;
  let report: string;
  let page: Page;
  /** All that must not happen: console messages, errors, requests other than for the file itself. */
  let complaints: string[];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pwp-report-'));
    await writeEpisode(join(folder, 'passed'));
    report = pathToFileURL(await writeReport(join(folder, 'passed'))).href;
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args });
  });
  after(async () => {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    complaints = [];
    page = await open({});
  });
  afterEach(async () => {
    await page.close();
    assert.deepEqual(complaints, []);
  });

  async function open(options: { javaScriptEnabled?: boolean }, address = report): Promise<Page> {
    const opened = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...options });
    opened.on('console', (message) => complaints.push(message.text()));
    opened.on('pageerror', (error) => complaints.push(error.message));
    opened.on('request', (request) => {
      if (!/^(file|data):/.test(request.url())) complaints.push(request.url());
    });
    await opened.goto(address);
    return opened;
  }

  const current = () => page.locator('.step:visible h3').allTextContents();

  it('has its headings, and opens at the top of the start', async () => {
    assert.equal(await page.locator('h1').textContent(), 'vscode/format-on-save');
    const headings = (await page.locator('h2').allTextContents()).map((text) => text.trim());
    assert.deepEqual(headings, ['Instruction', 'Passed', 'Steps', 'Incidents', 'Figures']);
    assert.deepEqual(await current(), ['Start']);
    assert.equal(await page.evaluate('scrollY'), 0);
  });

  it('loads every picture, each with its own text', async () => {
    const widths = await page.evaluate<PictureWidths>(pictureWidths);
    assert.deepEqual(new Set(widths.thumbs), new Set([320]));
    assert.deepEqual(new Set(widths.screens), new Set([1920]));
    assert.ok(widths.screens.length < widths.thumbs.length, 'an unchanged screen must be there once');
    assert.equal(await page.locator('img:not([alt]), svg[role=img]:not([aria-label])').count(), 0);
  });

  it('steps with the arrow keys, and shows the pictures it names', async () => {
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    assert.deepEqual(await current(), ['Step 2']);
    assert.ok(page.url().endsWith('#step-2'));
    assert.equal(await page.locator('a[aria-current=step]').getAttribute('href'), '#step-2');
    await page.keyboard.press('ArrowLeft');
    assert.deepEqual(await current(), ['Step 1']);
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowRight');
    assert.deepEqual(await current(), ['Step 9']);
    await page.keyboard.press('Home');
    assert.deepEqual(await current(), ['Start']);
  });

  it('switches marks and changed region', async () => {
    await page.keyboard.press('ArrowRight');
    const marks = page.locator('.step:visible .marks');
    const changed = page.locator('.step:visible .changed');
    const shown = async () => [await marks.isVisible(), await changed.isVisible()];
    assert.deepEqual(await shown(), [false, true]);
    await page.keyboard.press('m');
    await page.getByLabel('Changed region').uncheck();
    assert.deepEqual(await shown(), [true, false]);
  });

  it('walks through failing steps only', async () => {
    await page.keyboard.press('f');
    const visited = [...(await current())];
    for (let press = 0; press < 3; press++) {
      await page.keyboard.press('ArrowRight');
      visited.push(...(await current()));
    }
    assert.deepEqual(visited, ['Step 2', 'Step 5', 'Step 9', 'Step 9']);
    assert.equal(await page.locator('.strip li:visible').count(), 3);
  });

  it('shows a screen at its own size and follows the arrows there', async () => {
    await page.locator('.open:visible').click();
    const picture = page.locator('dialog .picture');
    assert.equal((await picture.boundingBox())?.width, 1920);
    assert.match((await picture.getAttribute('aria-label')) ?? '', /start/);
    await page.keyboard.press('ArrowRight');
    assert.match((await picture.getAttribute('aria-label')) ?? '', /step 1/);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('dialog').isVisible(), false);
  });

  it('shows the effect of each action and what kept the desktop busy', async () => {
    await page.goto(`${report}#step-7`);
    await page.reload();
    assert.deepEqual(await current(), ['Step 7']);
    const text = (await page.locator('.step:visible .panel').innerText()).replace(/\s+/g, ' ');
    for (const part of [
      'xdotool key ctrl+s',
      'Unverifiable',
      'Still busy after 3.0 s',
      'cpu 38 %',
      'extension died',
    ]) {
      assert.ok(text.includes(part), part);
    }
  });

  it('has enough contrast for its text in both schemes', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await page.evaluate(faintTexts), [], colorScheme);
    }
  });

  it('does not overflow at 400 and 1280 pixels', async () => {
    for (const width of [400, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      for (const step of ['start', 'step-2', 'step-7']) {
        await page.goto(`${report}#${step}`);
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, step);
      }
    }
  });

  it('shows all steps when scripts are off', async () => {
    const still = await open({ javaScriptEnabled: false });
    assert.equal(await still.locator('.step:visible').count(), 10);
    await still.getByLabel('Marks').check();
    assert.ok(await still.locator('.step .marks').first().isVisible());
    await still.close();
  });

  it("lists a run, with a link to each episode's report", async () => {
    await writeEpisode(join(folder, 'broken #1'), { how: 'infrastructure-error', reason: 'X died' });
    await page.goto(pathToFileURL(await writeIndex(folder)).href);
    assert.equal(await page.locator('tbody tr').count(), 2);
    assert.match(await page.locator('tbody').innerText(), /No score[^]*Passed/);
    await page.locator('tbody a').first().click();
    assert.match(await page.locator('.result').innerText(), /No score[^]*X died/);
  });
});
