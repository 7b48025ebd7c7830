import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import * as z from 'zod';
import { type Child, startChild } from '../bridge/lib/index.ts';
import { writeLargeStudy } from './lib/large-study.ts';
import { summarise } from './lib/stats.ts';

const cli = fileURLToPath(new URL('../dist/pwp.js', import.meta.url));
const MiB = 1024 * 1024;
const sizes = [
  { attempts: 1000, steps: 100 },
  { attempts: 10_000, steps: 2 },
  { attempts: 1, steps: 50_000 },
];

/**
 * How long `pwp view` takes to show a folder, in Chromium: from a new page to its matrix, to all facts of the records, to
 * an attempt, from step to step, and to a filter; and how much memory the server and the page use. Medians.
 * @param rounds of each
 */
export async function view(signal: AbortSignal, rounds = 5): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pwp-view-'));
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    for (const size of sizes) {
      signal.throwIfAborted();
      const path = join(folder, `${size.attempts}`);
      await writeLargeStudy(path, size);
      await measure(browser, path, size, rounds, signal);
      await rm(path, { recursive: true });
    }
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(
  browser: Browser,
  path: string,
  { attempts, steps }: { readonly attempts: number; readonly steps: number },
  rounds: number,
  signal: AbortSignal,
): Promise<void> {
  await using server = await served(path);
  const times = new Map<string, number[]>();
  const timed = async (what: string, act: () => Promise<unknown>) => {
    const start = performance.now();
    await act();
    times.set(what, [...(times.get(what) ?? []), performance.now() - start]);
  };
  let heap = 0;
  for (let round = 0; round < rounds; round += 1) {
    signal.throwIfAborted();
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(300_000);
    await timed('open: the matrix is shown', () =>
      page.goto(server.url).then(() => page.waitForSelector('.chip[data-id]')),
    );
    await timed(round === 0 ? 'all records are read, at first' : 'all records are read, again', () =>
      read(page),
    );
    await timed('filter by effect', () => filter(page));
    await page.click('#clear');
    await timed('an attempt is shown', async () => {
      await page.click('.chip[data-id]');
      await page.waitForSelector('.stage .step');
    });
    for (let i = 1; i <= Math.min(steps, 10); i += 1)
      await timed('the next step is shown', async () => {
        await page.keyboard.press('ArrowRight');
        await page.waitForSelector(`.stage [id="step-${i}"]`);
      });
    await timed('the last step is shown', async () => {
      await page.keyboard.press('End');
      await page.waitForSelector(`.stage [id="step-${steps}"]`);
    });
    heap = await page.evaluate<number>('performance.memory.usedJSHeapSize');
    await page.close();
  }
  console.log(`${attempts} attempts of ${steps} steps, ${rounds} rounds`);
  for (const [what, all] of times)
    console.log(`  ${what.padEnd(32)} ${summarise(all).median.toFixed(0).padStart(6)} ms`);
  console.log(
    `  the server has had ${await memoryOf(server.pid)} MiB, the page's ${Math.round(heap / MiB)} MiB`,
  );
}

/** Waits until the page no longer shows how many records it has read. */
async function read(page: Page): Promise<void> {
  await page.locator('#by-tool').locator('option').nth(1).waitFor({ state: 'attached' });
  await page.waitForSelector('#status:empty', { state: 'attached' });
}

async function filter(page: Page): Promise<void> {
  await page.selectOption('#by-effect', 'refused');
  await page.locator('#matches', { hasText: /^\d[\d,]* of [\d,]+ attempts?$/ }).waitFor();
}

/** `pwp view` as a separate process, so that its memory can be measured. */
async function served(path: string): Promise<Child & { readonly url: string }> {
  const child = await startChild(process.execPath, [cli, 'view', path, '--json'], {
    env: process.env,
    piped: true,
  });
  let said = '';
  for await (const chunk of child.process.stdout ?? []) {
    said += String(chunk);
    if (said.trimEnd().endsWith('}')) break;
  }
  return { ...child, ...z.object({ url: z.string() }).parse(JSON.parse(said)) };
}

/** The most memory that a process has had, in MiB. */
async function memoryOf(pid: number): Promise<number> {
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kib ?? Number.NaN) / 1024);
}
