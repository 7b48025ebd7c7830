import assert from 'node:assert/strict';
import { parseWhen, whenHolds, type WindowContext } from '../../../host/tasks/grade/checks/conditions.ts';
import { Keybindings, keyDoesNotRun, keyRuns } from '../../../host/tasks/grade/checks/key-bindings.ts';
import { left } from './left.ts';

const defaults = [
  { key: 'ctrl+alt+f', command: 'list.find', when: 'listFocus && listSupportsFind' },
  { key: 'ctrl+f', command: 'actions.find', when: 'editorFocus || editorIsOpen' },
];
const tree: WindowContext = { listFocus: true, listSupportsFind: true };
const editor: WindowContext = { editorFocus: true, editorIsOpen: true };

async function having(rules: unknown): Promise<Keybindings> {
  const text = typeof rules === 'string' ? rules : JSON.stringify(rules);
  await using folder = await left({ 'ide/data/User/keybindings.json': text });
  return await Keybindings.read(folder.files, defaults);
}

describe('key bindings', () => {
  const cases: Record<
    string,
    [rules: unknown, key: string, context: WindowContext, command: string | undefined]
  > = {
    'are the defaults without rules': [[], 'ctrl+f', editor, 'actions.find'],
    'need their condition': [[], 'ctrl+f', {}, undefined],
    "are the user's first": [[{ key: 'ctrl+f', command: 'x' }], 'ctrl+f', editor, 'x'],
    'are the last rule that holds': [
      [
        { key: 'ctrl+f', command: 'x' },
        { key: 'ctrl+f', command: 'y', when: 'listFocus' },
      ],
      'ctrl+f',
      editor,
      'x',
    ],
    'are found in any spelling of the key': [
      [{ key: 'Alt+CTRL+[KeyF]', command: 'x' }],
      'ctrl+alt+f',
      {},
      'x',
    ],
    'are removed by a minus': [[{ key: 'ctrl+alt+f', command: '-list.find' }], 'ctrl+alt+f', tree, undefined],
    'are removed with their condition in any order': [
      [{ key: 'ctrl+alt+f', command: '-list.find', when: '(listSupportsFind) && listFocus' }],
      'ctrl+alt+f',
      tree,
      undefined,
    ],
    'stay when the minus has another condition': [
      [{ key: 'ctrl+alt+f', command: '-list.find', when: 'listFocus' }],
      'ctrl+alt+f',
      tree,
      'list.find',
    ],
    'stay when the minus has another key': [
      [{ key: 'ctrl+f', command: '-list.find' }],
      'ctrl+alt+f',
      tree,
      'list.find',
    ],
    "of the user's own are not removed": [
      [
        { key: 'ctrl+f', command: 'list.find' },
        { key: 'ctrl+f', command: '-list.find' },
      ],
      'ctrl+f',
      tree,
      'list.find',
    ],
    'run nothing for an empty command': [[{ key: 'ctrl+f', command: '' }], 'ctrl+f', editor, undefined],
    'run nothing for the first of two chords': [
      [{ key: 'ctrl+f ctrl+g', command: 'x' }],
      'ctrl+f',
      editor,
      undefined,
    ],
    'run two chords': [[{ key: 'ctrl+f ctrl+g', command: 'x' }], 'ctrl+f  CTRL+G', editor, 'x'],
    'ignore entries that are not rules': [
      [null, 3, { key: 4 }, { key: 'ctrl+f' }],
      'ctrl+f',
      editor,
      'actions.find',
    ],
    "always hold with a condition that VS Code can't read": [
      [{ key: 'ctrl+f', command: 'x', when: 'a &&' }],
      'ctrl+f',
      {},
      'x',
    ],
    'are the defaults when the file is empty': ['', 'ctrl+f', editor, 'actions.find'],
    'may have comments': ['// mine\n[{"key": "ctrl+f", "command": "x"},]', 'ctrl+f', editor, 'x'],
  };
  for (const [what, [rules, key, context, command]] of Object.entries(cases)) {
    it(what, async () => assert.equal((await having(rules)).commandFor(key, context), command));
  }

  it('are the defaults when the file was deleted', async () => {
    await using folder = await left({});
    assert.equal((await Keybindings.read(folder.files)).commandFor('ctrl+f', editor), 'actions.find');
  });

  for (const text of ['{}', '[{]', '"\\', '\0', '[[['.repeat(1000)]) {
    it(`fail with a reason when the file is ${JSON.stringify(text.slice(0, 10))}`, async () => {
      const bindings = await having(text);
      for (const check of [
        keyRuns(bindings, 'ctrl+f', 'actions.find', editor),
        keyDoesNotRun(bindings, 'ctrl+f', 'x', editor),
      ]) {
        assert.equal(check.passed, false);
        assert.match(check.why, /keybindings\.json/);
      }
    });
  }

  it('report the command that a key runs', async () => {
    const bindings = await having([{ key: 'ctrl+f', command: 'list.find', when: 'listFocus' }]);
    assert.equal(keyRuns(bindings, 'ctrl+f', 'list.find', tree).passed, true);
    assert.deepEqual(keyDoesNotRun(bindings, 'ctrl+f', 'list.find', tree), {
      name: 'ctrl+f with listFocus, listSupportsFind',
      passed: false,
      why: 'runs "list.find", expected anything else',
    });
  });
});

describe('a condition of a key binding', () => {
  const context: WindowContext = { a: true, n: 3, view: 'explorer' };
  const cases: Record<string, boolean> = {
    a: true,
    b: false,
    '!b': true,
    '!!a': true,
    'a && !b': true,
    'b || a && b': false,
    '(b || a) && a': true,
    '!(a && b)': true,
    "view == 'explorer'": true,
    'view != explorer': false,
    'n > 2 && n <= 3': true,
    'b == false': true,
    'a == true && false': false,
    'view =~ /^expl/': false,
  };
  for (const [text, expected] of Object.entries(cases)) {
    it(`${text} is ${expected}`, () => assert.equal(whenHolds(parseWhen(text), context), expected));
  }

  for (const text of [
    '',
    'a &&',
    '&& a',
    '(a',
    'a)',
    'a b',
    "view == 'x",
    'a '.repeat(2000),
    '('.repeat(1500),
  ]) {
    it(`is refused: ${JSON.stringify(text.slice(0, 12))}`, () => assert.equal(parseWhen(text), undefined));
  }
});
