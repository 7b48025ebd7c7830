import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { writeStudyReport } from '../../../host/doors/report/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { harmful } from '../../support/harmful-name.ts';
import { writeMadeUpStudy } from '../../support/made-up-study.ts';
import { faintTexts } from '../../support/page-scripts.ts';

const args = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];

describe('the report of studies in a browser', () => {
  let folder: TemporaryFolder;
  let browser: Browser;
  let page: Page;
  /** All that must not happen: console messages, errors, dialogs, requests for anything but the page. */
  const complaints: string[] = [];

  before(async () => {
    folder = await temporaryFolder();
    // Every name is malicious. One task of each family is over.
    const dress = (name: string) => name + harmful;
    await writeMadeUpStudy(folder.file('study'), { dress, isOver: ({ task }) => task === 9 });
    await writeStudyReport([folder.file('study')], { out: folder.file('out'), formats: ['html'] });
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args });
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const { href } = pathToFileURL(join(folder.file('out'), 'report.html'));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('dialog', (dialog) => {
      complaints.push(dialog.message());
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (request.url() !== href) complaints.push(request.url());
    });
    await page.goto(href);
  });
  after(async () => {
    await browser.close();
    await folder[Symbol.asyncDispose]();
  });
  afterEach(() => assert.deepEqual(complaints, []));

  it('shows malicious names literally, without harm', async () => {
    const [name] = await page.locator('#scores tbody th').allTextContents();
    assert.ok(name?.startsWith('ace<img src=x onerror=alert(1)>"\'&|`$x$\\input{y}'), name);
    assert.equal(await page.locator('img, script, iframe, object, embed').count(), 0);
  });

  it('has charts of pass@k, effects and time, and a table in each part that it lists', async () => {
    assert.equal(await page.locator('svg.plot').count(), 3);
    const parts = await page.locator('section.part').count();
    assert.equal(await page.locator('nav a').count(), parts);
    assert.equal(await page.locator('section.part table').count(), parts);
  });

  it('has enough contrast for its text in both schemes', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await page.evaluate(faintTexts), [], colorScheme);
    }
  });

  it('is no wider than a narrow window: tables and charts scroll separately', async () => {
    await page.setViewportSize({ width: 400, height: 800 });
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 400);
  });
});
