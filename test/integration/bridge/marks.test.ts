import assert from 'node:assert/strict';
import {
  dom,
  type DomObservation,
  ErrorCode,
  type Mark,
  RpcError,
  shell,
} from '../../../bridge/protocol/index.ts';
import { onOneNode } from '../../support/each-node.ts';
import { Ide } from '../../support/ide-sandbox.ts';
import { slowIt } from '../../support/slow.ts';

const refusal = (code: number) => (error: unknown) => {
  assert.ok(error instanceof RpcError, String(error));
  assert.equal(error.code, code, error.message);
  return true;
};

onOneNode('marks of a real workbench', (open) => {
  let ide: Ide;
  const lines = ['import os', '', 'def greet(name):', '    return f"hello {name}"', ''];
  const script = 'const a = 1;\nfunction f() {\n  return a;\n}\nf();\n';
  before(async () => {
    ide = await Ide.start(open, {
      'src/inner.py': '',
      'hello.py': lines.join('\n'),
      'README.md': '# Read me\n',
      'app.js': script,
    });
  });
  after(() => ide[Symbol.asyncDispose]());

  /** Checks that each mark can be located, at a point inside its box. */
  async function checkClickable(marks: readonly Mark[]): Promise<void> {
    for (const mark of marks) {
      const { point, box } = await ide.sandbox.call(dom.locate, { mark: mark.id });
      assert.deepEqual(box, mark.box, mark.name);
      const inside =
        point.x >= box.x && point.x < box.x + box.width && point.y >= box.y && point.y < box.y + box.height;
      assert.ok(inside, `${JSON.stringify(point)} is not in ${JSON.stringify(box)} of ${mark.name}`);
    }
  }

  it('covers activity bar, explorer and status bar', async () => {
    await ide.find('treeitem', /^src$/);
    const { marks, workbench, url } = await ide.observeStill();
    const has = (role: string, name: RegExp) =>
      marks.some((mark) => mark.role === role && name.test(mark.name));
    for (const view of ['Explorer', 'Search', 'Source Control', 'Run and Debug', 'Extensions']) {
      assert.ok(has('tab', new RegExp(`^${view} \\(Ctrl`)), view);
    }
    assert.ok(has('treeitem', /README\.md/) && has('button', /No Problems/));
    assert.ok(workbench);
    assert.match(url, /[?]folder=/);
    assert.equal(new Set(marks.map(({ id }) => id)).size, marks.length);
    await checkClickable(marks);
  });

  it('reports the state of an item, and the same id as long as it exists', async () => {
    const folder = await ide.find('treeitem', /^src$/);
    assert.deepEqual(folder.state, { collapsed: true });
    await ide.click(folder);
    await ide.find('treeitem', /inner\.py/);
    const opened = await ide.find('treeitem', /^src$/);
    assert.equal(opened.state.expanded, true);
    assert.equal(opened.id, folder.id);
  });

  it('reads an editor line by line, with its gutter, tab and caret', async () => {
    await ide.click(await ide.find('treeitem', /hello\.py/), 1, 2);
    await ide.find('line', /def greet/);
    const { marks, focus, caret } = await ide.observeStill();
    const text = marks.filter(({ role }) => role === 'line').map(({ name }) => name);
    assert.deepEqual(text, lines);
    const numbered = marks.filter(({ role }) => role === 'line').map(({ line }) => line);
    assert.deepEqual(numbered, [1, 2, 3, 4, 5]);
    const gutter = marks.filter(({ role }) => role === 'gutter').map(({ name }) => name);
    assert.deepEqual(gutter, ['line 1', 'line 2', 'line 3', 'line 4', 'line 5']);
    assert.ok(
      marks.some(({ role, name, state }) => role === 'tab' && /^hello\.py/.test(name) && state.selected),
    );
    assert.ok(focus?.editable && caret, JSON.stringify({ focus, caret }));
    const first = marks.find(({ role, name }) => role === 'line' && name === 'import os');
    assert.equal(caret.y, first?.box.y);
    await checkClickable(marks);
  });

  slowIt('gives a line that is drawn again its old number, but not to a line of another file', async () => {
    const count = 400;
    const text = Array.from({ length: count }, (_, i) => `row ${i % 7}`).join('\n');
    const write = ['long.txt', 'other.txt'].map((name) => `printf '%s' "${text}" > ${name}`).join(' && ');
    await ide.sandbox.call(shell.run, { command: write }, { signal: AbortSignal.timeout(20_000) });
    // A click is lost while the explorer makes room for the second file.
    await ide.find('treeitem', /^other\.txt/);
    await ide.observeStill();
    await ide.click(await ide.find('treeitem', /^long\.txt/), 1, 2);
    await ide.find('line', /^row 3$/);
    const rows = ({ marks }: DomObservation) =>
      marks.filter(({ role }) => role === 'line' || role === 'gutter').map(({ id }) => id);
    const before = rows(await ide.observeStill());
    await ide.key('ctrl+End');
    await ide.until('the end', ({ marks }) => marks.find(({ line }) => line === count));
    const end = rows(await ide.observeStill());
    assert.equal(new Set(end).size, end.length);
    assert.ok(end.every((id) => !before.includes(id)));
    await ide.key('ctrl+Home');
    await ide.until('the start', ({ marks }) => marks.find(({ line }) => line === 1));
    assert.deepEqual(rows(await ide.observeStill()), before);
    await ide.click(await ide.find('treeitem', /^other\.txt/), 1, 2);
    await ide.find('tab', /^other\.txt/);
    const other = rows(await ide.observeStill());
    assert.equal(other.length, before.length);
    assert.ok(other.every((id) => !before.includes(id)));
    await ide.key('ctrl+w');
    await ide.key('ctrl+w');
    await ide.click(await ide.find('treeitem', /hello\.py/), 1, 2);
    await ide.find('line', /def greet/);
  });

  it('continues numbering above the numbers given elsewhere, and refuses older marks', async () => {
    const mark = await ide.find('treeitem', /README\.md/);
    const before = await ide.sandbox.call(dom.numbers, {});
    const given = { observation: before.observation + 100, mark: before.mark + 100 };
    assert.deepEqual(await ide.sandbox.call(dom.renumber, given), given);
    await assert.rejects(ide.sandbox.call(dom.locate, { mark: mark.id }), refusal(ErrorCode.NotFound));
    assert.equal((await ide.observe()).observation, given.observation + 1);
    await ide.key('F1');
    const { marks } = await ide.observeStill();
    assert.ok(marks.filter(({ role }) => role === 'option').every(({ id }) => id > given.mark));
    await ide.key('Escape');
  });

  slowIt(
    'gives a tab that VS Code fills with another file a new number, and says what replaced it',
    async () => {
      await ide.click(await ide.find('treeitem', /README\.md/), 1, 2);
      await ide.find('tab', /^README\.md/);
      const first = await ide.find('tab', /^hello\.py/);
      await ide.click(first);
      await ide.key('ctrl+w');
      await ide.until('an end of the tab', ({ marks }) =>
        marks.some(({ role, name }) => role === 'tab' && name.startsWith('hello.py')) ? undefined : true,
      );
      const left = await ide.find('tab', /^README\.md/);
      assert.notEqual(left.id, first.id);
      const refused = ide.sandbox.call(dom.locate, { mark: first.id });
      await assert.rejects(refused, (error: Error) => {
        assert.match(error.message, /tab "hello\.py".* in its place is \[\d+\] .*"README\.md/);
        return refusal(ErrorCode.Stale)(error);
      });
      await ide.click(await ide.find('treeitem', /hello\.py/), 1, 2);
      await ide.find('line', /def greet/);
    },
  );

  it('gives a row that shows another item a new number, and the same item the same one', async () => {
    await ide.key('F1');
    await ide.find('option', /./);
    await ide.type('zen mode');
    const zen = await ide.find('option', /Toggle Zen Mode/);
    await ide.key('BackSpace');
    assert.equal((await ide.find('option', /Toggle Zen Mode/)).id, zen.id);
    await ide.key('ctrl+a');
    await ide.type('>save all');
    const row = await ide.find('option', /File: Save All/);
    assert.notEqual(row.id, zen.id);
    await ide.key('Escape');
    await ide.find('line', /def greet/);
  });

  it('keeps known marks valid when an observation asks for only some marks', async () => {
    const whole = await ide.observeStill();
    const line = whole.marks.find(({ role, name }) => role === 'line' && name === 'import os');
    const tab = whole.marks.find(({ role }) => role === 'tab');
    assert.ok(line && tab);
    const some = await ide.sandbox.call(dom.observe, { role: 'tab' });
    assert.ok(some.marks.every(({ role }) => role === 'tab'));
    assert.ok(some.marks.some(({ id }) => id === tab.id));
    const { box } = await ide.sandbox.call(dom.locate, { mark: line.id, observation: whole.observation });
    assert.deepEqual(box, line.box);
    await ide.sandbox.call(dom.locate, { mark: tab.id, observation: some.observation });
    const foreign = ide.sandbox.call(dom.locate, { mark: line.id, observation: some.observation });
    await assert.rejects(foreign, refusal(ErrorCode.Stale));
  });

  it('clicks into the intended line', async () => {
    await ide.click(await ide.find('line', /return f/));
    const line = await ide.find('line', /return f/);
    await ide.until('the caret in the line', ({ caret }) => (caret?.y === line.box.y ? true : undefined));
    await ide.find('button', /^Ln 4, Col/);
  });

  slowIt('sets a breakpoint in the gutter and says so', async () => {
    await ide.click(await ide.find('treeitem', /app\.js/), 1, 2);
    await ide.find('line', /function f/);
    await ide.click(await ide.find('gutter', /^line 3$/));
    await ide.find('gutter', /^line 3 breakpoint/);
    await ide.click(await ide.find('tab', /^hello\.py/));
    await ide.find('line', /def greet/);
  });

  it('reads the command palette: input, value, rows', async () => {
    await ide.key('F1');
    await ide.find('option', /./);
    await ide.type('save all');
    const row = await ide.find('option', /File: Save All/);
    const { focus, caret, marks } = await ide.observeStill();
    assert.equal(focus?.value, '>save all');
    assert.ok(focus.editable && caret);
    assert.ok(caret.x > (focus.box?.x ?? 0) + 20);
    await checkClickable(marks.filter(({ role }) => role === 'option' || role === 'textbox'));
    assert.ok(row.box.width > 100);
    await ide.key('Escape');
    await ide.until('an end of the palette', ({ marks: left }) =>
      left.some(({ role }) => role === 'option') ? undefined : true,
    );
  });

  it('reads a context menu, which lives in a shadow tree and hides the marks below it', async () => {
    await ide.click(await ide.find('line', /return f/), 3);
    const item = await ide.find('menuitem', /^Cut/);
    const { marks } = await ide.observeStill();
    assert.equal(
      marks.some(({ role }) => role === 'line'),
      false,
    );
    await checkClickable(marks.filter(({ role }) => role === 'menuitem'));
    assert.ok(item.box.height > 10);
    await ide.key('Escape');
    await ide.find('line', /return f/);
  });

  slowIt('has a link that wraps over several lines', async () => {
    await ide.key('ctrl+shift+d');
    const link = await ide.find('button', /^create a launch\.json file/);
    await checkClickable([link]);
    await ide.key('ctrl+shift+e');
    await ide.find('treeitem', /^README/);
  });

  slowIt('reads a terminal', async () => {
    await ide.key('ctrl+grave');
    await ide.find('terminal line', /workspace#/);
    await ide.type('echo $((6 * 7))\n');
    await ide.find('terminal line', /^42$/);
    const { focus, caret } = await ide.observe();
    assert.ok(focus?.editable && caret, JSON.stringify({ focus, caret }));
  });

  slowIt('reads a notification', async () => {
    await ide.key('F1');
    await ide.type('show connection');
    await ide.click(await ide.find('option', /Show Connection/));
    const toast = await ide.until('the notification', ({ marks }) =>
      marks.find(({ name, box }) => /bridge|socket|\.sock/i.test(name) && box.y > 700),
    );
    await checkClickable([toast]);
  });

  it('refuses marks of older observations, and numbers that no mark has', async () => {
    const old = await ide.observe();
    const [mark] = old.marks;
    assert.ok(mark);
    const { observation } = await ide.observe();
    assert.equal(observation, old.observation + 1);
    const locate = (params: { mark: number; observation?: number }) => ide.sandbox.call(dom.locate, params);
    await assert.rejects(locate({ mark: mark.id, observation: old.observation }), refusal(ErrorCode.Stale));
    await assert.rejects(locate({ mark: 1_000_000 }), refusal(ErrorCode.NotFound));
    await locate({ mark: mark.id, observation });
  });

  it('can be glanced at without a new number, and marks shown to others stay valid', async () => {
    const { observation, marks } = await ide.observeStill();
    const [mark] = marks;
    assert.ok(mark);
    const glance = await ide.sandbox.call(dom.glance, { role: 'treeitem' });
    assert.ok(!('observation' in glance));
    assert.deepEqual(
      glance.marks,
      marks.filter(({ role }) => role === 'treeitem'),
    );
    await ide.sandbox.call(dom.locate, { mark: mark.id, observation });
    assert.equal((await ide.observe()).observation, observation + 1);
    await assert.rejects(ide.sandbox.call(dom.glance, { within: '[[' }), refusal(ErrorCode.InvalidParams));
  });

  it('refuses a mark whose element is covered or gone', async () => {
    const line = await ide.find('line', /return f/);
    await ide.key('F1');
    await ide.until('the palette to be there', ({ focus }) => (focus?.value === '>' ? true : undefined));
    await ide.key('Escape');
    await assert.rejects(
      ide.sandbox.call(dom.locate, { mark: line.id, observation: 1 }),
      refusal(ErrorCode.Stale),
    );
    const tab = await ide.find('tab', /^hello\.py/);
    await ide.key('ctrl+1');
    await ide.key('ctrl+k');
    await ide.key('w');
    await ide.until('no editor', ({ marks }) =>
      marks.some(({ role }) => role === 'line') ? undefined : true,
    );
    await assert.rejects(ide.sandbox.call(dom.locate, { mark: tab.id }), refusal(ErrorCode.Stale));
  });

  slowIt('still finds a line that was redrawn unchanged', async () => {
    await ide.click(await ide.find('treeitem', /app\.js/), 1, 2);
    await ide.click(await ide.find('line', /return a/));
    const line = await ide.find('line', /return a/);
    await ide.type('x');
    await ide.key('BackSpace');
    const { box } = await ide.sandbox.call(dom.locate, { mark: line.id });
    assert.deepEqual(box, line.box);
  });

  slowIt('keeps keys in the IDE that a browser would handle', async () => {
    await ide.key('ctrl+grave');
    await ide.find('terminal line', /workspace#/);
    const { url } = await ide.observe();
    for (const keys of [
      'F5',
      'F12',
      'ctrl+u',
      'ctrl+shift+i',
      'ctrl+h',
      'ctrl+o',
      'F7',
      'ctrl+shift+Delete',
    ]) {
      await ide.key(keys);
      const seen = await ide.observe();
      assert.ok(seen.workbench, `${keys} left the workbench`);
      assert.equal(seen.url, url);
      await ide.key('Escape');
    }
    await ide.type('echo $((7 * 6))\n');
    await ide.find('terminal line', /^42$/);
  });

  it('counts the marks it leaves out', async () => {
    const { marks, omitted } = await ide.sandbox.call(dom.observe, { limit: 3 });
    assert.equal(marks.length, 3);
    assert.ok(omitted > 10);
  });

  it('writes the page as a bounded tree', async () => {
    const whole = await ide.sandbox.call(dom.tree, { within: '.part.statusbar' });
    assert.match(whole.text, /No Problems/);
    assert.equal(whole.truncated, false);
    const shallow = await ide.sandbox.call(dom.tree, { within: '.part.statusbar', depth: 1 });
    const node = Number(/inside: node (\d+)$/m.exec(shallow.text)?.[1]);
    assert.ok(shallow.truncated && shallow.next === null);
    const below = await ide.sandbox.call(dom.tree, { node });
    assert.ok(below.elements > 1, below.text);
    const part = await ide.sandbox.call(dom.tree, { maxBytes: 500 });
    assert.ok(part.truncated && part.text.length < 700, part.text);
    await assert.rejects(
      ide.sandbox.call(dom.tree, { within: '.no-such-thing' }),
      refusal(ErrorCode.NotFound),
    );
    await assert.rejects(ide.sandbox.call(dom.tree, { within: '::??' }), refusal(ErrorCode.InvalidParams));
  });

  slowIt('continues numbering after a window reload, and refuses all earlier marks', async () => {
    const before = await ide.observe();
    const highest = Math.max(...before.marks.map(({ id }) => id));
    await ide.key('F1');
    await ide.type('reload window\n');
    const fresh = await ide.until('a fresh page', (seen) =>
      seen.marks.length > 10 && seen.marks.every(({ id }) => id > highest) ? seen : undefined,
    );
    assert.ok(fresh.observation > before.observation);
    const [mark] = before.marks;
    await assert.rejects(ide.sandbox.call(dom.locate, { mark: mark?.id ?? 0 }), refusal(ErrorCode.Stale));
    await ide.sandbox.ready({ signal: AbortSignal.timeout(60_000) });
  });
});
