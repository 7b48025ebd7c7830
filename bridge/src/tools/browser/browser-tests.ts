import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { CdpConnection, openWebSocket } from '../../../dom/index.ts';
import { deadline, describeError, poll, SerialQueue, startChild } from '../../../lib/index.ts';
import { dataTools, limits, type ToolInput, type ToolOutput } from '../../../protocol/index.ts';
import type { ToolContext, ToolHandlers } from '../../../rpc/index.ts';
import { clip } from '../../../text/index.ts';
import { performBrowserAction } from './browser-actions.ts';
import { BrowserTab } from './browser-tab.ts';

type BrowserTest = typeof dataTools.browserTest;
type BrowserTestInput = ToolInput<BrowserTest>;
type FinishedAction = ToolOutput<BrowserTest>['actions'][number];

/** Maximum time for a browser to start, in milliseconds. */
const BROWSER_START_MS = 30_000;
/** A page that does not report its address within this many milliseconds hangs. */
const PULSE_MS = 2000;
const maxAddressLength = 20_000;

const pageAddress = z.object({ url: z.string(), title: z.string() });

interface ViewportSize {
  readonly width: number;
  readonly height: number;
}

interface OpenBrowser extends AsyncDisposable {
  readonly tab: BrowserTab;
}

/** Tests of pages, one after another, with at most one browser, which ends with the test unless the caller keeps it. */
export class BrowserTests implements AsyncDisposable {
  readonly #env: NodeJS.ProcessEnv;
  #kept: OpenBrowser | undefined;
  readonly #tests = new SerialQueue();

  /** @param env the environment that the browser is found with and inherits */
  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  run(input: BrowserTestInput, context: ToolContext): Promise<ToolOutput<BrowserTest>> {
    return this.#tests.run(() => this.#run(input, context));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tests.settled();
    await this.#kept?.[Symbol.asyncDispose]();
    this.#kept = undefined;
  }

  async #run(input: BrowserTestInput, context: ToolContext): Promise<ToolOutput<BrowserTest>> {
    context.signal.throwIfAborted();
    await using stack = new AsyncDisposableStack();
    const { width, height } = input;
    const open = stack.use(await this.#ready({ width, height }, context.signal));
    const { actions, failed } = await playActions(open.tab, input, context);
    const where = await readPageAddress(open.tab, context.signal);
    // A page that hangs would hang for the next call, too.
    const keep = input.keep && where !== undefined;
    if (keep) {
      stack.move();
      this.#kept = open;
    }
    return {
      actions,
      failed,
      ...(where ?? { url: '', title: '' }),
      ...open.tab.complaints.take(),
      kept: keep,
    };
  }

  /** The page that was kept, if it still answers, else a new one. */
  async #ready(size: ViewportSize, signal: AbortSignal): Promise<OpenBrowser> {
    const kept = this.#kept;
    this.#kept = undefined;
    if (!kept) return this.#open(size, signal);
    using limit = deadline('the kept page', PULSE_MS, signal);
    try {
      await kept.tab.resize(size, limit.signal);
      return kept;
    } catch {
      await kept[Symbol.asyncDispose]();
      signal.throwIfAborted();
      return await this.#open(size, signal);
    }
  }

  async #open(size: ViewportSize, signal: AbortSignal): Promise<OpenBrowser> {
    using limit = deadline("start of the test's browser", BROWSER_START_MS, signal);
    await using stack = new AsyncDisposableStack();
    const { connection } = stack.use(await startTestBrowser(this.#env, limit.signal));
    const tab = await BrowserTab.open(connection, size, limit.signal);
    const owned = stack.move();
    return { tab, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  }
}

async function playActions(
  tab: BrowserTab,
  { actions, timeout_ms: ms }: BrowserTestInput,
  { signal, attach }: ToolContext,
): Promise<{ actions: FinishedAction[]; failed: number | null }> {
  const done: FinishedAction[] = [];
  let pictures = 0;
  for (const [index, action] of actions.entries()) {
    const began = performance.now();
    const took = () => performance.now() - began;
    using limit = deadline(action.do, action.timeout_ms ?? ms, signal);
    try {
      const picture: typeof attach = (image) => {
        if (++pictures > limits.toolImages)
          throw new Error(`an answer holds at most ${limits.toolImages} pictures`);
        if (image.base64.length > limits.toolImage)
          throw new Error('the picture is too large; take one of a part');
        attach(image);
      };
      const value = await performBrowserAction(tab, action, picture, limit.signal);
      const clipped = (value?.length ?? 0) > maxAddressLength;
      done.push({
        do: action.do,
        ok: true,
        value: value === undefined || value === null ? null : clip(value, maxAddressLength),
        clipped,
        error: null,
        duration_ms: took(),
      });
    } catch (error) {
      signal.throwIfAborted();
      const why = clip(describeError(error), maxAddressLength);
      done.push({ do: action.do, ok: false, value: null, clipped: false, error: why, duration_ms: took() });
      return { actions: done, failed: index };
    }
  }
  return { actions: done, failed: null };
}

/** Undefined for a page that does not answer. */
async function readPageAddress(
  tab: BrowserTab,
  signal: AbortSignal,
): Promise<z.output<typeof pageAddress> | undefined> {
  using limit = deadline('the page', PULSE_MS, signal);
  const script = `({ url: location.href.slice(0, ${maxAddressLength}), title: document.title.slice(0, ${maxAddressLength}) })`;
  // Awaited here: the deadline ends with this function.
  return await tab.evaluate(script, pageAddress, limit.signal).catch(() => undefined);
}

/** A browser for a test: without a window, with a temporary profile. */
interface TestBrowser extends AsyncDisposable {
  readonly connection: CdpConnection;
}

/** Starts it on a port that it chooses itself. */
async function startTestBrowser(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<TestBrowser> {
  await using stack = new AsyncDisposableStack();
  const profile = await mkdtemp(join(tmpdir(), 'pwp-browser-'));
  stack.defer(() => rm(profile, { recursive: true, force: true, maxRetries: 3 }));
  const child = await startChild('chromium', listBrowserOptions(profile), {
    env: { ...env, MALLOC_ARENA_MAX: '1' },
  });
  stack.defer(async () => void (await child.stop()));
  const died = child.stopped.then(() => Promise.reject(new Error('the browser ended')));
  died.catch(() => undefined);
  const address = async () => {
    const [port, path] = (await readFile(join(profile, 'DevToolsActivePort'), 'utf8')).trim().split('\n');
    if (port === undefined || path === undefined) return { done: false, saw: 'half of its address' } as const;
    return { done: true, value: `ws://127.0.0.1:${port}${path}` } as const;
  };
  const url = await Promise.race([poll("the test's browser", address, { intervalMs: 25, signal }), died]);
  const connection = stack.use(new CdpConnection(await openWebSocket(url, signal)));
  const owned = stack.move();
  return { connection, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function listBrowserOptions(profile: string): string[] {
  return [
    '--headless=new',
    // The sandbox around it is the wall; the browser's own needs privileges that it does not have.
    '--no-sandbox',
    '--test-type',
    `--user-data-dir=${profile}`,
    '--remote-debugging-port=0',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-background-networking',
    '--disable-breakpad',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-hang-monitor',
    '--disable-sync',
    '--no-proxy-server',
    '--metrics-recording-only',
    '--password-store=basic',
    '--hide-scrollbars',
    // Memory; and V8's memory protection keys do not survive a checkpoint.
    '--js-flags=--optimize-for-size --no-memory-protection-keys',
    'about:blank',
  ];
}

/** Adds tests of pages. */
export function addBrowserTools(handlers: ToolHandlers, tests: BrowserTests): ToolHandlers {
  return handlers.add(dataTools.browserTest, (input, context) => tests.run(input, context));
}
