import type { Truth } from '../truth.ts';
import { changed, type EffectCase, goTo, grew, key, open, save, type } from './case.ts';

const last = 20;
const undone = [key('ctrl+z'), ...save];

/** Keys and texts that an editor accepts, and the same in places where they have no effect. */
export const editorCases: readonly EffectCase[] = [
  {
    name: 'open the edited text',
    act: open('edits.txt').at(-1) ?? '',
    first: open('edits.txt').slice(0, -1),
    happened: (after) => after.tabs.includes('edits.txt*'),
  },
  ...[
    'Delete',
    'ctrl+Delete',
    'ctrl+shift+k',
    'alt+Down',
    'alt+Up',
    'ctrl+shift+alt+Down',
    'ctrl+shift+alt+Up',
    'ctrl+slash',
    'Tab',
    'ctrl+bracketright',
    'Return',
    'ctrl+Return',
    'ctrl+shift+Return',
    'BackSpace',
    'ctrl+BackSpace',
    'ctrl+x',
  ].map((name) => edit(`${name} within the text`, goTo(5), name)),
  ...['BackSpace', 'ctrl+BackSpace', 'alt+Up', 'shift+Tab', 'ctrl+bracketleft'].map((name) =>
    edit(`${name} at the start`, [key('ctrl+Home')], name),
  ),
  ...['Delete', 'ctrl+Delete', 'alt+Down'].map((name) => edit(`${name} at the end`, [key('ctrl+End')], name)),
  edit('undo an edit', [key('ctrl+End'), type('x'), ...save], 'ctrl+z'),
  edit('redo an edit', [], 'ctrl+y'),
  edit('redo no edit', [], 'ctrl+y'),
  { name: 'save an edit', first: [type('y')], act: key('ctrl+s'), happened: changed },
  { name: 'save no edit', act: key('ctrl+s'), happened: changed },

  ...moves(5, [
    ['Up', true],
    ['Down', true],
    ['Right', true],
    ['End', true],
    ['ctrl+End', true],
    ['ctrl+Home', true],
    ['ctrl+Right', true],
    ['Left', true],
    ['Next', true],
    ['Home', false],
  ]),
  ...moves(1, [
    ['Up', false],
    ['Left', false],
    ['Home', false],
    ['ctrl+Home', false],
    ['ctrl+Left', false],
  ]),
  ...moves(last + 1, [
    ['Down', false],
    ['Right', false],
    ['ctrl+End', false],
    ['End', false],
  ]),

  ...texts('app.py', ['x = [1, 2]', 'foo("bar")', "it's", 'if a:', '{"k": (1, [2])}', 'print(']),
  ...texts('walk.js', ['const s = `a`;', 'if (a) {', '<b>c</b>', 'x => ({})', '/* no end']),
  ...texts('README.md', ['# Grüße, 世界 😀', '- [ ] to do', '**bold** _it_', '`code`', '| a | b |']),
  ...texts('src/stock.ts', ['interface A { b: string }', 'consol', 'Array<number>()']),
];

function edit(name: string, first: readonly string[], act: string): EffectCase {
  return { name, first, act: key(act), proof: save, happened: changed };
}

/** A letter that is typed afterwards shows where the cursor was. */
function moves(line: number, keys: readonly (readonly [string, boolean])[]): EffectCase[] {
  const from = `${line}:1`;
  return keys.map(([name], i) => ({
    name: `${name} at line ${line}`,
    first: [...(i === 0 ? open('lines.txt') : []), ...undone, ...goTo(line), key('Home')],
    act: key(name),
    proof: [type('@'), ...save],
    happened: (after) => cursorIn(after) !== from,
  }));
}

function cursorIn({ files }: Truth): string {
  const before = (files['lines.txt'] ?? '').split('@')[0]?.split('\n') ?? [];
  return `${before.length}:${(before.at(-1) ?? '').length + 1}`;
}

function texts(file: string, sent: readonly string[]): EffectCase[] {
  return sent.map((text, i) => ({
    name: `type ${text}`,
    first: [...(i === 0 ? open(file) : []), key('ctrl+End'), key('Return'), key('Home')],
    act: type(text),
    proof: [key('Escape'), ...save],
    happened: grew(text),
  }));
}
