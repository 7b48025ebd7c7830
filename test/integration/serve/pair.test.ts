import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { WebSocket } from 'ws';
import { poll } from '../../../bridge/lib/index.ts';
import { pairRoutes } from '../../../host/doors/serve/live/live-routes.ts';
import { openServer, type Server } from '../../../host/doors/serve/server.ts';
import { defaultDisplay } from '../../../host/node/index.ts';
import { evaluate } from '../../support/devtools.ts';
import { onOneNode } from '../../support/each-node.ts';
import { Ide } from '../../support/ide-sandbox.ts';
import { slowIt } from '../../support/slow.ts';

/** The longest wait, in milliseconds, for something to appear on a busy machine. */
const waitMs = 60_000;
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const person = { kind: 'person', id: 'someone', name: 'Ada' } as const;
const agent = { kind: 'agent', id: 'a', name: 'helper' } as const;
const { width, height } = defaultDisplay;

onOneNode('the pair page', (open) => {
  let ide: Ide;
  let server: Server;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const problems: string[] = [];
  const owned = new AsyncDisposableStack();

  before(async () => {
    ide = owned.use(await Ide.start(open, { 'notes.txt': '' }));
    const source = { title: 'a <pair>', person: 'Grace', open: () => Promise.resolve(ide.sandbox) };
    server = owned.use(await openServer(pairRoutes(source), 0));
    const args = ['--no-sandbox', '--disable-gpu'];
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args });
    owned.defer(() => browser.close());
    const options = { viewport: { width: 1440, height: 900 }, hasTouch: true };
    context = await browser.newContext(options);
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.origin });
    page = await opened(server.url);
  });
  after(() => owned.disposeAsync());

  async function opened(url: string): Promise<Page> {
    const made = await context.newPage();
    made.setDefaultTimeout(waitMs);
    made.on('console', (message) => problems.push(message.text()));
    made.on('pageerror', (error) => problems.push(error.message));
    await made.goto(url, { waitUntil: 'commit' });
    await made.waitForSelector('#status[data-state=live]');
    return made;
  }

  const mode = (name: string, on = page) => on.waitForSelector(`body[data-mode=${name}]`);
  const holder = async () => (await ide.sandbox.lease.state()).holder;
  const take = async () => {
    await page.bringToFront();
    await page.click('#take');
    await mode('you');
  };
  const give = async () => {
    await page.click('#give');
    await poll(
      'control given back',
      async () =>
        (await holder()) === null ? { done: true, value: undefined } : { done: false, saw: 'a holder' },
      { intervalMs: 50, signal: AbortSignal.timeout(waitMs) },
    );
  };
  /** Waits until the file has the wanted text; a time-out names the text it has. */
  const textOf = (path: string, wanted: string) =>
    poll(
      `${path} to be ${JSON.stringify(wanted)}`,
      async () => {
        const bytes = await ide.sandbox.readFile(`/workspace/${path}`, 10_000);
        const text = Buffer.from(bytes ?? []).toString();
        return text === wanted ? { done: true, value: text } : { done: false, saw: JSON.stringify(text) };
      },
      { intervalMs: 100, signal: AbortSignal.timeout(waitMs) },
    );
  const clickScreen = async (x: number, y: number) => {
    const box = await page.locator('#screen').boundingBox();
    assert.ok(box);
    await page.mouse.click(box.x + (x * box.width) / width, box.y + (y * box.height) / height);
  };
  /** Opens the file and waits until it has the focus. No double click: a busy machine may see two clicks. */
  const openNotes = async () => {
    const mark = await ide.find('treeitem', /^notes\.txt/);
    await clickScreen(mark.box.x + 30, mark.box.y + mark.box.height / 2);
    await page.keyboard.press('Enter');
    await ide.until('the focus in the editor', ({ focus }) => (focus?.role === 'textbox' ? true : undefined));
  };

  it('lets a person take control, type into the IDE, and give it back', async () => {
    assert.match(await page.innerText('#detail'), /take control/);
    await take();
    assert.equal((await holder())?.actor.name, 'Grace');
    await openNotes();
    await page.keyboard.type('(Hi) {you}: "ä€漢"');
    await page.keyboard.press('Control+s');
    await textOf('notes.txt', '(Hi) {you}: "ä€漢"');
    await give();
    await mode('idle');
  });

  it('refuses agents meanwhile', async () => {
    await take();
    const play = ide.sandbox.input([{ kind: 'key', keys: ['a'], action: 'press', delayMs: 0 }]);
    await assert.rejects(play, { code: 'control-held' });
    await give();
    await ide.sandbox.input([{ kind: 'move', x: 5, y: 5, relative: false }]);
  });

  it('sends shortcuts, held modifiers and keys that a browser would handle itself', async () => {
    await take();
    await openNotes();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('one two');
    await page.keyboard.down('Shift');
    for (let i = 0; i < 3; i += 1) await page.keyboard.press('ArrowLeft');
    await page.keyboard.up('Shift');
    await page.keyboard.type('2');
    await page.click('.more summary');
    await page.click('[data-hold=ctrl]');
    assert.equal(await page.getAttribute('[data-hold=ctrl]', 'aria-pressed'), 'true');
    await page.focus('#keys');
    await page.keyboard.press('s');
    await textOf('notes.txt', 'one 2');
    await page.click('.more summary');
    await give();
  });

  it('accepts text from input methods', async () => {
    await take();
    await openNotes();
    await page.keyboard.press('Control+a');
    const devtools = await context.newCDPSession(page);
    for (const text of ['に', 'にほ', '日本'])
      await devtools.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
    await devtools.send('Input.insertText', { text: '日本' });
    await page.keyboard.press('Control+s');
    await textOf('notes.txt', '日本');
    await give();
  });

  it('pastes into the IDE, and copies from it', async () => {
    await take();
    await openNotes();
    await page.keyboard.press('Control+a');
    const text = 'if x:\n    y = "é"\n';
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await page.keyboard.press('Control+v');
    await page.keyboard.press('Control+s');
    await textOf('notes.txt', text);
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Shift+End');
    await page.keyboard.press('Control+c');
    const copied = async () => {
      const now = await page.evaluate<string>('navigator.clipboard.readText()');
      return now === 'if x:' ? ({ done: true, value: now } as const) : ({ done: false, saw: now } as const);
    };
    await poll('the copied text', copied, { intervalMs: 100, signal: AbortSignal.timeout(waitMs) });
    await give();
  });

  it('lists what the person did, and of private acts only that something was done', async () => {
    await page.click('#tab-steps');
    await page.locator('.step[data-by=person]').first().waitFor();
    await take();
    await openNotes();
    await page.check('#private');
    await page.focus('#keys');
    await page.keyboard.type('hunter2');
    await give();
    await page.locator('.step', { hasText: 'private' }).first().waitFor();
    assert.doesNotMatch(await page.innerText('#steps-list'), /hunter2/);
    await page.click('#tab-chat');
  });

  it('works by touch: a tap clicks, a long press opens a menu', async () => {
    await take();
    const mark = await ide.find('treeitem', /^notes\.txt/);
    const box = await page.locator('#screen').boundingBox();
    assert.ok(box);
    const x = box.x + ((mark.box.x + 30) * box.width) / width;
    const y = box.y + ((mark.box.y + 8) * box.height) / height;
    const devtools = await context.newCDPSession(page);
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
    await ide.find('menuitem', /^Rename/);
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await page.focus('#keys');
    await page.keyboard.press('Escape');
    await give();
  });

  it('gives control back when the page is closed, and releases all keys', async () => {
    const other = await opened(server.url);
    await other.click('#take');
    await mode('you', other);
    await mode('other');
    assert.equal(await page.innerText('#mode'), 'Grace drives');
    await other.keyboard.down('Shift');
    const box = await other.locator('#screen').boundingBox();
    assert.ok(box);
    await other.mouse.move(box.x + 300, box.y + 300);
    await other.mouse.down();
    await other.mouse.move(box.x + 320, box.y + 300);
    await other.close();
    await mode('idle');
    await ide.key('Escape');
    await take();
    await openNotes();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('low');
    await page.keyboard.press('Control+s');
    await textOf('notes.txt', 'low');
    await give();
  });

  it('shows who else has control, and who asks for it', async () => {
    const link = server.share({ rights: 'control', ttlMs: 600_000 });
    const guest = await opened(link.url);
    await guest.click('#take');
    await mode('you', guest);
    await mode('other');
    assert.equal(await page.innerText('#mode'), 'Guest drives');
    await page.click('#ask');
    await guest.waitForSelector('#requests li');
    assert.equal(await guest.innerText('#requests'), 'Grace asks for control.');
    await page.click('#take');
    await mode('you');
    await mode('other', guest);
    assert.equal(await guest.isVisible('#take'), false, 'a guest takes nothing from the owner');
    await guest.close();
    await give();
  });

  it('lets a guest with a view link only watch', async () => {
    const link = server.share({ rights: 'view', ttlMs: 600_000 });
    const watcher = await opened(link.url);
    assert.equal(await watcher.isVisible('#take'), false);
    const socket = await connected(link.url);
    const notice = next(socket, 'notice');
    socket.send(JSON.stringify({ type: 'take', force: true, pause: false }));
    assert.match(String((await notice).text), /lets you watch/);
    assert.equal(await holder(), null);
    socket.close();
    await watcher.close();
  });

  it("shows an agent's question, and sends the answer", async () => {
    const question = {
      from: agent,
      wants: 'answer',
      text: 'Which <b>port</b>?',
      choices: ['80', '443'],
    } as const;
    const answer = ide.sandbox.questions.ask(question, { timeoutMs: waitMs });
    await mode('waiting');
    await page.bringToFront();
    assert.equal(await page.innerText('.question:last-child .text'), 'Which <b>port</b>?');
    await page.fill('.question:last-child textarea', 'both');
    await page.keyboard.press('Enter');
    const { by, how, text } = await answer;
    assert.deepEqual([by.name, how, text], ['Grace', 'answered', 'both']);
    await mode('idle');
  });

  it('pauses agents, and lets them continue', async () => {
    await page.click('#pause');
    await mode('paused');
    await assert.rejects(ide.sandbox.input([{ kind: 'release' }]), { code: 'control-held' });
    await page.click('#give');
    await mode('idle');
  });

  it('shows a person who takes control by other means', async () => {
    const { hold } = await ide.sandbox.lease.take(person);
    await mode('other');
    assert.equal(await page.innerText('#mode'), 'Ada drives');
    await ide.sandbox.lease.giveBack(hold);
    await mode('idle');
  });

  it('disconnects a page that sends too much, or messages that the page never sends', async () => {
    const flood = await connected(server.url);
    for (let i = 0; i < 10_000; i += 1) flood.send(JSON.stringify({ type: 'move', x: i % width, y: 10 }));
    const [code, reason] = (await once(flood, 'close')) as [number, Buffer];
    assert.deepEqual([code, reason.toString()], [1008, 'too many messages from this page']);
    for (const bad of ['{', '{"type":"reboot"}', Buffer.from('x'), 'x'.repeat(5_000_000)]) {
      const socket = await connected(server.url);
      socket.send(bad);
      const [closed] = (await once(socket, 'close')) as [number];
      assert.ok([1006, 1008, 1009].includes(closed), `${closed}`);
    }
    assert.equal(await evaluate(ide.sandbox, '1 + 1'), 2);
  });

  it('is refused without the token, from other origins, and once a link has expired', async () => {
    const { host } = new URL(server.origin);
    const { token } = server;
    const refused = (path: string, headers: Record<string, string>) =>
      assert.rejects(
        connected(`${server.origin}${path}`, headers),
        /Unexpected server response: (401|403|421)/,
      );
    await refused('/?token=x', {});
    await refused(`/?token=${token}`, { origin: 'https://evil.example' });
    await refused(`/?token=${token}`, { host: `evil.example:${new URL(server.origin).port}` });
    (await connected(`${server.origin}/?token=${token}`, { origin: `http://${host}` })).close();
    const brief = server.share({ rights: 'control', ttlMs: 2000 });
    const socket = await connected(brief.url);
    const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
    assert.deepEqual([code, reason.toString()], [4001, 'this link has expired']);
    await refused(new URL(brief.url).search.replace(/^/, '/'), {});
  });

  for (const colorScheme of ['light', 'dark'] as const)
    slowIt(`has nothing that axe finds, in the ${colorScheme}`, async () => {
      await page.emulateMedia({ colorScheme });
      for (const across of [1440, 400]) {
        await page.setViewportSize({ width: across, height: 900 });
        await found(page, `watching at ${across}`);
        await take();
        await found(page, `driving at ${across}`);
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), across);
        for (const tab of ['steps', 'state', 'list']) {
          await page.click(`#tab-${tab}`);
          await found(page, `${tab} at ${across}`);
        }
        await give();
      }
    });

  it('logged no problem', () => assert.deepEqual(problems, []));
});

/** Fails with the problems that axe finds in a page. */
async function found(page: Page, where: string): Promise<void> {
  // The page allows no scripts except its own.
  await page.evaluate(await readFile(axe, 'utf8'));
  const violations = await page.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' ')))`,
  );
  assert.deepEqual(violations, [], where);
}

/** A socket of a page's, by the page's address. */
async function connected(url: string, headers: Record<string, string> = {}): Promise<WebSocket> {
  const address = new URL(url);
  address.protocol = 'ws:';
  address.pathname = '/live';
  const socket = new WebSocket(address, { headers });
  await once(socket, 'open');
  return socket;
}

/** The next message of a type. Several may come at once, so each is read as it comes. */
function next(socket: WebSocket, type: string): Promise<Record<string, unknown>> {
  const { promise, resolve } = Promise.withResolvers<Record<string, unknown>>();
  const hear = (data: WebSocket.RawData, isBinary: boolean) => {
    if (isBinary) return;
    const message = JSON.parse((data as Buffer).toString()) as Record<string, unknown>;
    if (message.type !== type) return;
    socket.off('message', hear);
    resolve(message);
  };
  socket.on('message', hear);
  return promise;
}
