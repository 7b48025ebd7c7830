import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import {
  Browser,
  CdpConnection,
  PipeTransport,
  pageState,
  type DomReader,
  type PageScripts,
} from '../../dom/index.ts';
import { PwpError, pause, poll, type Child, type Probe } from '../../lib/index.ts';
import type { ServiceName } from '../../protocol/index.ts';
import { desk, type Config, type Screen } from '../config.ts';
import { chromiumArguments } from './chromium-arguments.ts';
import { START_MS, type Part, type RunningPart } from './part.ts';
import { describeExit, startProgram, whileAlive } from './program.ts';
import { soundEnvironment } from './sound.ts';
import { startUrl } from './start.ts';
import { fitWindow, focusWindow } from './window.ts';

/** The browser that shows the workbench, and the connection that reads it. */
export class Chromium implements Part {
  readonly name = 'chromium';
  readonly needs: readonly ServiceName[];
  readonly startMs = START_MS;
  readonly mayWork = true;
  readonly #config: Config;
  readonly #reader: DomReader;
  readonly #scripts: PageScripts;
  #launchedAt = 0;
  #browser: Browser | undefined;

  constructor(config: Config, reader: DomReader, scripts: PageScripts) {
    this.#config = config;
    this.needs = ['xvfb', 'code-server', ...(config.audio ? (['sound'] as const) : [])];
    this.#reader = reader;
    this.#scripts = scripts;
  }

  /** When the current browser was started, in milliseconds since 1970. Windows of an earlier one are dead. */
  get launchedAt(): number {
    return this.#launchedAt;
  }

  /** When the page was loaded, in milliseconds since 1970; undefined if no page answers. */
  async loadedAt(signal: AbortSignal): Promise<number | undefined> {
    const asked = this.#browser && pageState(this.#browser, signal);
    return (await asked?.catch(() => undefined))?.loadedAt;
  }

  /** Reloads the page. Does nothing without a page. */
  async reload(signal: AbortSignal): Promise<void> {
    await this.#browser?.pages[0]?.send('Page.reload', {}, signal);
  }

  async start(signal: AbortSignal): Promise<RunningPart> {
    await using stack = new AsyncDisposableStack();
    await removeLocks();
    this.#launchedAt = Date.now();
    const options = chromiumArguments(startUrl(), this.#config.screen);
    const child = await startProgram('chromium', ['chromium', ...options], {
      env: { ...this.#config.env, ...(this.#config.audio && soundEnvironment), MALLOC_ARENA_MAX: '1' },
      pipes: 2,
    });
    stack.defer(async () => void (await child.stop()));
    const connection = stack.use(connectionTo(child));
    const browser = await whileAlive('chromium', child, this.#bringUp(connection, signal));
    this.#use(browser);
    stack.defer(() => this.#use(undefined));
    await whileAlive('chromium', child, this.#restored(browser, signal));
    return running(child, browser, stack.move());
  }

  #use(browser: Browser | undefined): void {
    this.#browser = browser;
    this.#reader.use(browser);
  }

  async #bringUp(connection: CdpConnection, signal: AbortSignal): Promise<Browser> {
    const browser = await Browser.connect(connection, this.#scripts, signal);
    await fitWindow(this.#config.screen, signal);
    browser.whenExtraClosed(() => void this.#takeKeyboardBack());
    return browser;
  }

  /** Fails only if the display is lost, and then the browser ends as well. */
  async #takeKeyboardBack(): Promise<void> {
    await focusWindow(this.#config.screen, AbortSignal.timeout(5000)).catch(() => undefined);
  }

  #restored(browser: Browser, signal: AbortSignal): Promise<true> {
    const probe = () => probeWorkbench(browser, this.#config.screen, signal);
    return poll('the workbench', probe, { intervalMs: 50, signal });
  }
}

function connectionTo({ process }: Child): CdpConnection {
  const [to, from] = process.stdio.slice(3) as [Writable?, Readable?];
  if (!to || !from) throw new PwpError('spawn-failed', 'the browser was started without its pipes');
  return new CdpConnection(new PipeTransport(to, from));
}

function running(child: Child, browser: Browser, stack: AsyncDisposableStack): RunningPart {
  const exit = child.stopped.then((how) => describeExit('chromium', how));
  // A dying browser closes its pipe a moment before its exit status is known.
  const closed = browser.closed.then(() =>
    Promise.race([exit, pause(1000).then(() => 'its debugging pipe closed')]),
  );
  const ended = Promise.race([exit, browser.crashed, closed]);
  return { ended, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

async function probeWorkbench(browser: Browser, screen: Screen, signal: AbortSignal): Promise<Probe<true>> {
  const state = await pageState(browser, signal);
  if (!state) return { done: false, saw: 'no page' };
  const { width, height, restored, workbench } = state;
  const fits = width === screen.width && height === screen.height;
  if (restored && fits) return { done: true, value: true };
  if (restored) await fitWindow(screen, signal);
  return {
    done: false,
    saw: `${width}x${height}, ${workbench ? 'workbench, not restored' : 'no workbench'}`,
  };
}

/** A profile that was copied, or whose browser was killed, is still locked by the machine that had it. */
async function removeLocks(): Promise<void> {
  const names = await readdir(desk.browserProfile).catch(() => []);
  const locks = names.filter((name) => name.startsWith('Singleton'));
  await Promise.all(locks.map((name) => rm(join(desk.browserProfile, name), { force: true })));
}
