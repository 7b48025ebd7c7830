import { desk, type Screen } from '../config.ts';

/** The browser's arguments: one window as large as the screen, and no network traffic or prompts of its own. */
export function chromiumArguments(url: string, { width, height }: Screen): string[] {
  return [
    `--app=${url}`,
    '--kiosk',
    `--window-size=${width},${height}`,
    '--window-position=0,0',
    '--force-device-scale-factor=1',
    `--user-data-dir=${desk.browserProfile}`,
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
