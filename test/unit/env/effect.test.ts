import assert from 'node:assert/strict';
import type { DomProbe, Editor, Focus, Pressed } from '../../../bridge/protocol/index.ts';
import type { TriedAction } from '../../../host/ide/actions/action-plan.ts';
import { deriveIntent } from '../../../host/ide/actions/input-intent.ts';
import type { Evidence } from '../../../host/ide/effect/evidence.ts';
import { judgeAction } from '../../../host/ide/effect/judge-action.ts';
import type { InputCommand } from '../../../host/node/index.ts';

const page: DomProbe = {
  workbench: true,
  keyboard: true,
  focus: null,
  element: 1,
  surface: null,
  terminal: null,
  selected: '',
  pressed: null,
  scroll: [],
  changes: 0,
  keys: 0,
  drag: { presses: 0, away: false, held: false, on: false, over: null, overs: 0, ended: 0 },
  dialog: null,
  state: {},
  messages: [],
  pending: null,
  setting: false,
  paced: null,
  modal: null,
  layout: [],
  tabs: [],
  accepted: null,
  loadedAt: 1,
};
const still: Evidence = {
  page,
  scroll: new Map(),
  editor: null,
  events: undefined,
  pointer: { x: 0, y: 0 },
  changed: null,
};
const changed = { x: 8, y: 96, width: 312, height: 40 };
const key = played({ kind: 'key', keys: ['Return'], action: 'press', delayMs: 0 });
const click = played({ kind: 'button', button: 1, action: 'click', repeat: 1, delayMs: 0 });
const type = played({ kind: 'type', text: 'abc', delayMs: 0 });

function played(...input: readonly InputCommand[]): Extract<TriedAction, { kind: 'played' }> {
  const action = { kind: 'xdotool', line: 'xdotool key Return' } as const;
  return { kind: 'played', action, intent: deriveIntent([{ input }]), output: undefined };
}

function editor(text: string, changes: Partial<Editor> = {}): Editor {
  const document = { uri: 'file:///w/a.txt', language: 'plaintext', version: text.length, dirty: true };
  const rest = { lines: 1, truncated: false, endOfLine: '\n', selections: [], visible: [] } as const;
  return { ...document, ...rest, selections: [], visible: [], text, ...changes };
}

function field(value: string): Focus {
  return { role: 'textbox', name: 'input', editable: true, value };
}

function seen(changes: Partial<DomProbe>, rest: Partial<Evidence> = {}): Evidence {
  return { ...still, ...rest, page: { ...page, ...changes } };
}

/** Effect and evidence of a single action. */
function judged(act: TriedAction, before: Evidence, after: Evidence): [string, string] {
  const { effect, evidence } = judgeAction(act, { before, after });
  return [effect, evidence];
}

describe('effectOf: the effect of an action', () => {
  it('is refused with the reason', () => {
    assert.deepEqual(judged({ kind: 'refused', action: key.action, why: 'unknown key Foo' }, still, still), [
      'refused',
      'unknown key Foo',
    ]);
  });

  it('is no-effect when neither screen nor focus changed', () => {
    assert.equal(judged(key, still, still)[0], 'no-effect');
  });

  it('names the dialog that kept a key from its command', () => {
    const within = seen({ modal: 'Settings' });
    const command = played({ kind: 'key', keys: ['F1'], action: 'press', delayMs: 0 });
    assert.deepEqual(judged(command, within, within), [
      'no-effect',
      'neither the screen nor the focus changed: "Settings" lies over the window and takes the keys',
    ]);
  });

  it('is unverifiable if only the screen changed, and says where', () => {
    assert.deepEqual(judged(key, still, { ...still, changed }), [
      'unverifiable',
      'screen changed in 312x40 at (8, 96)',
    ]);
  });

  it("reports a key's effect on the editor", () => {
    const at = (line: number) => ({ line, character: 0 });
    const cursor = (line: number) => editor('x', { selections: [{ anchor: at(line), active: at(line) }] });
    const after = { ...still, editor: cursor(4) };
    assert.deepEqual(judged(key, { ...still, editor: cursor(1) }, after), ['confirmed', 'cursor at 5:1']);
    const saved = { ...still, editor: editor('x', { dirty: false }) };
    assert.deepEqual(judged(key, { ...still, editor: editor('x') }, saved), ['confirmed', 'it is saved']);
  });

  describe('by changes that the action could have caused', () => {
    const lines = (from: number, to: number) => [
      { start: { line: from, character: 0 }, end: { line: to, character: 0 } },
    ];
    const press = (...names: string[]) => played({ kind: 'key', keys: names, action: 'press', delayMs: 0 });
    const drag = played(
      { kind: 'button', button: 1, action: 'down', repeat: 1, delayMs: 0 },
      { kind: 'move', x: 90, y: 9, relative: false },
      { kind: 'button', button: 1, action: 'up', repeat: 1, delayMs: 0 },
    );
    const shell = (...terminal: string[]) => seen({ surface: 'terminal', terminal });
    const dirty = { ...still, editor: editor('x') };

    it('the key that saves: by something that was saved', () => {
      const renamed = { ...still, editor: editor('xyz') };
      assert.deepEqual(judged(press('ctrl', 's'), dirty, renamed), [
        'unverifiable',
        "a.txt is not saved; the editor's text changed",
      ]);
      assert.equal(judged(press('ctrl', 's'), dirty, dirty)[0], 'no-effect');
      const saved = { ...still, editor: editor('x', { dirty: false }) };
      assert.equal(judged(press('ctrl', 's'), dirty, saved)[0], 'confirmed');
    });

    it('the lines in view: not by fewer lines', () => {
      const shows = (from: number, to: number) => ({
        ...still,
        editor: editor('x', { visible: lines(from, to) }),
      });
      assert.equal(judged(key, shows(10, 60), shows(10, 30))[0], 'no-effect');
      assert.deepEqual(judged(key, shows(10, 60), shows(11, 61)), [
        'confirmed',
        'the editor shows from line 12 on',
      ]);
    });

    it('a terminal: by a new row, and not of a drag', () => {
      assert.deepEqual(judged(key, shell('$', ''), shell('$ ls', 'a.txt')), [
        'confirmed',
        'the terminal shows "a.txt"',
      ]);
      assert.equal(judged(drag, shell('$', ''), shell('$ ls', 'a.txt'))[0], 'unverifiable');
      assert.equal(judged(key, shell('$', 'x'), shell('x', '$', ''))[0], 'no-effect');
    });

    it('a drag: not only by the focus that a press moves', () => {
      const focused = seen({ focus: field('') });
      assert.equal(judged(drag, still, focused)[0], 'unverifiable');
      const side = (width: number) =>
        seen({ layout: [{ name: 'side bar', box: { x: 48, y: 0, width, height: 900 } }] });
      assert.deepEqual(judged(drag, side(250), side(330)), [
        'confirmed',
        'the side bar is 330x900 now, was 250x900',
      ]);
    });

    it('keys that move a cursor: not by text', () => {
      assert.equal(judged(press('Down'), dirty, { ...still, editor: editor('xyz') })[0], 'unverifiable');
    });

    it('Return in a list: by the entry that it took', () => {
      const took = seen({ accepted: { count: 1, name: 'Toggle Zen Mode' }, focus: field('') });
      assert.match(judged(key, still, took)[1], /^took "Toggle Zen Mode"; focus moved/);
    });

    it('a tab moved within its group: by the order of the tabs', () => {
      const tabs = (...groups: string[][]) => seen({ tabs: groups });
      const before = tabs(['a.txt', 'b.txt', 'c.txt'], ['d.txt']);
      const moved = (...groups: string[][]) => judged(drag, before, tabs(...groups));
      assert.deepEqual(moved(['c.txt', 'a.txt', 'b.txt'], ['d.txt']), [
        'confirmed',
        'the tab c.txt is before a.txt now',
      ]);
      assert.match(
        moved(['b.txt', 'c.txt', 'a.txt'], ['d.txt'])[1],
        /^the tab a\.txt is the last of its group now/,
      );
      assert.match(
        moved(['c.txt', 'b.txt', 'a.txt'], ['d.txt'])[1],
        /^the tabs are c\.txt, b\.txt, a\.txt now/,
      );
      assert.equal(moved(['a.txt', 'b.txt', 'c.txt'], ['d.txt'])[0], 'no-effect');
    });

    it('a tab opened in another group and closed in its own: as moved', () => {
      const events = (...recent: readonly { number: number; what: 'opened' | 'closed'; name: string }[]) => ({
        ...still,
        events: { count: recent.length, recent: [...recent], commands: [], saving: [], unwritten: [] },
      });
      const after = events(
        { number: 1, what: 'opened', name: 'a.py' },
        { number: 2, what: 'closed', name: 'a.py' },
      );
      assert.deepEqual(judged(drag, events(), after), ['confirmed', 'moved a.py']);
    });
  });

  it('is unverifiable when the page changed invisibly', () => {
    assert.equal(judged(key, still, seen({ changes: 3 }))[0], 'unverifiable');
  });

  it("is unverifiable when typed text went where it can't be read", () => {
    assert.equal(judged(type, still, { ...still, changed })[0], 'unverifiable');
  });

  it('says that typed text may still arrive while the page does not answer', () => {
    const stuck = { ...still, page: undefined, editor: undefined, changed };
    const [effect, evidence] = judged(type, still, stuck);
    assert.equal(effect, 'unverifiable');
    assert.match(evidence, /the page does not answer: its text may still be arriving$/);
  });

  it('reports every change to text typed into an editor', () => {
    const before = { ...still, editor: editor('x\n') };
    const after = seen({ surface: 'editor' }, { editor: editor('x\nab(c)') });
    const outcome = judgeAction(played({ kind: 'type', text: 'ab(c', delayMs: 0 }), { before, after });
    assert.equal(outcome.effect, 'confirmed');
    assert.match(
      outcome.evidence,
      /^editor a\.txt 2:1: all 4 characters landed; the IDE added 1; added "\)" at 4$/,
    );
    assert.deepEqual(outcome.typed?.differences, [{ at: 4, missing: '', added: ')' }]);
  });

  describe('at several cursors', () => {
    const at = (line: number, from: number, to: number) => ({
      anchor: { line, character: from },
      active: { line, character: to },
    });
    // A forward, a backward and an empty selection; not in document order.
    const selections = [at(1, 1, 0), at(0, 0, 1), at(2, 1, 1)];
    const before = { ...still, editor: editor('xy\r\nxy\r\nxy\r\n', { selections, endOfLine: '\r\n' }) };
    const typed = (text: string) =>
      judged(type, before, seen({ surface: 'editor' }, { editor: editor(text) }));

    it('lands at each of them', () => {
      assert.deepEqual(typed('abcy\r\nabcy\r\nxabcy\r\n'), [
        'confirmed',
        'editor a.txt: all 3 characters landed at each of 3 cursors',
      ]);
    });

    it('is not reported at each of them if one lacks it, or more changed', () => {
      assert.doesNotMatch(typed('abcy\r\nxy\r\nxabcy\r\n')[1], /each/);
      assert.doesNotMatch(typed('abcy\r\nabcy\r\nxabcy\r\n\r\n')[1], /each/);
    });
  });

  it('is no-effect when the focused editor did not take the text', () => {
    const evidence = seen({ surface: 'editor' }, { editor: editor('x') });
    assert.equal(judged(type, evidence, { ...evidence, changed })[0], 'no-effect');
  });

  describe('if a field has opened meanwhile', () => {
    const before = seen({ surface: 'editor' }, { editor: editor('x') });
    const field2 = { surface: 'field', element: 2, focus: field('') } as const;
    const after = (text: string) => seen(field2, { editor: editor(text) });

    it('is in the editor, if that had the focus when it was typed', () => {
      assert.deepEqual(judged(type, before, after('xabc')), [
        'confirmed',
        'editor a.txt 1:2: all 3 characters landed',
      ]);
    });

    it('is nowhere, if neither holds it', () => {
      assert.equal(judged(type, before, after('x'))[0], 'no-effect');
    });

    it("is unverifiable, if the editor can't be read", () => {
      assert.equal(judged(type, before, seen(field2, { editor: undefined }))[0], 'unverifiable');
    });
  });

  it('is partial when only part of it is in the focused field', () => {
    const after = seen({ surface: 'field', focus: field('ab') }, { changed });
    const [effect, evidence] = judged(type, seen({ surface: 'field', focus: field('') }), after);
    assert.equal(effect, 'partial');
    assert.match(evidence, /2 of 3 characters landed; missing "c" at 2/);
  });

  describe('in a terminal', () => {
    const shows = (...rows: string[]) => seen({ surface: 'terminal', terminal: rows });
    const echo = played({ kind: 'type', text: 'echo  hi there\n', delayMs: 0 });

    it("is confirmed when its rows show the text, even across a row's end", () => {
      const after = shows('root# echo  hi', 'there', 'hi there', 'root#');
      assert.equal(judged(echo, shows('root#'), after)[0], 'confirmed');
    });

    it('is partial when they show its beginning', () => {
      assert.deepEqual(judged(echo, shows('root#'), shows('root# echo  h')), [
        'partial',
        'the terminal shows "echoh" of "echohithere"',
      ]);
    });

    it('is unverifiable when they show something else, no-effect when they are unchanged', () => {
      assert.equal(judged(echo, shows('Password:'), shows('Password:', 'Sorry'))[0], 'unverifiable');
      assert.equal(judged(echo, shows('root#'), shows('root#'))[0], 'no-effect');
    });

    it('is unverifiable if the screen has scrolled, except for a beginning at the cursor', () => {
      const before = shows('root# echo hi there', 'hi there', 'root#');
      const again = shows('hi there', 'more', 'root# echo hi there', 'hi there', 'root#');
      assert.deepEqual(judged(echo, before, again), [
        'unverifiable',
        'the terminal has scrolled: what was typed may be out of sight',
      ]);
      assert.equal(judged(echo, before, shows('hi there', 'root# echo  h'))[0], 'partial');
    });

    it('is not confirmed by a terminal that is named after another program', () => {
      const named = (name: string) =>
        seen({ surface: 'terminal', terminal: ['$'], focus: { role: 'textbox', name, editable: true } });
      assert.equal(judged(key, named('Terminal 1, sleep'), named('Terminal 1, bash'))[0], 'no-effect');
    });

    it('does not count the same text from before', () => {
      const before = shows('root# echo hi there', 'hi there', 'root#');
      assert.notEqual(
        judged(echo, before, shows('root# echo hi there', 'hi there', 'root# ec'))[0],
        'confirmed',
      );
    });
  });

  describe('in a small editor that wraps', () => {
    const commit = (value: string) => seen({ surface: 'field', focus: field(value) });
    const text = 'Fix the rounding of totals';

    it('is confirmed when its lines joined are the text', () => {
      const typed = played({ kind: 'type', text, delayMs: 0 });
      assert.deepEqual(judged(typed, commit(''), commit('Fix the rounding \nof totals')), [
        'confirmed',
        'field "input" 1:1: all 26 characters landed',
      ]);
      const filled = { ...typed, intent: { ...typed.intent, fills: text } };
      assert.equal(judged(filled, commit(''), commit('Fix the rounding \nof totals'))[0], 'confirmed');
      assert.equal(judged(filled, commit(''), commit('Fix the rounding \nof'))[0], 'partial');
    });
  });

  describe('turning the wheel', () => {
    const wheel = played(
      { kind: 'move', x: 5, y: 6, relative: false },
      { kind: 'button', button: 5, action: 'click', repeat: 3, delayMs: 0 },
    );
    const at = (position: string): Evidence => ({ ...still, scroll: new Map([['5,6', position]]) });

    it('is judged by the scroll position', () => {
      assert.equal(judged(wheel, at('(0,0)'), at('(0,57)'))[0], 'confirmed');
      assert.equal(judged(wheel, at('(0,57)'), at('(0,57)'))[0], 'no-effect');
      assert.equal(judged(wheel, at(''), { ...at(''), changed })[0], 'unverifiable');
    });
  });

  it('reports a browser dialog, and that the focus has left the workbench', () => {
    const dialog = { type: 'confirm', message: 'Leave?', defaultText: '' } as const;
    const after = seen({ workbench: false, keyboard: false, dialog });
    assert.match(judged(key, still, after)[1], /opened a dialog, confirm: "Leave\?"/);
    const away = seen({ workbench: false, keyboard: false }, { changed });
    assert.match(judged(key, still, away)[1], /a window or dialog of the browser's has the keyboard/);
    assert.match(judged(key, still, seen({ workbench: false }, { changed }))[1], /focus left the workbench$/);
  });

  it("judges pointer motion by the pointer's position", () => {
    const move = played({ kind: 'move', x: 5, y: 6, relative: false });
    assert.equal(judged({ ...move, pointer: { x: 5, y: 6 } }, still, still)[0], 'confirmed');
    assert.equal(judged(move, still, still)[0], 'no-effect');
  });
});

describe('effectOf: one action among others', () => {
  const inBatch = (before: Evidence, after: Evidence, end: Evidence) =>
    judgeAction(key, { before, after, batch: { before: still, after: end } }).effect;
  const between: Evidence = { ...still, changed: undefined };

  it('is confirmed by what was seen before the next action', () => {
    assert.equal(inBatch(still, { ...between, page: { ...page, focus: field('') } }, still), 'confirmed');
  });

  it('is unverifiable when it is only known that the page changed before the next action', () => {
    assert.equal(inBatch(still, { ...between, page: { ...page, changes: 2 } }, still), 'unverifiable');
  });

  it('is unverifiable when only the whole batch is known to have changed something', () => {
    assert.equal(inBatch(still, between, { ...still, changed }), 'unverifiable');
    // The picture after the last action shows the whole batch.
    assert.equal(inBatch(between, { ...still, changed }, { ...still, changed }), 'unverifiable');
  });

  it('is no-effect when the whole batch changed nothing', () => {
    assert.equal(inBatch(still, between, still), 'no-effect');
  });
});

describe('effectOf: a click, by what it hit', () => {
  const on = (press: Partial<Pressed>): Evidence =>
    seen(
      {
        pressed: {
          count: 1,
          clicks: 1,
          role: 'button',
          name: 'x',
          text: false,
          before: {},
          now: {},
          ...press,
        },
      },
      { changed },
    );
  const effect = (after: Evidence, before = still) => judged(click, before, after);

  it('is confirmed when a field has the focus, whether it had it before or not', () => {
    const field = on({ role: 'textbox', text: true, now: { focused: true } });
    assert.deepEqual(effect(field), ['confirmed', 'focus is in textbox "x"']);
    assert.equal(effect({ ...field, changed: null })[0], 'confirmed');
  });

  it('is not confirmed when the focus is elsewhere, regardless of other changes', () => {
    const field = on({ role: 'textbox', text: true });
    assert.deepEqual(effect(field), ['unverifiable', 'focus is not in textbox "x"']);
    assert.equal(effect({ ...field, changed: null })[0], 'no-effect');
  });

  it('is confirmed when a checkbox is ticked, a list opened, a tab selected', () => {
    assert.deepEqual(effect(on({ role: 'checkbox', now: { checked: true } })), [
      'confirmed',
      'checkbox "x" is now checked',
    ]);
    assert.match(effect(on({ before: { collapsed: true }, now: { expanded: true } }))[1], /is now open$/);
    assert.match(effect(on({ role: 'tab', now: { selected: true } }))[1], /^tab "x" is now selected$/);
  });

  it('is not confirmed when the checkbox is unchanged', () => {
    assert.equal(
      effect(on({ role: 'checkbox', before: { checked: true }, now: { checked: true } }))[0],
      'unverifiable',
    );
  });

  it('is unverifiable when a double click became single ones', () => {
    const double = played({ kind: 'button', button: 1, action: 'click', repeat: 2, delayMs: 40 });
    const row = { role: 'treeitem', now: { selected: true } } as const;
    assert.deepEqual(judged(double, still, on({ ...row, clicks: 2 })), [
      'confirmed',
      'treeitem "x" is now selected',
    ]);
    assert.deepEqual(judged(double, still, on({ ...row, clicks: 1 })), [
      'unverifiable',
      'treeitem "x" is now selected; VS Code took the 2 clicks for single ones',
    ]);
    // A page that keeps its presses to itself says nothing about them.
    assert.equal(judged(double, still, on({ ...row, clicks: 0 }))[0], 'confirmed');
  });

  it('is unverifiable when a button has the focus and nothing else changed', () => {
    assert.equal(effect(on({ now: { focused: true } }))[0], 'unverifiable');
  });

  it('is not confirmed by a focus that moved when it hit nothing', () => {
    const moved = seen({ focus: field('') }, { changed });
    assert.equal(effect(moved)[0], 'unverifiable');
    assert.equal(judged(key, still, moved)[0], 'confirmed');
  });

  describe('in a batch', () => {
    const within = (soon: Evidence, last: Evidence) => {
      const { effect: found, evidence } = judgeAction(click, {
        before: still,
        after: { ...soon, changed: undefined },
        batch: { before: still, after: last },
      });
      return [found, evidence];
    };
    const has = on({ role: 'textbox', text: true, now: { focused: true } });
    const lacks = on({ role: 'textbox', text: true, now: {} });

    it('is confirmed by the focus that a later action took away', () => {
      assert.deepEqual(within(has, lacks), ['confirmed', 'focus is in textbox "x"']);
    });

    it('is confirmed by the focus that came late', () => {
      assert.deepEqual(within(lacks, has), ['confirmed', 'focus is in textbox "x"']);
    });

    it('is not confirmed by a tick that VS Code reverted', () => {
      const ticked = on({ role: 'checkbox', now: { checked: true } });
      const not = on({ role: 'checkbox', now: {} });
      assert.deepEqual(within(ticked, not), ['no-effect', 'checkbox "x" is still not checked']);
    });
  });

  it('ignores earlier presses', () => {
    const field = on({ role: 'textbox', text: true, now: { focused: true } });
    assert.equal(effect(field, field)[0], 'unverifiable');
  });
});
