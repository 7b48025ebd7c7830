import assert from 'node:assert/strict';
import sharp from 'sharp';
import { rebuilt } from '../../../bench/lib/rebuilt.ts';
import { mixedText } from '../../../bench/lib/text.ts';
import { dom, ide as ideMethods } from '../../../bridge/protocol/index.ts';
import { type ActionOutcome, type Observation, Session } from '../../../host/ide/index.ts';
import { onOneNode } from '../../support/each-node.ts';
import { Ide } from '../../support/ide-sandbox.ts';
import { everything, slowIt } from '../../support/slow.ts';

const plain = {
  '[plaintext]': {},
  'editor.autoClosingBrackets': 'never',
  'editor.autoClosingQuotes': 'never',
  'editor.autoSurround': 'never',
  'editor.autoIndent': 'none',
  'editor.quickSuggestions': false,
  'editor.suggestOnTriggerCharacters': false,
  'editor.acceptSuggestionOnCommitCharacter': false,
  'editor.tabCompletion': 'off',
  'editor.insertSpaces': false,
  'editor.detectIndentation': false,
  'editor.formatOnType': false,
  'editor.trimAutoWhitespace': false,
};

/** Files that no other test opens first. */
const fresh = Array.from({ length: 9 }, (_, i) => `fresh-${i + 1}.txt`);

onOneNode('effects of actions, in a real IDE', (open) => {
  let ide: Ide;
  let session: Session;
  const owned = new AsyncDisposableStack();
  const signal = () => AbortSignal.timeout(90_000);

  before(async () => {
    ide = owned.use(
      await Ide.start(open, {
        'plain.txt': 'what was there before\n',
        'code.ts': 'function f() {\n}\n',
        'code.py': '',
        'two.ts': 'function first() {\n}\nfunction second() {\n}\n',
        ...Object.fromEntries(fresh.map((name) => [name, ''])),
        'long.txt': Array.from({ length: 500 }, (_, i) => `line ${i + 1}\n`).join(''),
        '.vscode/settings.json': JSON.stringify({ '[plaintext]': plain }),
      }),
    );
    session = owned.use(new Session(ide.sandbox, { settleCapMs: 20_000 }));
    await session.settle({ signal: signal() });
    await session.observe({ signal: signal() });
  });
  after(() => owned.disposeAsync());

  async function step(
    ...lines: string[]
  ): Promise<{ outcomes: readonly ActionOutcome[]; observation: Observation }> {
    const { observation, info } = await session.step(lines, { signal: signal() });
    return { outcomes: info.outcomes, observation };
  }

  async function one(line: string): Promise<ActionOutcome> {
    const [outcome] = (await step(line)).outcomes;
    assert.ok(outcome);
    return outcome;
  }

  /** Uses the quick pick, as a person would. */
  async function openFile(name: string): Promise<void> {
    await step('xdotool key ctrl+p');
    await step(`xdotool type ${name}`);
    const { effect, evidence } = await one('xdotool key Return');
    assert.equal(effect, 'confirmed', evidence);
    await ide.until(name, ({ title }) => (title.includes(name) ? true : undefined));
  }

  async function sideBar() {
    const { layout } = await ide.sandbox.call(dom.probe, {}, { signal: signal() });
    const part = layout.find(({ name }) => name === 'side bar');
    assert.ok(part);
    return part.box;
  }

  async function markOf(role: string, name: RegExp): Promise<number> {
    const { marks } = await session.observe({ signal: signal() });
    const found = marks.find((mark) => mark.role === role && name.test(mark.name));
    assert.ok(found, marks.map((mark) => `${mark.role} ${mark.name}`).join(' | '));
    return found.id;
  }

  async function text(): Promise<string> {
    const { editor } = await ide.sandbox.call(
      ideMethods.editor,
      { includeText: true, current: true },
      { signal: signal() },
    );
    return editor?.text ?? '';
  }

  slowIt(
    'plays the batches of two sessions one after the other, and confirms each by its own effect',
    async () => {
      await openFile('fresh-9.txt');
      using other = new Session(ide.sandbox, { settleCapMs: 20_000 });
      const [a, b] = await Promise.all(
        [session, other].map(async (one, at) => {
          const line = `xdotool type ${(at === 0 ? 'a' : 'b').repeat(40)}`;
          return (await one.step(line, { signal: signal() })).info.outcomes[0];
        }),
      );
      for (const [outcome, mine] of [
        [a, 'a'],
        [b, 'b'],
      ] as const) {
        assert.equal(outcome?.effect, 'confirmed', outcome?.evidence);
        assert.doesNotMatch(outcome?.evidence ?? '', mine === 'a' ? /bb/ : /aa/);
      }
      assert.match(await text(), /^(a{40}b{40}|b{40}a{40})$/);
    },
  );

  slowIt('types any text exactly where the editor changes nothing', async () => {
    await openFile('plain.txt');
    for (const seed of everything ? [11, 12, 13, 14, 15] : [11]) {
      const sent = mixedText(seed, 1000);
      await step('xdotool key ctrl+a Delete');
      const line = { action: 'type', text: sent };
      const outcome = await one(JSON.stringify(line));
      assert.equal(outcome.effect, 'confirmed', outcome.evidence);
      assert.deepEqual(outcome.typed?.differences, [], outcome.evidence);
      assert.equal(await text(), sent);
    }
  });

  slowIt('reports every difference when the editor closes brackets, indents and suggests', async () => {
    await openFile('code.ts');
    await step('xdotool key ctrl+Home End');
    const before = await text();
    const sent = '\nconst a = [1, (2\nif (a) {\nfoo("x\nconsole.l\n';
    const outcome = await one(JSON.stringify({ type: 'type', text: sent }));
    const { typed } = outcome;
    assert.ok(typed && typed.differences.length > 0, outcome.evidence);
    assert.equal(rebuilt(before, sent, typed), await text(), outcome.evidence);
  });

  // Python: characters at random can keep the regular expressions of other grammars busy for minutes.
  slowIt('reports every difference for any text there', async () => {
    await openFile('code.py');
    for (const seed of everything ? [21, 22] : [21]) {
      await step('xdotool key ctrl+a Delete');
      const before = await text();
      const sent = mixedText(seed, 500);
      const { typed, evidence } = await one(JSON.stringify({ action: 'type', text: sent }));
      assert.ok(typed && typed.differences.length > 0, evidence);
      assert.equal(rebuilt(before, sent, typed), await text(), evidence);
    }
  });

  it('judges each action of a batch separately', async () => {
    await openFile('plain.txt');
    const { outcomes } = await step(
      'xdotool key ctrl+a Delete',
      `xdotool type 'first (line'`,
      'xdotool key Home',
      `xdotool type 'second '`,
      'xdotool key ctrl+s',
    );
    assert.deepEqual(
      outcomes.map(({ effect }) => effect),
      Array.from({ length: 5 }, () => 'confirmed'),
      outcomes.map(({ evidence }) => evidence).join('\n'),
    );
    assert.match(outcomes[1]?.evidence ?? '', /plain\.txt 1:1: all 11 characters landed/);
    assert.match(outcomes[2]?.evidence ?? '', /cursor at 1:1/);
    assert.match(outcomes[3]?.evidence ?? '', /plain\.txt 1:1: all 7 characters landed/);
    assert.match(outcomes[4]?.evidence ?? '', /saved/);
  });

  it('refuses NUL and half a surrogate pair, naming their place, and types nothing', async () => {
    const before = await text();
    const { outcomes } = await step(JSON.stringify({ type: 'type', text: 'ab\u0000c' }));
    assert.equal(outcomes[0]?.effect, 'refused');
    assert.match(outcomes[0].evidence, /U\+0000 at position 3/);
    assert.match(
      (await one(JSON.stringify({ type: 'type', text: 'ab\ud800' }))).evidence,
      /U\+D800 at position 3/,
    );
    assert.equal(await text(), before);
  });

  slowIt('judges the wheel by the scroll position, and says when the end is reached', async () => {
    await openFile('long.txt');
    const scroll = (direction: string) =>
      one(
        JSON.stringify({
          action: 'scroll',
          coordinate: [900, 400],
          scroll_direction: direction,
          scroll_amount: 5,
        }),
      );
    const down = await scroll('down');
    assert.equal(down.effect, 'confirmed', down.evidence);
    assert.match(down.evidence, /scrolled down by \d+ pixels/);
    await scroll('up');
    await ide.observeStill();
    await session.observe({ signal: signal() });
    const end = await scroll('up');
    assert.equal(end.effect, 'no-effect', end.evidence);
  });

  it('reports what a drag selected and the effect of a key', async () => {
    await openFile('long.txt');
    const drag = { action: 'left_click_drag', start_coordinate: [500, 200], coordinate: [700, 300] };
    const outcome = await one(JSON.stringify(drag));
    assert.match(outcome.evidence, /selected \d+:\d+ to \d+:\d+/);
    assert.match((await one('xdotool key ctrl+End')).evidence, /cursor at 501:1/);
    assert.equal((await one('xdotool key Escape Shift_L')).effect, 'no-effect');
  });

  it('reads typed text back from a terminal', async () => {
    await step('xdotool key ctrl+grave');
    await ide.until('a prompt', ({ focus }) => (focus?.name.startsWith('Terminal') ? true : undefined));
    await session.settle({ signal: signal() });
    await session.observe({ signal: signal() });
    const typed = await one(`xdotool type 'echo grüße 世界'`);
    assert.equal(typed.effect, 'confirmed', typed.evidence);
    assert.match(typed.evidence, /the terminal shows all 13 characters/);
    const { outcomes } = await step('xdotool key Return');
    assert.match(outcomes[0]?.evidence ?? '', /the terminal shows/);
    await step('xdotool key ctrl+grave');
  });

  slowIt('reads typed text back from a field', async () => {
    await step('xdotool key F1');
    const outcome = await one(`xdotool type 'Toggle Zen'`);
    assert.match(outcome.evidence, /all 10 characters landed/);
    assert.equal(outcome.typed?.where, 'field');
    await step('xdotool key Escape');
  });

  slowIt("judges text typed over a selection in a search box by the box's content", async () => {
    await step('xdotool key ctrl+comma');
    await ide.until('the search box', ({ focus }) => focus?.editable || undefined);
    const over = async (words: string) =>
      (await step('xdotool key ctrl+a', `xdotool type '${words}'`)).outcomes[1];
    const first = await over('minimap');
    assert.equal(first?.effect, 'confirmed', first?.evidence);
    const other = await over('font size');
    assert.equal(other?.effect, 'confirmed', other?.evidence);
    assert.deepEqual([other?.typed?.replaced, other?.typed?.differences], ['minimap', []]);
    const same = await over('font size');
    assert.equal(same?.effect, 'confirmed', same?.evidence);
    assert.deepEqual([same?.typed?.replaced, same?.typed?.differences], ['font size', []]);
    await step('xdotool key ctrl+w');
  });

  slowIt('judges clicks by what they hit, and reports its new state', async () => {
    await openFile('plain.txt');
    await step('xdotool key ctrl+comma');
    await ide.until('the search box', ({ focus }) => focus?.editable || undefined);
    const { observation } = await step("xdotool type '@id:editor.links'");
    const of = (role: string) =>
      observation.marks.find((mark) => mark.role === role && /links/i.test(mark.name));
    const ticked = await one(`click [${of('checkbox')?.id ?? 0}]`);
    assert.equal(ticked.effect, 'confirmed', ticked.evidence);
    assert.match(
      ticked.evidence,
      /^checkbox ".*" is now not checked; (setting editor\.links = false|VS Code has not written the setting)/,
    );
    const search = observation.marks.find(({ value }) => value === '@id:editor.links');
    const again = await one(`click [${search?.id ?? 0}]`);
    assert.equal(again.effect, 'confirmed', again.evidence);
    assert.match(again.evidence, /^focus is in /);
    await step('xdotool key Escape');
    const { outcomes } = await step('xdotool mousemove 900 400 click 1');
    assert.deepEqual(
      [outcomes[0]?.effect, /focus is in textbox/.test(outcomes[0]?.evidence ?? '')],
      ['confirmed', true],
    );
  });

  slowIt('judges text that a number field already holds by the selection', async () => {
    await step('xdotool key ctrl+comma');
    await ide.until('the search box', ({ focus }) => focus?.editable || undefined);
    await step("xdotool type '@id:files.autoSaveDelay'");
    await step('xdotool key Down');
    await step('xdotool key Return');
    const { outcomes } = await step('xdotool key ctrl+a', "xdotool type '1000'");
    assert.equal(outcomes[1]?.effect, 'confirmed', outcomes[1]?.evidence);
    await step('xdotool key Escape');
  });

  it("plays no action of a batch if a later one can't be parsed", async () => {
    await openFile('plain.txt');
    const before = await text();
    const { outcomes } = await step("xdotool type 'never'", 'click [12', 'xdotool key Return');
    assert.deepEqual(
      outcomes.map(({ effect, evidence }) => [effect, evidence.split(':')[0]]),
      [
        ['refused', 'not played'],
        ['refused', 'no action'],
      ],
    );
    assert.equal(await text(), before);
  });

  slowIt('stops a batch whose text does not land, unless it is to continue', async () => {
    await step('xdotool key ctrl+comma');
    await ide.until('the search box', ({ focus }) => focus?.editable || undefined);
    await step("xdotool type '@id:files.autoSaveDelay'");
    await step('xdotool key Down');
    await step('xdotool key Return');
    // A number field takes no letters.
    const typed = ['xdotool key ctrl+a', 'xdotool keydown shift', "xdotool type 'xyz'"];
    const lines = [...typed, 'xdotool keyup shift', 'xdotool key ctrl+w'];
    const stopped = await session.step(lines, { signal: signal() });
    assert.deepEqual([stopped.info.outcomes.length, stopped.info.skipped.length], [3, 2]);
    assert.match(stopped.info.outcomes[2]?.evidence ?? '', /the batch stopped: the text did not land/);
    // With the shift key down, this would be no number.
    const number = await step('xdotool key ctrl+a', "xdotool type '7'");
    assert.equal(number.outcomes[1]?.effect, 'confirmed', number.outcomes[1]?.evidence);
    const { info } = await session.step(lines, { force: true, signal: signal() });
    assert.deepEqual([info.outcomes.length, info.skipped.length], [5, 0]);
    assert.ok(!info.outcomes.some(({ evidence }) => evidence.includes('stopped')));
  });

  slowIt('plays nothing of a batch if a later action names a key or place that does not exist', async () => {
    await openFile('plain.txt');
    const before = await text();
    for (const [wrong, word] of [
      ['xdotool key Foo', /unknown key 'Foo'/],
      ['xdotool mousemove 5000 1', /\(5000, 1\) is off the screen/],
    ] as const) {
      const { outcomes } = await step("xdotool type 'never'", wrong);
      assert.deepEqual(
        outcomes.map(({ effect }) => effect),
        ['refused', 'refused'],
      );
      assert.match(outcomes[1]?.evidence ?? '', word);
    }
    assert.equal(await text(), before);
  });

  slowIt('opens the intended file every time when quick open, its name and Return are one step', async () => {
    let shape = 0;
    const openAtOnce = async (name: string) => {
      const shapes = [
        ['xdotool key ctrl+p', `xdotool type ${name}`, 'xdotool key Return'],
        [`xdotool key ctrl+p && xdotool type ${name} && xdotool key Return`],
        ['xdotool key ctrl+p', JSON.stringify({ action: 'type', text: `${name}\n` })],
      ];
      shape += 1;
      const { outcomes } = await step(...(shapes[shape % shapes.length] ?? []));
      const said = outcomes.map(({ effect, evidence }) => `${effect}: ${evidence}`).join('\n');
      const { editor } = await ide.sandbox.call(ideMethods.editor, { current: true }, { signal: signal() });
      assert.equal(editor?.uri.split('/').at(-1), name, said);
    };
    // Names that VS Code has to search for: it remembers those of files that were open before.
    const { id } = await ide.sandbox.checkpoint({ name: 'quick open', signal: signal() });
    for (const name of fresh) await openAtOnce(name);
    for (const name of fresh.slice(0, 3)) {
      await session.restore(id, { signal: signal() });
      await openAtOnce(name);
    }
  });

  slowIt('opens a file at the line, or at the symbol, that is typed after its name', async () => {
    const placeOf = async (...lines: string[]) => {
      const { outcomes } = await step(...lines);
      const { editor } = await ide.sandbox.call(ideMethods.editor, { current: true }, { signal: signal() });
      const line = (editor?.selections[0]?.active.line ?? -1) + 1;
      const said = outcomes.map(({ effect, evidence }) => `${effect}: ${evidence}`).join('\n');
      return { place: `${editor?.uri.split('/').at(-1)}:${line}`, said };
    };
    const byLine = await placeOf('xdotool key ctrl+p && xdotool type long.txt:123', 'xdotool key Return');
    assert.equal(byLine.place, 'long.txt:123', byLine.said);
    await openFile('plain.txt');
    const bySymbol = await placeOf('xdotool key ctrl+p', 'xdotool type two.ts@second', 'xdotool key Return');
    assert.equal(bySymbol.place, 'two.ts:3', bySymbol.said);
  });

  slowIt('says that text landed at each of several cursors', async () => {
    await openFile('plain.txt');
    await step(
      'xdotool key ctrl+a',
      "xdotool type 'ab ab ab'",
      'xdotool key Home',
      'xdotool key ctrl+shift+l',
    );
    const typed = await one("xdotool type 'xy'");
    assert.deepEqual(
      [typed.effect, typed.evidence],
      ['confirmed', 'editor plain.txt: all 2 characters landed at each of 3 cursors'],
    );
    await step('xdotool key Escape');
  });

  slowIt('types into the input that a palette command opens, not into the editor beside it', async () => {
    await openFile('code.ts');
    const before = await text();
    const palette = ['key F1', "type 'Debug: Add Logpoint...'", 'key Return'];
    const shapes = [
      (words: string) => [...palette.map((line) => `xdotool ${line}`), `xdotool type '${words}'`],
      (words: string) => [[...palette, `type '${words}'`].map((line) => `xdotool ${line}`).join(' && ')],
    ];
    for (let i = 0; i < 6; i += 1) {
      const words = `message ${i}`;
      const { outcomes } = await step(...(shapes[i % shapes.length]?.(words) ?? []));
      const said = outcomes.map(({ effect, evidence }) => `${effect}: ${evidence}`).join('\n');
      assert.equal(await text(), before, said);
      const { observation } = await step('xdotool key shift+Tab', 'xdotool key Tab');
      assert.equal(observation.focus?.value, words, said);
      await step('xdotool key Escape');
    }
  });

  slowIt('types a path into a file dialog so that it is accepted, alone or in a batch', async () => {
    const files = async () => {
      const spec = { cwd: '/workspace', env: {}, timeoutMs: 10_000, maxOutputBytes: 10_000 };
      return (await ide.sandbox.exec({ argv: ['ls'], ...spec }, { signal: signal() })).stdout;
    };
    const isOpen = async (name: string, said: readonly ActionOutcome[]) => {
      const { editor } = await ide.sandbox.call(ideMethods.editor, { current: true }, { signal: signal() });
      assert.equal(editor?.uri.split('/').at(-1), name, said.map(({ evidence }) => evidence).join('\n'));
    };
    for (const name of ['code.py', 'long.txt', 'code.ts']) {
      await step('xdotool key ctrl+o');
      await step('xdotool key ctrl+a', `xdotool type /workspace/${name}`);
      await isOpen(name, (await step('xdotool key Return')).outcomes);
    }
    const lines = ['xdotool key ctrl+o', 'xdotool key ctrl+a', 'xdotool type /workspace/plain.txt'];
    await isOpen('plain.txt', (await step(...lines, 'xdotool key Return')).outcomes);
    const before = await text();
    // The dialog fills in a default path a moment after it opens.
    for (const name of ['copy.txt', 'copy-2.txt', 'copy-3.txt', 'copy-4.txt']) {
      const { outcomes } = await step(
        'xdotool key ctrl+shift+s',
        'xdotool key ctrl+a',
        `xdotool type '/workspace/${name}\n'`,
      );
      const said = outcomes.map(({ evidence }) => evidence).join('\n');
      assert.ok((await files()).split('\n').includes(name), said);
      assert.equal(await text(), before);
    }
  });

  it('judges bars, borders and menus by which parts of the window are shown, and where', async () => {
    const says = async (line: string, words: RegExp) => {
      const { effect, evidence } = await one(line);
      assert.deepEqual([effect, words.test(evidence)], ['confirmed', true], `${line}: ${evidence}`);
    };
    await says('xdotool key ctrl+b', /the side bar is hidden now/);
    await says('xdotool key ctrl+b', /the side bar is shown now/);
    const box = await sideBar();
    const border = Math.round(box.x + box.width);
    const drag = { start_coordinate: [border, 500], coordinate: [border + 80, 500] };
    const dragged = JSON.stringify({ action: 'left_click_drag', ...drag });
    await says(dragged, /the side bar is \d+x\d+ now, was \d+x\d+/);
    const { observation } = await step(`click [${await markOf('menuitem', /^Application Menu/)}]`);
    assert.ok(observation.marks.some(({ role, name }) => role === 'menuitem' && name.startsWith('File')));
    await says('xdotool key Escape', /the menu is hidden now/);
    await says('xdotool key ctrl+comma', /^(?!.*editor group).*the modal editor is shown now/);
    await says('xdotool key Escape', /^(?!.*editor group).*the modal editor is hidden now/);
  });

  slowIt('confirms a tab that is dragged within its group, and a click on the minimap', async () => {
    await openFile('two.ts');
    await openFile('long.txt');
    const { marks } = await session.observe({ signal: signal() });
    const tabs = marks.filter(({ role }) => role === 'tab').map(({ box }) => box);
    const inEditor = tabs.filter(({ y }) => y === Math.min(...tabs.map((box) => box.y)));
    const [first, last] = [inEditor.at(0), inEditor.at(-1)];
    assert.ok(first && last && first.x < last.x);
    const middle = ({ x, y, width, height }: typeof first) => [
      Math.round(x + width / 2),
      Math.round(y + height / 2),
    ];
    const dragged = await one(
      JSON.stringify({
        action: 'left_click_drag',
        start_coordinate: middle(last),
        coordinate: [Math.round(first.x + 8), middle(first)[1]],
      }),
    );
    assert.deepEqual(
      [dragged.effect, /the tab \S+ is before \S+ now/.test(dragged.evidence)],
      ['confirmed', true],
      dragged.evidence,
    );
    await openFile('long.txt');
    const minimap = marks.find(({ role }) => role === 'minimap');
    assert.ok(minimap);
    const { x, y, width } = minimap.box;
    const clicked = await one(`xdotool mousemove ${Math.round(x + width / 2)} ${y + 600} click 1`);
    assert.deepEqual(
      [clicked.effect, /the editor shows from line \d+ on/.test(clicked.evidence)],
      ['confirmed', true],
      clicked.evidence,
    );
  });

  slowIt('names the entry that Return took', async () => {
    for (const state of ['hidden', 'shown']) {
      const { outcomes } = await step(
        'xdotool key F1',
        "xdotool type 'View: Toggle Status Bar Visibility'",
        'xdotool key Return',
      );
      const { effect, evidence } = outcomes[2] ?? {};
      assert.equal(effect, 'confirmed', evidence);
      const says = new RegExp(`^took "View: Toggle Status Bar.*the status bar is ${state} now`);
      assert.match(evidence ?? '', says);
    }
  });

  slowIt('confirms the key that saves only by what was saved', async () => {
    await openFile('code.py');
    await step("xdotool type 'a = 1'");
    const saved = await one('xdotool key ctrl+s');
    assert.deepEqual(
      [saved.effect, /saved code\.py/.test(saved.evidence)],
      ['confirmed', true],
      saved.evidence,
    );
    // A language server may draw something meanwhile, which is not the key's effect.
    const again = await one('xdotool key ctrl+s');
    assert.match(again.evidence, /code\.py had no changes to save/);
    assert.notEqual(again.effect, 'confirmed');
  });

  it('shows a part of the screen pixel for pixel, as earlier actions of the batch left it', async () => {
    const zoom = (region: readonly number[]) => JSON.stringify({ action: 'zoom', region });
    const { outcomes, observation } = await step('xdotool key F1', zoom([600, 0, 1320, 100]));
    const [, outcome] = outcomes;
    assert.equal(outcome?.effect, 'confirmed', outcome?.evidence);
    const own = { left: 600, top: 0, width: 720, height: 100 };
    const shown = await sharp(outcome.images?.[0]?.bytes).raw().toBuffer({ resolveWithObject: true });
    assert.deepEqual([shown.info.width, shown.info.height], [720, 100]);
    assert.deepEqual(shown.data, await sharp(observation.screen.bytes).extract(own).raw().toBuffer());
    await step('xdotool key Escape');
    assert.equal((await one(zoom([1920, 0, 1930, 10]))).effect, 'refused');
  });

  it('releases what a batch held when it fails', async () => {
    const { outcomes } = await step('xdotool keydown shift', 'click [999]');
    assert.equal(outcomes[1]?.effect, 'refused');
    await openFile('plain.txt');
    await step('xdotool key ctrl+a Delete');
    await step('xdotool type abc');
    assert.equal(await text(), 'abc');
  });
});
