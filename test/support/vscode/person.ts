import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';
import { deadline, describeError } from '../../../bridge/lib/index.ts';
import { openBrowser } from './browser.ts';
import { folderUrl, installExtension, startCodeServer } from './codeServer.ts';
import type { Act, ActAnswer } from './person-acts.ts';

/**
 * Opens a folder in code-server and Chromium, as a person would, and performs the acts that it reads from its standard
 * input: one `Act` per line, each answered with a line. Ends with its input. Arguments: a folder with `app`, `user` and
 * `sockets`, and the extension's `.vsix`.
 */

const runMs = 220_000;
/** Longer than any part of the window takes to draw, in milliseconds. */
const patienceMs = 30_000;
const dialog = '.monaco-dialog-box';

const [folder = '', vsix = ''] = process.argv.slice(2);
using limit = deadline("a person's window", runMs);
const { signal } = limit;

const launch = { userDataDir: join(folder, 'user'), extensionsDir: join(folder, 'extensions') };
await installExtension(launch, vsix, signal);
await using server = await startCodeServer(launch, [], signal);
await using browser = await openBrowser();
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
page.setDefaultTimeout(patienceMs);
await page.goto(folderUrl(join(folder, 'app')));
console.error(`code-server runs as process ${server.pid}`);

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await answerTo(JSON.parse(line) as Act);
  console.log(JSON.stringify(answer));
}

async function answerTo(act: Act): Promise<ActAnswer> {
  try {
    return { texts: await perform(act, page) };
  } catch (error) {
    await page.screenshot({ path: join(folder, 'screen.png') });
    return { error: describeError(error) };
  }
}

async function perform(act: Act, shown: Page): Promise<readonly string[]> {
  const boxes = shown.locator(dialog);
  switch (act.do) {
    case 'dialogs':
      return boxes.allInnerTexts();
    case 'wait':
      await boxes.first().waitFor();
      return boxes.allInnerTexts();
    case 'press':
      await boxes.first().getByRole('button', { name: act.button, exact: true }).click();
      await boxes.first().waitFor({ state: 'detached' });
      return [];
    case 'escape':
      await shown.keyboard.press('Escape');
      await boxes.first().waitFor({ state: 'detached' });
      return [];
    case 'command':
      await shown.keyboard.press('F1');
      await shown.locator('.quick-input-widget input[type=text]').fill(`>${act.title}`);
      await shown.locator('.quick-input-list').getByText(act.title).first().waitFor();
      await shown.keyboard.press('Enter');
      await shown.getByText(act.shows).first().waitFor();
      return [];
    case 'view': {
      const pane = shown.locator('.pane', { has: shown.locator('.pane-header', { hasText: 'Steps' }) });
      if (act.button !== undefined) {
        await pane.locator('.pane-header').hover();
        await pane.getByRole('button', { name: act.button, exact: true }).click();
      }
      const filter = {
        ...(act.has !== undefined && { hasText: act.has }),
        ...(act.lacks !== undefined && { hasNotText: act.lacks }),
      };
      await pane.filter(filter).first().waitFor();
      return pane.allInnerTexts();
    }
  }
}
