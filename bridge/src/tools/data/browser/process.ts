import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CdpConnection, openWebSocket } from '../../../../dom/index.ts';
import { poll, startChild } from '../../../../lib/index.ts';

/** A browser for a test: without a window, with a temporary profile. */
export interface TestBrowser extends AsyncDisposable {
  readonly connection: CdpConnection;
}

/** Starts it on a port that it chooses itself. */
export async function startBrowser(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<TestBrowser> {
  await using stack = new AsyncDisposableStack();
  const profile = await mkdtemp(join(tmpdir(), 'pwp-browser-'));
  stack.defer(() => rm(profile, { recursive: true, force: true, maxRetries: 3 }));
  const child = await startChild('chromium', options(profile), { env: { ...env, MALLOC_ARENA_MAX: '1' } });
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

function options(profile: string): string[] {
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
