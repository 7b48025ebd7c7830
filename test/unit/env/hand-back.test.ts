import assert from 'node:assert/strict';
import { handBackText, stateChanges } from '../../../host/env/hand-back/differ.ts';
import type { Snapshot } from '../../../host/env/hand-back/snapshot.ts';

const before: Snapshot = {
  turn: 0,
  workspace: '/workspace',
  tree: null,
  tabs: { '/workspace/a.py': { dirty: false }, '/workspace/b.py': { dirty: false } },
  active: '/workspace/a.py line 1',
  settings: { 'editor.fontSize': '14', 'files.autoSave': '"off"' },
  commands: { 'bash (1)': { line: 'npm test', end: 'exit code 1', beganMs: 1000 } },
  debug: [],
  breakpoints: ['/workspace/a.py:3'],
};

const files = { summary: ' a.py | 2 +-', diff: 'diff --git a/a.py b/a.py\n' + '+x = 1\n'.repeat(2000) };

describe('what an agent is told after a person had control', () => {
  it('is nothing where nothing has changed', () => {
    assert.deepEqual(stateChanges(before, before), []);
    const text = handBackText({ who: 'Ada', given: true, state: [], files: { summary: '', diff: '' } }, 2000);
    assert.match(text, /^Ada had control and has given it back\..*\nnothing that is watched$/);
  });

  it('has editors, settings, commands, breakpoints and the debugger', () => {
    const after: Snapshot = {
      ...before,
      tabs: { '/workspace/a.py': { dirty: true }, '/workspace/c.py': { dirty: false } },
      active: '/workspace/c.py line 9',
      settings: { 'editor.fontSize': '20', 'editor.wordWrap': '"on"' },
      commands: {
        // The same line once more is another command, and so is its other end.
        'bash (1)': { line: 'npm test', end: 'exit code 0', beganMs: 90_000 },
        'bash (2)': { line: 'ls', end: 'still running', beganMs: 95_000 },
      },
      debug: ['Python: a.py'],
      breakpoints: ['/workspace/a.py:4 if x > 1'],
    };
    assert.deepEqual(stateChanges(before, after), [
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

  it('takes no command for another because of the clock', () => {
    const commands = { 'bash (1)': { line: 'npm test', end: 'exit code 1', beganMs: 1900 } };
    assert.deepEqual(stateChanges(before, { ...before, commands }), []);
  });

  it('says nothing of parts that one of the two looks could not read', () => {
    const blind: Snapshot = { ...before, tabs: null, settings: null, commands: null, debug: null };
    assert.deepEqual(stateChanges(blind, { ...before, tabs: {}, settings: {}, commands: {} }), []);
  });

  it('fits its length, with as much of the difference as there is room for, and says that it is cut', () => {
    for (const length of [300, 2000, 20_000]) {
      const state = ['opened: /workspace/c.py'];
      const text = handBackText({ who: 'Ada', given: false, state, files }, length);
      assert.ok(text.length <= length, `${text.length} of ${length}`);
      assert.match(text, /a\.py \| 2 \+-/);
      if (length >= 2000) assert.match(text, /opened: .*\n(diff --git[^]*)/);
      if (length === 2000) assert.match(text, /\(cut; ask for more\)$/);
    }
  });

  it('says what is not known', () => {
    const text = handBackText({ who: 'Ada', given: false, state: undefined, files: undefined }, 2000);
    assert.match(text, /which has ended without being given back/);
    assert.match(text, /what changed in the IDE is not known.*\nwhich files changed is not known/);
  });

  it('stays bounded for a thousand changes', () => {
    const tabs = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`/f${i}`, { dirty: true }]));
    const breakpoints = Object.keys(tabs);
    const lines = stateChanges(before, { ...before, tabs, breakpoints });
    assert.ok(lines.length < 40);
    assert.ok(
      lines.some((line) => /and 985 more/.test(line)),
      lines.join('\n'),
    );
  });
});
