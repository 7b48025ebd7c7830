import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import * as z from 'zod';
import { pause, poll } from '../../bridge/lib/index.ts';
import { trajectorySchema } from '../../host/run/record/trajectory-format.ts';
import { Cli } from '../support/cli.ts';
import { onOneNode } from '../support/each-node.ts';
import { JsonDocuments } from '../support/json-documents.ts';

/** The longest wait, in milliseconds, for something to appear on a busy machine. */
const waitMs = 90_000;
/** The same for an IDE that boots for its task and is saved. */
const bootMs = 300_000;
const outcome = z.object({
  folder: z.string(),
  reward: z.number(),
  text: z.string(),
  findings: z.array(
    z.object({ holds: z.boolean(), why: z.string(), display: z.object({ width: z.number() }) }),
  ),
});

/** A person's acts: `key …` as Playwright names keys, `type …`, or `click x,y` on the sandbox's screen. */
const shown: Readonly<Record<string, readonly string[]>> = {
  'vscode/theme-solarized-dark': ['key Control+k', 'key Control+t', 'type Solarized Dark', 'key Enter'],
  'vscode/restore-windows': [
    // The Search view in the activity bar: the solution clicks it by name.
    'click 24,107',
    'key F1',
    'type Preferences: Open User Settings (JSON)',
    'key Enter',
    'key Control+f',
    'type none',
    'key Escape',
    'type all',
    'key Control+s',
  ],
  'vscode/tree-find-key': [
    'key Control+k',
    'key Control+s',
    'type @command:list.find',
    'key Control+ArrowDown',
    'key Enter',
    'key Control+Alt+f',
    'key Enter',
  ],
};

onOneNode('pwp demonstrate', (_, kind) => {
  const cli = new Cli(kind);
  let browser: Browser;
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pwp-demonstrate-'));
    browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu'],
    });
  });
  after(async () => {
    await browser.close();
    await rm(folder, { recursive: true });
  });

  for (const [task, acts] of Object.entries(shown))
    it(`makes a solution of ${task} that is right at two sizes`, async function () {
      this.timeout(3 * bootMs);
      const file = join(folder, `${task.replace('/', '-')}.xdotool`);
      const more = ['--solution', file, '--out', join(folder, 'runs')];
      const child = cli.start('demonstrate', join('tasks', task), ...more, '--json');
      const exit = once(child, 'exit');
      try {
        const printed = new JsonDocuments(child);
        const { url } = z.object({ url: z.url() }).parse(await printed.next());
        const page = await browser.newPage({ viewport: { width: 1600, height: 900 } });
        page.setDefaultTimeout(waitMs);
        await page.goto(url, { waitUntil: 'commit' });
        await solve(page, acts);
        const last = await printed.next();
        const { success, data: made } = outcome.safeParse(last);
        assert.ok(success, JSON.stringify(last));
        assert.equal(made.reward, 1);
        assert.equal(await readFile(file, 'utf8'), made.text);
        assert.deepEqual(
          made.findings.map(({ holds, why, display }) => [display.width, holds || why]),
          [
            [1920, true],
            [1280, true],
          ],
        );
        assert.doesNotMatch(made.text, /mousemove/);
        assert.equal(
          acts.some((act) => act.startsWith('click')),
          /^click \[/m.test(made.text),
        );
        const written: unknown = JSON.parse(await readFile(join(made.folder, 'trajectory.json'), 'utf8'));
        const { steps, agent } = trajectorySchema.parse(written);
        assert.match(agent.name, /^person:/);
        assert.ok(steps.some(({ tool_calls: calls = [] }) => calls.length > 0));
      } finally {
        child.kill('SIGINT');
        await exit;
      }
    });
});

async function solve(page: Page, acts: readonly string[]): Promise<void> {
  await page.click('#take', { timeout: bootMs });
  await page.waitForSelector('body[data-mode=you]');
  await page.click('#tab-steps');
  for (const [i, act] of acts.entries()) {
    const [verb = '', what = ''] = [act.slice(0, act.indexOf(' ')), act.slice(act.indexOf(' ') + 1)];
    await page.focus('#keys');
    if (verb === 'key') await page.keyboard.press(what);
    else if (verb === 'type') await page.keyboard.type(what);
    else await clickScreen(page, what);
    // A pause of a second ends a step: then it is in the list.
    await page.locator('.step[data-by=person]').nth(i).waitFor();
    await untilStill(page);
  }
  await page.click('#end');
}

/** Waits, as a person would, until the screen has not changed for two seconds. */
async function untilStill(page: Page): Promise<void> {
  const seen = () => page.evaluate<string>("document.getElementById('screen').toDataURL()");
  let last = await seen();
  const probe = async () => {
    const now = await seen();
    const same = now === last;
    last = now;
    return same ? ({ done: true, value: undefined } as const) : ({ done: false, saw: 'a change' } as const);
  };
  await pause(2000);
  await poll('a still screen', probe, { intervalMs: 2000, signal: AbortSignal.timeout(waitMs) });
}

async function clickScreen(page: Page, place: string): Promise<void> {
  const [x = 0, y = 0] = place.split(',').map(Number);
  const box = await page.locator('#screen').boundingBox();
  const width = await page.evaluate<number>("document.getElementById('screen').width");
  assert.ok(box);
  const scale = box.width / width;
  await page.mouse.click(box.x + x * scale, box.y + y * scale);
}
