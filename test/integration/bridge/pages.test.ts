import assert from 'node:assert/strict';
import { poll } from '../../../bridge/lib/index.ts';
import { dom, shell } from '../../../bridge/protocol/index.ts';
import { coversPage, freeInCovers } from '../../support/covers-page.ts';
import { devtools } from '../../support/devtools.ts';
import { openLocal } from '../../support/each-node.ts';
import { Ide } from '../../support/ide-sandbox.ts';
import { slowIt } from '../../support/slow.ts';

/** Pages of two origins, in two processes: Chromium isolates sites, and these are two sites. */
const outer = 'http://127.0.0.1:8181';
const inner = 'http://localhost:8181';

const pages: Readonly<Record<string, string>> = {
  'frames.html': `<body style="margin:0"><button>outside</button><br>
    <iframe title="inner" src="${inner}/inner.html" style="position:absolute;left:100px;top:80px;width:400px;height:300px"></iframe>
    <div style="position:absolute;left:100px;top:300px;width:400px;height:60px;background:#fff">over the frame</div>`,
  'inner.html': `<body style="margin:0"><button onclick="this.textContent='pressed'">inside</button>
    <button style="position:absolute;top:230px">hidden below</button><input aria-label="words">`,
  'silent.html': `<body style="margin:0"><button>outside</button>
    <iframe title="stuck" src="${inner}/stuck.html" style="width:300px;height:200px"></iframe>`,
  'stuck.html': `<button>never read</button><script>for (;;);</script>`,
  'busy.html': `<body><button class="plain">writes what it is</button><script>
    const [button] = document.querySelectorAll('button');
    button.onclick = () => { button.className = button.className === 'plain' ? 'other' : 'plain'; };
    setInterval(() => button.classList.add(button.className), 10);
    </script>`,
  'links.html': `<body><a id="script" style="cursor:pointer">followed by a script</a><br>
    <a name="place">a place to jump to</a></body>`,
  'covers.html': coversPage,
  'pauses.html': `<body><button>asked</button><p></p><script>
    const [button] = document.querySelectorAll('button');
    const tick = () => setTimeout(tick, 60);
    button.onclick = () => {
      tick();
      setTimeout(() => setTimeout(() => { button.textContent = 'answered'; }, 180), 240);
    };</script>`,
  'many.html': `<body style="margin:0;line-height:0;font-size:0"><script>
    for (let i = 0; i < 20000; i++) {
      const button = document.createElement('button');
      button.setAttribute('aria-label', 'button ' + i);
      button.style = 'width:6px;height:6px;padding:0;border:0;float:left';
      document.body.append(button);
    }</script>`,
};

describe('the bridge on pages other than the workbench', () => {
  let ide: Ide;
  before(async () => {
    ide = await Ide.start(openLocal, pages);
    const serve = 'setsid python3 -m http.server 8181 --bind 0.0.0.0 > /dev/null 2>&1 < /dev/null &';
    await ide.sandbox.call(shell.run, { command: serve });
    const wait = `python3 - <<'END'\nimport socket, time\nfor _ in range(200):\n  try:\n    socket.create_connection(("127.0.0.1", 8181)).close(); break\n  except OSError:\n    time.sleep(0.05)\nEND`;
    await ide.sandbox.call(shell.run, { command: wait });
  });
  after(() => ide[Symbol.asyncDispose]());

  const go = (page: string) => devtools(ide.sandbox, 'Page.navigate', { url: `${outer}/${page}` });

  it("reports what a click reaches, regardless of what surrounds it, in a document read like VS Code's", async () => {
    await go('covers.html');
    await ide.find('button', /^free, alone$/);
    const { marks } = await ide.observe();
    assert.deepEqual(marks.map(({ name }) => name).toSorted(), [...freeInCovers].toSorted());
    for (const mark of marks) {
      const { box } = await ide.sandbox.call(dom.locate, { mark: mark.id });
      assert.deepEqual(box, mark.box, mark.name);
    }
  });

  it('lists links that only a script follows, and no anchors', async () => {
    await go('links.html');
    await ide.find('link', /^followed by a script$/);
    const { marks } = await ide.observe();
    assert.deepEqual(
      marks.map(({ name }) => name),
      ['followed by a script'],
    );
  });

  it('reads a frame of another origin, in its place and without its covered parts', async () => {
    await go('frames.html');
    const inside = await ide.find('button', /^inside$/);
    const seen = await ide.observe();
    assert.equal(seen.workbench, false);
    assert.match(seen.url, /frames\.html$/);
    assert.deepEqual(seen.unread, []);
    assert.ok(inside.box.x >= 102 && inside.box.y >= 82, JSON.stringify(inside.box));
    const names = seen.marks.map(({ name }) => name);
    assert.ok(names.includes('outside') && names.includes('words'));
    assert.equal(names.includes('hidden below'), false);
    assert.equal(new Set(seen.marks.map(({ id }) => id)).size, seen.marks.length);
  });

  it('clicks and types into that frame, and reports its focus', async () => {
    // Chromium routes input into a frame of another process only after the frame has drawn.
    await ide.observeStill();
    await ide.click(await ide.find('button', /^inside$/));
    await ide.find('button', /^pressed$/);
    await ide.click(await ide.find('textbox', /^words$/));
    await ide.type('héllo');
    const focus = await ide.until('the words', (seen) =>
      seen.focus?.value === 'héllo' ? seen.focus : undefined,
    );
    assert.ok(focus.editable && (focus.box?.x ?? 0) > 100);
  });

  it('reports that the pointer is over that frame, whose presses it does not count', async () => {
    const pressesOnce = (away: boolean) =>
      poll(
        `away is ${away}`,
        async () => {
          const { drag } = await ide.sandbox.call(dom.probe, {});
          return drag.away === away
            ? ({ done: true, value: drag.presses } as const)
            : ({ done: false, saw: `it is ${drag.away}` } as const);
        },
        { intervalMs: 20, signal: AbortSignal.timeout(60_000) },
      );
    const counted = await pressesOnce(true);
    await ide.click(await ide.find('button', /^pressed$/));
    assert.equal(await pressesOnce(true), counted);
    await ide.click(await ide.find('button', /^outside$/));
    assert.equal(await pressesOnce(false), counted + 1);
  });

  it('narrows by role, text and place, in frames too', async () => {
    const names = async (query: object) => {
      const { marks } = await ide.sandbox.call(dom.observe, query);
      return marks.map(({ name }) => name);
    };
    assert.deepEqual(await names({ role: 'textbox' }), ['words']);
    assert.deepEqual(await names({ text: 'PRESS' }), ['pressed']);
    assert.deepEqual(await names({ text: 'éll' }), ['words']);
    assert.deepEqual(await names({ within: 'iframe' }), ['pressed', 'words']);
    assert.deepEqual(await names({ within: 'body > button' }), ['outside', 'pressed']);
    await assert.rejects(names({ within: '::??' }), /dom\.observe/);
  });

  it('counts a written attribute as a change only if its value differs', async () => {
    await go('busy.html');
    const button = await ide.find('button', /^writes/);
    const quiet = async () => {
      const { reason } = await ide.sandbox.settle({ capMs: 4000, pointerOnly: false });
      assert.equal(reason, 'quiet');
      return (await ide.sandbox.call(dom.probe, {})).changes;
    };
    const before = await quiet();
    await ide.click(button);
    assert.equal((await quiet()) - before, 1);
  });

  it('settles when work delayed by input is done, and does not wait for periodic timers', async () => {
    await go('pauses.html');
    await ide.find('button', /^asked$/);
    // Chromium routes input into a new page only after the page has drawn: earlier input is lost.
    await ide.observeStill();
    await ide.click(await ide.find('button', /^asked$/));
    const { reason } = await ide.sandbox.settle({ capMs: 4000, pointerOnly: false });
    assert.equal(reason, 'quiet');
    assert.deepEqual(
      (await ide.observe()).marks.map(({ name }) => name),
      ['answered'],
    );
    assert.equal((await ide.sandbox.call(dom.activity, {})).pauseMs, 0);
  });

  it('names a frame that does not answer, and reads the rest', async () => {
    await go('silent.html');
    await ide.find('button', /^outside$/);
    const seen = await ide.until('the frame', (one) => (one.unread.length > 0 ? one : undefined));
    assert.equal(seen.unread[0]?.what, 'stuck');
    assert.ok((seen.unread[0].box?.width ?? 0) > 290, JSON.stringify(seen.unread));
    const again = await ide.observe();
    assert.match(again.unread[0]?.why ?? '', /owes/);
    assert.ok(again.marks.some(({ name }) => name === 'outside'));
  });

  slowIt('reads a bounded number of 20,000 elements, and says so', async () => {
    await go('many.html');
    const seen = await ide.until('buttons', (one) => (one.marks.length > 100 ? one : undefined));
    assert.ok(seen.marks.length <= 2000);
    assert.ok(seen.truncated || seen.omitted > 0);
    const { marks } = await ide.sandbox.call(dom.observe, { limit: 5 });
    assert.equal(marks.length, 5);
  });

  slowIt('writes a tree of them in pieces, with nothing lost or repeated', async () => {
    const lines: string[] = [];
    let from: number | undefined;
    for (let i = 0; i < 3; i++) {
      const asked = { maxBytes: 2000, ...(from !== undefined && { from }) };
      const { text, next, truncated } = await ide.sandbox.call(dom.tree, asked);
      assert.ok(Buffer.byteLength(text) <= 2000 && truncated && next !== null);
      lines.push(...text.split('\n'));
      from = next;
    }
    const numbers = lines.flatMap((line) => /"button (\d+)"/.exec(line)?.[1] ?? []).map(Number);
    assert.deepEqual(
      numbers,
      Array.from({ length: numbers.length }, (_, i) => i),
    );
    assert.ok(numbers.length > 30);
  });
});

for (const display of [
  { width: 3840, height: 2160 },
  { width: 1024, height: 768 },
]) {
  describe(`marks on a screen of ${display.width}x${display.height}`, () => {
    slowIt('are where a click reaches them', async () => {
      await using ide = await Ide.start(openLocal, { 'folder/inner.txt': '' }, display);
      const before = await ide.find('treeitem', /^folder/);
      assert.ok(before.state.collapsed);
      await ide.click(before);
      const { marks } = await ide.observeStill();
      assert.ok(marks.some(({ name }) => /^inner\.txt/.test(name)));
      for (const { box } of marks) {
        assert.ok(box.x >= 0 && box.y >= 0);
        assert.ok(box.x + box.width <= display.width && box.y + box.height <= display.height);
      }
    });
  });
}
