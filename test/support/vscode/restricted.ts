import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { deadline, describeError, poll, type Probe } from '../../../bridge/lib/index.ts';
import {
  ide,
  type Method,
  type ParamsIn,
  type ResultOf,
  toolErrorReason,
  toolMethods,
} from '../../../bridge/protocol/index.ts';
import { connectSocket, Peer } from '../../../bridge/rpc/index.ts';
import { openBrowser } from './browser.ts';
import { folderUrl, installExtension, startCodeServer } from './codeServer.ts';
import type { Restricted, RestrictedReport } from './restricted-report.ts';

/**
 * Opens an untrusted folder in code-server and Chromium, as a person does who downloaded it, calls the extension there
 * over its socket, trusts the folder, and calls it again. Arguments: a folder with `app`, `user` and `sockets`, the
 * extension's `.vsix`, and the file for a report.
 */

const runMs = 120_000;
const calls: readonly (readonly [name: string, given: Record<string, unknown>])[] = [
  ['read_file', { path: 'notes.md' }],
  ['set_setting', { key: 'editor.tabSize', value: 3 }],
  ['run_python', { code: 'print(1)' }],
  ['list_tests', {}],
  ['list_tasks', {}],
];

const [folder = '', vsix = '', report = ''] = process.argv.slice(2);
using limit = deadline('the run in Restricted Mode', runMs);
const { signal } = limit;

const launch = { userDataDir: join(folder, 'user'), extensionsDir: join(folder, 'extensions') };
await installExtension(launch, vsix, signal);
await using server = await startCodeServer(launch, [], signal);
console.log(`code-server runs as process ${server.pid}`);
await using browser = await openBrowser();
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
try {
  await page.goto(folderUrl(join(folder, 'app')));
  await using peer = new Peer(await connectSocket(await socketIn(join(folder, 'sockets')), signal));
  const before = await look(peer, page);
  await trust(page, peer);
  void allowAll(page).catch(() => undefined);
  const found: RestrictedReport = { before, after: await look(peer, page) };
  await writeFile(report, JSON.stringify(found));
} catch (error) {
  await page.screenshot({ path: join(folder, 'screen.png') });
  throw error;
}

async function look(peer: Peer, shown: Page): Promise<Restricted> {
  const ask = <M extends Method>(method: M, params: ParamsIn<M>): Promise<ResultOf<M>> =>
    peer.request(method, params, signal);
  const answers: Record<string, string> = {};
  for (const [name, given] of calls)
    answers[name] = await outcomeOf(ask(toolMethods.call, { name, arguments: given }));
  answers['ide.tasks'] = await outcomeOf(ask(ide.tasks, {}));
  const { trusted } = await ask(ide.workspace, {});
  return { trusted, answers, dialogs: await shown.locator('.monaco-dialog-box').allTextContents() };
}

/** `ok`, or the reason. */
async function outcomeOf(answer: Promise<unknown>): Promise<string> {
  try {
    await answer;
    return 'ok';
  } catch (error) {
    return toolErrorReason(error) ?? describeError(error);
  }
}

/** Trusts the folder as a person does. */
async function trust(shown: Page, peer: Peer): Promise<void> {
  await shown.keyboard.press('F1');
  await shown.locator('.quick-input-widget input[type=text]').fill('>Workspaces: Manage Workspace Trust');
  await shown.keyboard.press('Enter');
  await shown.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
  const trusted = async (): Promise<Probe<undefined>> =>
    (await peer.request(ide.workspace, {}, signal)).trusted
      ? { done: true, value: undefined }
      : { done: false, saw: 'Restricted Mode' };
  await poll('trust', trusted, { intervalMs: 100, signal });
}

/** From now on the user allows everything they are asked about, until the page is closed. */
async function allowAll(shown: Page): Promise<void> {
  const button = shown.locator('.monaco-dialog-box').getByRole('button', { name: 'For This Session' });
  for (;;) await button.click({ timeout: 0 });
}

function socketIn(sockets: string): Promise<string> {
  const look = async (): Promise<Probe<string>> => {
    const names = await readdir(sockets);
    const found = names.find((name) => name.endsWith('.sock'));
    return found === undefined
      ? { done: false, saw: names.join(' ') }
      : { done: true, value: join(sockets, found) };
  };
  return poll("the extension's socket", look, { intervalMs: 100, signal });
}
