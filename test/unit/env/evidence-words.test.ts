import assert from 'node:assert/strict';
import type { DomProbe, Editor, Focus, IdeEvent } from '../../../bridge/protocol/index.ts';
import type { TriedAction } from '../../../host/ide/actions/action-plan.ts';
import { deriveIntent } from '../../../host/ide/actions/input-intent.ts';
import type { Evidence } from '../../../host/ide/effect/evidence.ts';
import { awaitsSetting, describePending } from '../../../host/ide/effect/ide-events.ts';
import { judgeAction } from '../../../host/ide/effect/judge-action.ts';
import type { InputCommand } from '../../../host/node/index.ts';

const page: DomProbe = {
  workbench: true,
  keyboard: true,
  focus: null,
  element: 1,
  state: {},
  surface: null,
  terminal: null,
  selected: '',
  pressed: null,
  messages: [],
  pending: null,
  setting: false,
  paced: null,
  modal: null,
  layout: [],
  tabs: [],
  accepted: null,
  loadedAt: 1,
  scroll: [],
  changes: 0,
  keys: 0,
  drag: { presses: 0, away: false, held: false, on: false, over: null, overs: 0, ended: 0 },
  dialog: null,
};
const quiet: Evidence['events'] = { count: 7, recent: [], commands: [], unwritten: [], saving: [] };
const still: Evidence = {
  page,
  scroll: new Map(),
  editor: null,
  events: quiet,
  pointer: undefined,
  changed: null,
};
const key = played({ kind: 'key', keys: ['Return'], action: 'press', delayMs: 0 });

function played(...input: readonly InputCommand[]): Extract<TriedAction, { kind: 'played' }> {
  const action = { kind: 'xdotool', line: 'xdotool key Return' } as const;
  return { kind: 'played', action, intent: deriveIntent([{ input }]), output: undefined };
}

function seen(changes: Partial<DomProbe>, rest: Partial<Evidence> = {}): Evidence {
  return { ...still, ...rest, page: { ...page, ...changes } };
}

function happened(...events: readonly Omit<IdeEvent, 'number'>[]): Evidence {
  const recent = events.map((event, i) => ({ ...event, number: 8 + i }));
  const rest = { count: 7 + events.length, commands: [], unwritten: [], saving: [] };
  return { ...still, events: { ...rest, recent } };
}

function editor(name: string, dirty: boolean): Editor {
  const document = { uri: `file:///w/${name}`, language: 'python', version: 1, dirty, lines: 1 };
  return { ...document, truncated: false, endOfLine: '\n', selections: [], visible: [] };
}

const said = (after: Evidence, before = still, act = key) => {
  const { effect, evidence } = judgeAction(act, { before, after });
  return [effect, evidence];
};

describe('the wording of evidence', () => {
  it('says that a chord has begun, and that one is not a command', () => {
    const box = { x: 9, y: 9, width: 99, height: 99 };
    const inEditor = (name: string, status: string) =>
      seen({
        focus: { role: 'textbox', name, editable: name !== '', box },
        messages: status === '' ? [] : [{ kind: 'status', text: status }],
      });
    const before = inEditor('a.py', '');
    const waits = inEditor('', '(Ctrl+K) was pressed. Waiting for second key of chord...');
    assert.deepEqual(said(waits, before), [
      'confirmed',
      'the first key of a chord: VS Code waits for the second one, for 5 s',
    ]);
    assert.equal(said(waits, waits)[1], 'neither the screen nor the focus changed');
    assert.deepEqual(said(inEditor('a.py', 'The key combination (Ctrl+K, ,) is not a command.'), waits), [
      'no-effect',
      'VS Code says that these keys together are not a command',
    ]);
    assert.equal(said(inEditor('a.py', ''), waits)[1], 'neither the screen nor the focus changed');
    assert.equal(said(inEditor('b.py', ''), before)[1], 'focus moved to textbox "b.py"');
  });

  it('names the setting and its value', () => {
    const setting = { what: 'setting', name: 'files.autoSaveDelay', scope: 'user' } as const;
    assert.deepEqual(said(happened({ ...setting, value: '500' })), [
      'confirmed',
      'setting files.autoSaveDelay = 500',
    ]);
    assert.deepEqual(said(happened(setting))[1], 'setting files.autoSaveDelay is not set any longer');
    const there = { ...setting, value: 'true', scope: 'workspace' } as const;
    assert.equal(said(happened(there))[1], 'setting files.autoSaveDelay = true in the workspace');
  });

  it('names a setting once, without its file', () => {
    const setting = { what: 'setting', name: 'a.b', value: '1', scope: 'user' } as const;
    const saved = { what: 'saved', name: 'settings.json' } as const;
    assert.equal(said(happened(saved, setting, setting))[1], 'setting a.b = 1');
    assert.equal(said(happened(saved))[1], 'saved settings.json');
  });

  it('names a setting changed by typed text too', () => {
    const focus = (value: string): Focus => ({ role: 'spinbutton', name: 'delay', editable: true, value });
    const text = played({ kind: 'type', text: '500', delayMs: 0 });
    const after = happened({ what: 'setting', name: 'files.autoSaveDelay', value: '500', scope: 'user' });
    const [effect, evidence] = said(
      { ...after, page: { ...page, surface: 'field', focus: focus('500') } },
      seen({ surface: 'field', focus: focus('700'), selected: '700' }),
      text,
    );
    assert.equal(effect, 'confirmed');
    assert.match(
      evidence ?? '',
      /all 3 characters landed; in place of "700"; setting files\.autoSaveDelay = 500$/,
    );
  });

  it('names what was opened, saved and closed, each once', () => {
    const opened = { ...happened({ what: 'closed', name: 'b.py' }, { what: 'opened', name: 'a.py' }) };
    const inEditor = { ...opened, editor: editor('a.py', false) };
    assert.equal(said(inEditor, { ...still, editor: editor('b.py', false) })[1], 'opened a.py; closed b.py');
    const saved = { ...happened({ what: 'saved', name: 'a.py' }), editor: editor('a.py', false) };
    assert.equal(said(saved, { ...still, editor: editor('a.py', true) })[1], 'saved a.py');
    const other = { ...still, editor: editor('a.py', false) };
    assert.equal(said(other, { ...still, editor: editor('b.py', false) })[1], 'editor is now "a.py"');
  });

  it('does not count an editor that auto save has written', () => {
    const editor = (dirty: boolean) => ({
      ...{ uri: 'file:///w/a.txt', language: 'plaintext', version: 1, dirty, lines: 1, truncated: false },
      ...{ endOfLine: '\n' as const, selections: [], visible: [] },
    });
    const events = { count: 0, recent: [], commands: [], unwritten: ['a.txt'], saving: [] };
    const [before, after] = [true, false].map((dirty) => ({ ...still, events, editor: editor(dirty) }));
    assert.ok(before && after);
    assert.equal(said(after, before)[0], 'no-effect');
    const none = { ...events, unwritten: [] };
    assert.deepEqual(said({ ...after, events: none }, { ...before, events: none }), [
      'confirmed',
      'it is saved',
    ]);
  });

  it('does not count a file that auto save wrote, nor an earlier event', () => {
    const waiting = {
      ...still,
      events: { count: 7, recent: [], commands: [], unwritten: ['a.py'], saving: [] },
    };
    assert.equal(said(happened({ what: 'saved', name: 'a.py' }), waiting)[0], 'no-effect');
    const old = happened({ what: 'opened', name: 'a.py' });
    assert.equal(said(old, old)[0], 'no-effect');
  });

  it("quotes VS Code's messages", () => {
    const text = 'Do you want to install the recommended extensions?';
    const notified = seen({ messages: [{ kind: 'notification', text }] });
    assert.deepEqual(said(notified), ['confirmed', `notification "${text}"`]);
    assert.equal(said(notified, notified)[0], 'no-effect');
    assert.equal(said(seen({ messages: [{ kind: 'dialog', text: 'Save?' }] }))[1], 'dialog "Save?"');
  });

  it('says that keys ticked a checkbox or expanded a row', () => {
    const checkbox = { role: 'checkbox', name: 'Match Case', editable: false };
    const ticked = seen({ focus: checkbox, state: { checked: true } });
    assert.deepEqual(said(ticked, seen({ focus: checkbox })), [
      'confirmed',
      'checkbox "Match Case" is now checked',
    ]);
    const row = { role: 'treeitem', name: 'src', editable: false };
    const open = seen({ focus: row, state: { expanded: true } });
    assert.equal(
      said(open, seen({ focus: row, state: { collapsed: true } }))[1],
      'treeitem "src" is now open',
    );
  });

  it('says that the window was reloaded, which restarts the count of events', () => {
    const fresh = { ...happened({ what: 'opened', name: 'a.py' }), page: { ...page, loadedAt: 2 } };
    const reloaded = { ...fresh, events: { ...quiet, count: 1 } };
    assert.deepEqual(said(reloaded), ['confirmed', 'the window was reloaded']);
  });

  it('names the command that still runs if the terminal has the focus', () => {
    const running = { ...quiet, commands: ['npm test'] };
    const after = seen({ surface: 'terminal', terminal: ['$ npm test'] }, { events: running });
    const before = seen({ surface: 'terminal', terminal: ['$'] });
    assert.equal(
      said(after, before)[1],
      'the terminal shows "$ npm test"; command "npm test" is still running in the terminal',
    );
    assert.equal(said({ ...still, events: running })[1], 'neither the screen nor the focus changed');
    const silent = seen({ surface: 'terminal', terminal: ['$'] }, { events: running });
    const idle = seen({ surface: 'terminal', terminal: ['$'] }, { events: quiet });
    assert.equal(said(silent, idle)[0], 'confirmed');
    // Its output may come by itself; its end does not.
    const [prints, ends] = [running, quiet].map((events) =>
      seen({ surface: 'terminal', terminal: ['$ npm test', 'ok'] }, { events }),
    );
    assert.ok(prints && ends);
    assert.deepEqual([said(prints, after)[0], said(ends, after)[0]], ['unverifiable', 'confirmed']);
  });

  it('does not report no effect if a program may read input silently', () => {
    const events = { ...quiet, commands: ['read -s x'] };
    const silent = seen({ surface: 'terminal', terminal: ['$ read -s x'] }, { events });
    const text = played({ kind: 'type', text: 'secret', delayMs: 0 });
    assert.deepEqual(
      [said(silent, silent)[0], said(silent, silent, text)[0]],
      ['unverifiable', 'unverifiable'],
    );
    const prompt = { ...silent, events: quiet };
    assert.deepEqual([said(prompt, prompt)[0], said(prompt, prompt, text)[0]], ['no-effect', 'no-effect']);
  });

  it('takes at most two lines, with names of any length', () => {
    const name = 'Terminal 1, bash '.repeat(20);
    const after = {
      ...happened(...Array.from({ length: 9 }, (_, i) => ({ what: 'opened' as const, name: `${i}${name}` }))),
      page: { ...page, focus: { role: 'textbox', name, editable: true } },
    };
    const [, evidence = ''] = said(after);
    assert.ok(evidence.length <= 260, `${evidence.length}: ${evidence}`);
    assert.match(evidence, /^opened 0Terminal 1, bash .*…; and \d more$/);
    const moved = said({ ...after, events: quiet })[1];
    assert.ok((moved ?? '').length < 100, moved);
  });

  it('says how far something was scrolled', () => {
    const wheel = played(
      { kind: 'move', x: 5, y: 6, relative: false },
      { kind: 'button', button: 5, action: 'click', repeat: 3, delayMs: 0 },
    );
    const at = (place: string): Evidence => ({ ...still, scroll: new Map([['5,6', place]]) });
    const scrolled = (from: string, to: string) => said(at(to), at(from), wheel)[1];
    assert.equal(scrolled('(0,0) 1,2/3,4', '(0,57) 1,9/3,4'), 'scrolled down by 57 pixels');
    assert.equal(
      scrolled('(0,8) in (0,90)', '(0,8) in (20,0)'),
      'scrolled up by 90 pixels and right by 20 pixels',
    );
    assert.equal(scrolled('(0,8) 0,1', '(0,8) 0,3'), 'scrolled');
  });
});

describe('the list of what VS Code has yet to write at the end of a step', () => {
  it('names a setting or a file that auto save writes', () => {
    assert.deepEqual(describePending(still, still), []);
    assert.deepEqual(describePending(still, seen({ pending: 'write' })), [
      'VS Code has yet to write: settings.json',
    ]);
    assert.deepEqual(
      describePending(still, { ...still, events: { ...quiet, count: 7, unwritten: ['a.py'] } }),
      ['VS Code has yet to write: a.py'],
    );
    assert.deepEqual(describePending(still, seen({ pending: 'answer' })), []);
  });
});

describe('a setting that was written while its field still shows the old value', () => {
  it('confirms the typed text', () => {
    const type = played({ kind: 'type', text: '700', delayMs: 0 });
    const field: Focus = { role: 'textbox', name: 'delay', editable: true, value: '500' };
    const before = seen({ surface: 'field', focus: field });
    const { events } = happened({ what: 'setting', name: 'delay', value: '700' });
    assert.deepEqual(said({ ...before, events }, before, type), ['confirmed', 'setting delay = 700']);
    assert.equal(said(before, before, type)[0], 'no-effect');
  });
});

describe('a setting that was changed but not written yet', () => {
  const focusOn = (value: string): Focus => ({ role: 'textbox', name: 'a', editable: true, value });
  const control = (value: string, more: Partial<DomProbe> = {}) =>
    seen({ setting: true, surface: 'field', focus: focusOn(value), ...more });
  const events = happened({ what: 'setting', name: 'a', value: '1' }).events;
  const ticked = {
    count: 1,
    clicks: 1,
    role: 'checkbox',
    name: 'a',
    text: false,
    before: {},
    now: { checked: true },
  } as const;

  const cases: readonly (readonly [string, Evidence, Evidence, boolean])[] = [
    ['by a text', control('1'), control('2'), true],
    ['by a text that is still being typed', control('1'), control('2', { pending: 'write' }), false],
    ['and is reported', control('1'), { ...control('2'), events }, false],
    ['by a key', control(''), control('', { state: { checked: true } }), true],
    ['by a click', still, control('', { pressed: ticked }), true],
    ['by nothing', control('1'), control('1'), false],
    ['by another control than before', control('1'), control('2', { element: 2 }), false],
    ['outside the settings', seen({}), seen({ state: { checked: true } }), false],
    ['while the extension can’t be asked', control('1'), { ...control('2'), events: undefined }, false],
  ];
  for (const [how, before, after, expected] of cases)
    it(`is ${expected ? '' : 'not '}waited for: changed ${how}`, () => {
      assert.equal(awaitsSetting(before, after), expected);
    });

  it('is reported as not written when the wait for it is over', () => {
    assert.deepEqual(describePending(control('1'), control('2')), ['VS Code has not written the setting']);
    assert.deepEqual(describePending(control('1'), { ...control('2'), events }), []);
  });
});
