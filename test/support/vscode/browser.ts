import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** The Chromium of the image. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  });
}

/**
 * Opens the workbench and waits until its extension host reports how the tests ended.
 * @returns the exit code that VS Code reported; a killed extension host reports 0 too
 */
export async function runInBrowser(url: string, evidence: string, signal: AbortSignal): Promise<number> {
  await using browser = await openBrowser();
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const events = new EventEmitter();
  await page.exposeFunction('codeAutomationExit', (code: number) => events.emit('exit', code));
  await page.exposeFunction('codeAutomationLog', (kind: string, args: unknown[]) =>
    console.log(`${kind}:`, ...args),
  );
  page.on('crash', () => events.emit('error', new Error('the page crashed')));
  try {
    const [exit] = await Promise.all([once(events, 'exit', { signal }), page.goto(url)]);
    return Number(exit[0]);
  } catch (error) {
    await page.screenshot({ path: join(evidence, 'screen.png') });
    throw error;
  }
}
