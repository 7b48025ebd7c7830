import assert from 'node:assert/strict';
import { writeAccessibilityTree } from '../../../host/doors/serve/osworld/accessibility-tree.ts';
import { openServer, osworldRoutes, type Server } from '../../../host/doors/serve/index.ts';
import { FakeEpisodes } from '../../support/fake-episodes.ts';

describe("OSWorld's routes", () => {
  let server: Server;
  let table: FakeEpisodes;
  let episode: string;
  const owned = new AsyncDisposableStack();
  before(async () => {
    table = new FakeEpisodes(['only']);
    server = owned.use(await openServer(osworldRoutes(table.table), 0));
  });
  after(() => owned.disposeAsync());
  beforeEach(async () => {
    table.clear();
    ({ episode } = await table.table.open({ task: 'only', picture: 'none' }));
  });

  const ask = async (method: string, path: string, body?: unknown, user = episode) => {
    const response = await fetch(`${server.origin}${path}`, {
      method,
      headers: { Authorization: `Basic ${Buffer.from(`${user}:${server.token}`).toString('base64')}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
  const execute = async (...words: string[]) => {
    const { status, text } = await ask('POST', '/execute', { command: words, shell: false });
    assert.equal(status, 200, text);
    return JSON.parse(text) as { output: string; error: string; returncode: number };
  };

  it('give one episode its screen, its size and its tree', async () => {
    const { text, status } = await ask('GET', '/screenshot');
    assert.deepEqual([status, text.slice(1, 4)], [200, 'PNG']);
    assert.equal((await ask('POST', '/screen_size')).text, '{"width":800,"height":600}');
    assert.match(
      (await ask('GET', `/accessibility?episode=${episode}`, undefined, '')).text,
      /desktop-frame/,
    );
    assert.equal((await ask('GET', '/screenshot', undefined, 'other')).status, 404);
    assert.equal((await ask('GET', '/screenshot', undefined, '')).status, 404);
    assert.equal((await ask('POST', '/execute', { command: 1 })).status, 400);
  });

  it('play pyautogui on the screen, and say what was refused', async () => {
    const done = await execute('python', '-c', 'import pyautogui; pyautogui.click(1, 2)');
    assert.deepEqual(done, { status: 'success', output: '', error: '', returncode: 0 });
    assert.deepEqual(table.calls, ['step']);
    table.effect = 'refused';
    const refused = await execute('python3', '-c', 'import pyautogui; pyautogui.click(1, 2)');
    assert.partialDeepStrictEqual(refused, { error: 'refused: seen', returncode: 1 });
  });

  it('run other commands in the sandbox, without what clients put before them', async () => {
    table.said = (command) => {
      const [, border = ''] = /([0-9a-f]{32}); cat/.exec(command) ?? [];
      return `exit code 3\nout\n\n${border}\nwrong\n`;
    };
    const found = await execute(
      'python',
      '-c',
      'import pyautogui; import time; pyautogui.FAILSAFE = False; print(1)',
    );
    assert.deepEqual(found, { status: 'success', output: 'out\n', error: 'wrong\n', returncode: 3 });
    const unquoted = (at: number) => (table.commands[at] ?? '').replaceAll("'\\''", "'");
    assert.match(unquoted(0), /^bash -c '"\$\(command -v python \|\| echo python3\)" '-c' 'print\(1\)'' 2> /);
    await execute('ls', '~/a b', "it's");
    assert.match(unquoted(1), /^bash -c ''ls' ~\/'a b' 'it'/);
    const mixed = await execute('python', '-c', 'import pyautogui\nfor i in range(3): pyautogui.click(i, 2)');
    assert.equal(mixed.returncode, 1);
    assert.match(mixed.error, /^pyautogui is not in the sandbox/);
    assert.equal(table.commands.length, 2);
  });

  it('describe marks as elements that agents look at, with any name', () => {
    const box = { x: 1.4, y: -3, width: 10, height: 5 };
    const xml = writeAccessibilityTree({
      ...{ title: '<a> & "b"', width: 800, height: 600 },
      marks: [
        { id: 1, role: 'textbox', name: 'x\n\u0000\ud800"', value: '<v>', state: { focused: true }, box },
        { id: 2, role: 'constructor', name: '(1, 2)', state: { disabled: true }, box },
      ],
    });
    assert.match(xml, /<entry name="x&#10;��&#34;" cp:screencoord="\(1, 0\)" cp:size="\(10, 5\)"/);
    assert.match(xml, /st:enabled="true" [^>]*st:focused="true">&#60;v&#62;<\/entry>/);
    assert.match(xml, /<section name="\(1, 2\)" cp:screencoord="\(1, 0\)"[^>]*st:visible="true"><\/section>/);
    assert.match(
      xml,
      /<frame name="&#60;a&#62; &#38; &#34;b&#34;" cp:screencoord="\(0, 0\)" cp:size="\(800, 600\)"/,
    );
  });
});
