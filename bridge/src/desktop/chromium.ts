import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Client } from 'x11';
import {
  Browser,
  CdpConnection,
  type DomReader,
  type PageScripts,
  PipeTransport,
  readFirstPageState,
} from '../../dom/index.ts';
import { type Child, pause, poll, type Probe, PwpError } from '../../lib/index.ts';
import type { ServiceName } from '../../protocol/index.ts';
import { type BridgeConfig, codeServerPort, desktopPaths, type ScreenSize } from '../config.ts';
import { askXServer, openDisplay } from '../x-client.ts';
import {
  describeExit,
  type DesktopPart,
  PART_START_MS,
  type RunningDesktopPart,
  startDesktopProgram,
  whileAlive,
} from './part.ts';
import { soundEnvironment } from './sound.ts';

/** The browser that shows the workbench, and the connection that reads it. */
export class Chromium implements DesktopPart {
  readonly name = 'chromium';
  readonly needs: readonly ServiceName[];
  readonly startMs = PART_START_MS;
  readonly mayWork = true;
  readonly #config: BridgeConfig;
  readonly #reader: DomReader;
  readonly #scripts: PageScripts;
  #launchedAt = 0;
  #browser: Browser | undefined;

  constructor(config: BridgeConfig, reader: DomReader, scripts: PageScripts) {
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
    const asked = this.#browser && readFirstPageState(this.#browser, signal);
    return (await asked?.catch(() => undefined))?.loadedAt;
  }

  /** Reloads the page. Does nothing without a page. */
  async reload(signal: AbortSignal): Promise<void> {
    await this.#browser?.pages[0]?.send('Page.reload', {}, signal);
  }

  async start(signal: AbortSignal): Promise<RunningDesktopPart> {
    await using stack = new AsyncDisposableStack();
    await removeProfileLocks();
    this.#launchedAt = Date.now();
    const options = listChromiumArguments(buildStartUrl(this.#config), this.#config.screen);
    const child = await startDesktopProgram('chromium', ['chromium', ...options], {
      env: { ...this.#config.env, ...(this.#config.audio && soundEnvironment), MALLOC_ARENA_MAX: '1' },
      pipes: 2,
    });
    stack.defer(async () => void (await child.stop()));
    const connection = stack.use(connectToBrowser(child));
    const browser = await whileAlive('chromium', child, this.#bringUp(connection, signal));
    this.#use(browser);
    stack.defer(() => this.#use(undefined));
    await whileAlive('chromium', child, this.#restored(browser, signal));
    return createRunningBrowser(child, browser, stack.move());
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

function connectToBrowser({ process }: Child): CdpConnection {
  const [to, from] = process.stdio.slice(3) as [Writable?, Readable?];
  if (!to || !from) throw new PwpError('spawn-failed', 'the browser was started without its pipes');
  return new CdpConnection(new PipeTransport(to, from));
}

function createRunningBrowser(
  child: Child,
  browser: Browser,
  stack: AsyncDisposableStack,
): RunningDesktopPart {
  const exit = child.stopped.then((how) => describeExit('chromium', how));
  // A dying browser closes its pipe a moment before its exit status is known.
  const closed = browser.closed.then(() =>
    Promise.race([exit, pause(1000).then(() => 'its debugging pipe closed')]),
  );
  const ended = Promise.race([exit, browser.crashed, closed]);
  return { ended, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

async function probeWorkbench(
  browser: Browser,
  screen: ScreenSize,
  signal: AbortSignal,
): Promise<Probe<true>> {
  const state = await readFirstPageState(browser, signal);
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
async function removeProfileLocks(): Promise<void> {
  const names = await readdir(desktopPaths.browserProfile).catch(() => []);
  const locks = names.filter((name) => name.startsWith('Singleton'));
  await Promise.all(locks.map((name) => rm(join(desktopPaths.browserProfile, name), { force: true })));
}

/** The browser's arguments: one window as large as the screen, and no network traffic or prompts of its own. */
function listChromiumArguments(url: string, { width, height }: ScreenSize): string[] {
  return [
    `--app=${url}`,
    '--kiosk',
    `--window-size=${width},${height}`,
    '--window-position=0,0',
    '--force-device-scale-factor=1',
    `--user-data-dir=${desktopPaths.browserProfile}`,
    // A port would be open to every program that the agent starts.
    '--remote-debugging-pipe',
    // The sandbox around it is the wall; the browser's own needs privileges that it does not have.
    '--no-sandbox',
    '--test-type',
    // System V shared memory would be open to every user of the sandbox.
    '--no-xshm',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--no-default-browser-check',
    '--noerrdialogs',
    '--hide-crash-restore-bubble',
    '--disable-background-networking',
    '--disable-background-timer-throttling',
    '--disable-backgrounding-occluded-windows',
    '--disable-renderer-backgrounding',
    '--disable-breakpad',
    '--disable-component-update',
    '--disable-domain-reliability',
    '--disable-default-apps',
    '--disable-hang-monitor',
    '--disable-prompt-on-repost',
    '--disable-sync',
    // In a task with a network, it would ask its maker for updates, despite all of the above.
    '--no-proxy-server',
    '--metrics-recording-only',
    '--password-store=basic',
    '--disable-features=Translate,MediaRouter,OptimizationHints,AutofillServerCommunication,GlobalMediaControls',
    '--enable-features=NetworkServiceInProcess2',
    // Memory; and V8's memory protection keys do not survive a checkpoint.
    '--js-flags=--optimize-for-size --no-memory-protection-keys',
  ];
}

/** The address of the workbench, with its folder. */
function buildStartUrl({ workspace }: BridgeConfig): string {
  const url = new URL(`http://127.0.0.1:${codeServerPort}/`);
  url.searchParams.set('folder', workspace);
  return url.href;
}

/**
 * Makes the browser's window as large as the screen. Without a window manager, a kiosk window is one pixel short in each
 * direction, and then the sizes of page and screen would differ.
 */
function fitWindow(screen: ScreenSize, signal: AbortSignal): Promise<void> {
  return useBrowserWindow(screen, signal, (client, window) => {
    client.MoveResizeWindow(window, 0, 0, screen.width, screen.height);
  });
}

/** Gives the keyboard to the browser's window after another window has closed: there is no window manager to do so. */
function focusWindow(screen: ScreenSize, signal: AbortSignal): Promise<void> {
  return useBrowserWindow(screen, signal, (client, window) => {
    const revertToPointerRoot = 1;
    client.SetInputFocus(window, revertToPointerRoot);
  });
}

async function useBrowserWindow(
  screen: ScreenSize,
  signal: AbortSignal,
  change: (client: Client, window: number) => void,
): Promise<void> {
  const { client, root } = await openDisplay(signal);
  try {
    const window = await poll("the browser's window", () => findWindow(client, root, screen), {
      intervalMs: 25,
      signal,
    });
    change(client, window);
    // The answer to any later request confirms that the server has done it.
    await askXServer<unknown>((answer) => client.GetInputFocus(answer));
  } finally {
    client.terminate();
  }
}

/** The window that covers most of the screen; the browser's helpers are of a few pixels. */
async function findWindow(client: Client, root: number, { width, height }: ScreenSize) {
  const { children } = await askXServer<{ readonly children: readonly number[] }>((answer) =>
    client.QueryTree(root, answer),
  );
  for (const window of children) {
    const size = await askXServer<ScreenSize>((answer) => client.GetGeometry(window, answer));
    if (size.width > width / 2 && size.height > height / 2) return { done: true, value: window } as const;
  }
  return { done: false, saw: `${children.length} small windows` } as const;
}
