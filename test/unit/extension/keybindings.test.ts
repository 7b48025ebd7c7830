import assert from 'node:assert/strict';
import {
  findUnknownModifier,
  normalizeKeybinding,
  parseRules,
  resolveRules,
} from '../../../extension/src/tools/ide/keybinding-rules.ts';

const defaults = parseRules(`[
  { "key": "ctrl+f", "command": "list.find", "when": "listFocus && listSupportsFind" },
  { "key": "ctrl+f", "command": "actions.find" },
  { "key": "f3", "command": "list.find", "when": "listFocus" },
]`);
const commands = (user: string) => {
  const { rules, removed } = resolveRules(defaults, parseRules(user));
  return [rules, removed].map((all) => all.map(({ key, command }) => `${key} ${command}`));
};

describe('resolved keybindings', () => {
  it('have the strongest first, the user’s before the defaults', () => {
    const [rules] = commands('[{ "key": "F3", "command": "mine" }, { "key": "f3", "command": "stronger" }]');
    assert.deepEqual(rules, [
      'f3 stronger',
      'f3 mine',
      'f3 list.find',
      'ctrl+f actions.find',
      'ctrl+f list.find',
    ]);
  });

  it('lose those that a removal names: by command, by key, by condition', () => {
    assert.deepEqual(commands('[{ "command": "-list.find" }]')[1], ['ctrl+f list.find', 'f3 list.find']);
    assert.deepEqual(commands('[{ "key": "Ctrl+F", "command": "-list.find" }]')[1], ['ctrl+f list.find']);
    const other = '[{ "key": "f3", "command": "-list.find", "when": "editorFocus" }]';
    assert.deepEqual(commands(other)[1], []);
    const turned = '[{ "key": "ctrl+f", "command": "-list.find", "when": "listSupportsFind&&listFocus" }]';
    assert.deepEqual(commands(turned)[1], ['ctrl+f list.find']);
  });

  it('are read from a file with comments and errors', () => {
    assert.deepEqual(parseRules('// none\n'), []);
    assert.deepEqual(parseRules('{"key": "a"}'), []);
    assert.equal(
      parseRules('[1, null, { "key": 5, "command": "x" }, { "key": "a", "command": "x" }]').length,
      1,
    );
  });

  it('have keys in one form', () => {
    assert.equal(normalizeKeybinding(' Shift+Ctrl+K  CTRL+c '), 'ctrl+shift+k ctrl+c');
    assert.equal(normalizeKeybinding('Ctrl++'), 'ctrl++');
    assert.equal(normalizeKeybinding('cmd+K'), 'meta+k');
  });

  it('reveal a part that is not a modifier', () => {
    assert.equal(findUnknownModifier('ctlr+s'), 'ctlr');
    for (const key of ['ctrl++', 'Cmd+K Shift+X', 'f5', 's'])
      assert.equal(findUnknownModifier(key), undefined, key);
  });
});
