import assert from 'node:assert/strict';
import { compareUnsaved, type IdeSnapshot } from '../../../host/ide/people/hand-back-state.ts';
import { describeStateChanges, formatHandBack } from '../../../host/ide/people/hand-back.ts';

const before: IdeSnapshot = {
  turn: 0,
  workspace: '/workspace',
  tree: null,
  tabs: { '/workspace/a.py': { dirty: false }, '/workspace/b.py': { dirty: false } },
  unsaved: { '/workspace/b.py': { hash: 'b1', text: 'one\ntwo\n' }, '/long': { hash: 'c1', text: null } },
  active: '/workspace/a.py line 1',
  settings: { 'editor.fontSize': '14', 'files.autoSave': '"off"' },
  commands: { 'bash (1)': { line: 'npm test', end: 'exit code 1', beganMs: 1000 } },
  debug: [],
  breakpoints: ['/workspace/a.py:3'],
};

const files = { summary: ' a.py | 2 +-', diff: 'diff --git a/a.py b/a.py\n' + '+x = 1\n'.repeat(2000) };

describe('the report to an agent after a person had control', () => {
  it('is empty if nothing has changed', () => {
    assert.deepEqual(describeStateChanges(before, before), []);
    const text = formatHandBack(
      { who: 'Ada', given: true, state: [], files: { summary: '', diff: '' } },
      2000,
    );
    assert.match(text, /^Ada had control and has given it back\..*\nnothing that is watched$/);
  });

  it('lists editors, settings, commands, breakpoints and the debugger', () => {
    const after: IdeSnapshot = {
      ...before,
      tabs: { '/workspace/a.py': { dirty: true }, '/workspace/c.py': { dirty: false } },
      active: '/workspace/c.py line 9',
      settings: { 'editor.fontSize': '20', 'editor.wordWrap': '"on"' },
      commands: {
        // The same line run again is another command; so is one with another outcome.
        'bash (1)': { line: 'npm test', end: 'exit code 0', beganMs: 90_000 },
        'bash (2)': { line: 'ls', end: 'still running', beganMs: 95_000 },
      },
      debug: ['Python: a.py'],
      breakpoints: ['/workspace/a.py:4 if x > 1'],
    };
    assert.deepEqual(describeStateChanges(before, after), [
      'opened: /workspace/c.py',
      'closed: /workspace/b.py',
      'not saved yet: /workspace/a.py',
      'the active editor is /workspace/c.py line 9',
      'setting editor.fontSize: 20 (was 14)',
      'setting files.autoSave: back to its default (was "off")',
      'setting editor.wordWrap: "on"',
      'last command of terminal bash (1): npm test, exit code 0',
      'last command of terminal bash (2): ls, still running',
      'breakpoint set: /workspace/a.py:4 if x > 1',
      'breakpoint removed: /workspace/a.py:3',
      'debugging began: Python: a.py',
    ]);
  });

  it('does not treat a command as another one because of clock differences', () => {
    const commands = { 'bash (1)': { line: 'npm test', end: 'exit code 1', beganMs: 1900 } };
    assert.deepEqual(describeStateChanges(before, { ...before, commands }), []);
  });

  it('leaves out parts that one of the two observations could not read', () => {
    const blind: IdeSnapshot = { ...before, tabs: null, settings: null, commands: null, debug: null };
    assert.deepEqual(describeStateChanges(blind, { ...before, tabs: {}, settings: {}, commands: {} }), []);
  });

  it('fits its length, with as much of the diff as fits, and says that it was cut', () => {
    for (const length of [300, 2000, 20_000]) {
      const state = ['opened: /workspace/c.py'];
      const text = formatHandBack({ who: 'Ada', given: false, state, files }, length);
      assert.ok(text.length <= length, `${text.length} of ${length}`);
      assert.match(text, /a\.py \| 2 \+-/);
      if (length >= 2000) assert.match(text, /opened: .*\n(diff --git[^]*)/);
      if (length === 2000) assert.match(text, /\(cut; ask for more\)$/);
    }
  });

  it('says what is unknown', () => {
    const text = formatHandBack({ who: 'Ada', given: false, state: undefined, files: undefined }, 2000);
    assert.match(text, /which has ended without being given back/);
    assert.match(text, /what changed in the IDE is not known.*\nwhich files changed is not known/);
  });

  it('stays bounded for a thousand changes', () => {
    const tabs = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`/f${i}`, { dirty: true }]));
    const breakpoints = Object.keys(tabs);
    const lines = describeStateChanges(before, { ...before, tabs, breakpoints });
    assert.ok(lines.length < 40);
    assert.ok(
      lines.some((line) => /and 985 more/.test(line)),
      lines.join('\n'),
    );
  });

  const saved = (path: string) => Promise.resolve(path === '/workspace/a.py' ? 'x = 1\n' : '');

  it('includes text typed into an editor that already had unsaved changes', async () => {
    const after = { ...before.unsaved, '/workspace/b.py': { hash: 'b2', text: 'one\nTWO\n' } };
    const unsaved = await compareUnsaved(before.unsaved, after, saved);
    assert.deepEqual(unsaved.lines, ['changed and still not saved: /workspace/b.py']);
    assert.match(unsaved.diff, /^--- \/workspace\/b\.py\n\+\+\+ \/workspace\/b\.py \(not saved\)\n/);
    assert.match(unsaved.diff, /^ one\n-two\n\+TWO$/m);
    const none = { summary: '', diff: '' };
    const text = formatHandBack({ who: 'Ada', given: true, state: [], files: none, unsaved }, 2000);
    assert.doesNotMatch(text, /nothing that is watched/);
    assert.match(text, /^changed and still not saved: \/workspace\/b\.py\n[^]*\+TWO$/m);
  });

  it('compares text that was saved before with the file, and names texts that are too long', async () => {
    const after = {
      ...before.unsaved,
      '/workspace/a.py': { hash: 'a2', text: 'x = 2\n' },
      '/long': { hash: 'c2', text: null },
      'untitled:Untitled-1': { hash: 'u', text: 'a note' },
    };
    const { lines, diff } = await compareUnsaved(before.unsaved, after, saved);
    assert.deepEqual(lines, ['changed and still not saved: /long']);
    assert.match(diff, /^-x = 1\n\+x = 2$/m);
    assert.match(diff, /^\+\+\+ untitled:Untitled-1 \(not saved\)\n@@ .* @@\n\+a note$/m);
  });

  it('leaves out unsaved text that is unchanged or unknown', async () => {
    const nothing = { lines: [], diff: '' };
    assert.deepEqual(await compareUnsaved(before.unsaved, before.unsaved, saved), nothing);
    assert.deepEqual(await compareUnsaved(null, before.unsaved, saved), nothing);
  });
});
