import assert from 'node:assert/strict';
import { searchCommands } from '../../../extension/src/tools/ide/command-search.ts';

const commands = [
  { command: 'editor.action.toggleMinimap', title: '' },
  { command: 'workbench.action.toggleSidebarVisibility', title: '' },
  { command: 'workbench.action.openSettingsJson', title: '' },
  { command: 'git.commit', title: 'Git: Commit' },
  { command: 'git.commitAll', title: 'Git: Commit All' },
  { command: 'pwp.digitise', title: 'Digitise' },
  { command: '_pwp.hidden', title: '' },
];
const search = (query: string) => {
  const { found, allWords } = searchCommands(query, commands);
  return { found: found.map(({ command }) => command), allWords };
};
const all = (...found: string[]) => ({ found, allWords: true });

describe('a search for commands', () => {
  it('matches words of ids and titles in any order and case', () => {
    assert.deepEqual(search('toggle minimap'), all('editor.action.toggleMinimap'));
    assert.deepEqual(search('Minimap: TOGGLE'), all('editor.action.toggleMinimap'));
    assert.deepEqual(search('json settings open'), all('workbench.action.openSettingsJson'));
    assert.deepEqual(search('all commit git'), all('git.commitAll'));
  });

  it('matches parts of words and whole ids', () => {
    assert.deepEqual(search('minim'), all('editor.action.toggleMinimap'));
    assert.deepEqual(search('editor.action.toggleMinimap'), all('editor.action.toggleMinimap'));
    assert.deepEqual(search('_pwp'), all('_pwp.hidden'));
  });

  it('lists commands with the whole words first', () => {
    assert.deepEqual(search('git'), all('git.commit', 'git.commitAll', 'pwp.digitise'));
  });

  it('finds commands with most of the words if no command has all, and says so', () => {
    assert.deepEqual(search('View: Toggle Minimap'), {
      found: ['editor.action.toggleMinimap'],
      allWords: false,
    });
    assert.deepEqual(search('toggle the big side bar'), {
      found: ['workbench.action.toggleSidebarVisibility'],
      allWords: false,
    });
  });

  it('finds nothing if less than half of the words match', () => {
    assert.deepEqual(search('xyzzy'), { found: [], allWords: false });
    assert.deepEqual(search('zoom out plugh minimap'), { found: [], allWords: false });
  });

  it('finds all commands without a word', () => {
    assert.equal(search('').found.length, commands.length);
    assert.equal(search('').found[0], '_pwp.hidden');
  });
});
