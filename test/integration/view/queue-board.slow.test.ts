import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { openServer, type Server } from '../../../host/doors/serve/server.ts';
import { queueRoutes } from '../../../host/doors/view/queue-routes.ts';
import { type AttemptQueue, openAttemptQueue } from '../../../host/run/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { harmful } from '../../support/harmful-name.ts';
import { openRedis, type QueueServer } from '../../../bench/lib/queue-server.ts';
import { queueTimes } from '../../../bench/lib/queued-tries.ts';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const program = fileURLToPath(new URL('../../programs/queue-worker.ts', import.meta.url));
/** The longest wait, in milliseconds, for something to appear on a busy machine. */
const waitMs = 60_000;

describe('the page of a queue', () => {
  const owned = new AsyncDisposableStack();
  let folder: TemporaryFolder;
  let redis: QueueServer;
  let queue: AttemptQueue;
  let server: Server;
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];

  before(async function () {
    this.timeout(waitMs);
    folder = owned.use(await temporaryFolder());
    redis = owned.use(await openRedis());
    queue = owned.use(await openAttemptQueue(redis.url, queueTimes));
    server = owned.use(await openServer(queueRoutes(queue, redis.url), 0));
    const args = ['--no-sandbox', '--disable-gpu'];
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args });
    owned.defer(() => browser.close());
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(waitMs);
    page.on('console', (message) => problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(server.url.replace('/?', '/queue?'));
  });
  after(() => owned.disposeAsync());

  async function put(title: string, study: string, priority: number, folders: readonly string[]) {
    for (const [at, name] of folders.entries())
      await queue.jobs.add(
        title,
        {
          ...{ package: `studies/${study}.json`, study, title, task: 'vscode/autosave-500', agent: 0 },
          ...{ number: at + 1, folder: name },
        },
        { jobId: `${study.slice(0, 16)}.${name.replaceAll('/', '_')}_try-1`, priority },
      );
  }

  function startWorker(parallel: number, ms: number, full: string): void {
    const args = [program, redis.url, folder.file('store'), String(parallel), String(ms), full];
    const child = spawn(process.execPath, [...process.execArgv, ...args], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    const exited = once(child, 'exit');
    owned.defer(async () => {
      child.stdin.destroy();
      await exited;
    });
  }

  const says = (selector: string, text: RegExp) =>
    page.locator(selector, { hasText: text }).first().waitFor();

  it('says that nothing is there', async () => {
    await says('#board', /0 workers; 0 attempts under way, 0 waiting/);
    await says('#board', /No attempt is in the queue/);
    await says('#board', /No worker is connected/);
  });

  it('has studies, workers, why one waits, and errors, as they come', async () => {
    const names = (agent: string, count: number) =>
      Array.from({ length: count }, (_, i) => `attempts/autosave-500/${agent}/${i + 1}`);
    await put('first', 'a'.repeat(64), 100, names('oracle', 300));
    await put(`small${harmful}`, 'b'.repeat(64), 1, ['attempts/autosave-500/null/1-fails']);
    const full = folder.file('full');
    await writeFile(full, '');
    startWorker(3, 1500, '');
    startWorker(8, 1500, full);
    await says('#board tbody tr', /waits 2\.1 GB of disk left0 of 8 at a time/);
    await says('#board tbody tr', /first: attempts\/autosave-500\/oracle\/\d+ ?\d/);
    await says('#errors-title + ul li', /small.*1-fails.*its process ended by SIGKILL/s);
    await says('#board tbody tr', /^\s*first\s*a{12}\s*100\s*2\d\d\s*3\s*[1-9]/);
    assert.equal(await page.locator('#board img').count(), 0);
  });

  for (const colorScheme of ['light', 'dark'] as const)
    it(`has nothing that axe finds and fits 400 pixels, in the ${colorScheme}`, async () => {
      await page.emulateMedia({ colorScheme });
      // The page allows no scripts except its own.
      await page.evaluate(await readFile(axe, 'utf8'));
      for (const width of [1440, 400]) {
        await page.setViewportSize({ width, height: 900 });
        const violations = await page.evaluate<string[]>(
          `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' ')))`,
        );
        assert.deepEqual(violations, [], String(width));
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
      }
    });

  it('shows that a worker takes attempts again', async () => {
    await rm(folder.file('full'));
    await says('#board tbody tr', /of 8 at a time/);
    await page.locator('#board .badge', { hasText: 'waits' }).waitFor({ state: 'detached' });
  });

  it('has logged no problem, and loaded nothing of others', () => {
    assert.deepEqual(problems, []);
  });
});
