import type { Truth } from '../truth.ts';
import { changed, type EffectCase, goTo, grew, key, open, same, save, tab, type } from './case.ts';

const files = ['README.md', 'app.py', 'walk.js', 'lines.txt'];
const menu = 'xdotool mousemove 900 300 click 3';
const into = 'xdotool mousemove 900 250 click 1';

/** Tabs, quick open, the explorer and the terminal. */
export const workbenchCases: readonly EffectCase[] = [
  ...files.flatMap((name): EffectCase[] => [
    {
      name: `look for ${name}`,
      first: [key('ctrl+p')],
      act: type(name),
      proof: [key('Return')],
      happened: tab(name),
    },
    {
      name: `look for ${name} instead`,
      first: [key('ctrl+p'), type('zzz'), key('ctrl+a')],
      act: type(name),
      proof: [key('Return')],
      happened: tab(name),
    },
    {
      name: `the same again for ${name}`,
      first: [key('ctrl+p'), type(name), key('ctrl+a')],
      act: type(name),
      proof: [key('Return')],
      happened: tab(name),
    },
  ]),
  ...files.map((name): EffectCase => ({
    name: `open ${name}`,
    first: open(name).slice(0, -1),
    act: key('Return'),
    happened: tab(name),
  })),
  { name: 'open nothing', first: [key('ctrl+p'), type('zzzqqq')], act: key('Return'), happened: changed },
  { name: 'leave quick open', act: key('Escape'), happened: same },
  ...files.map((name): EffectCase => ({
    name: `click tab ${name}`,
    act: { click: { role: 'tab', name: new RegExp(`^${name}`) } },
    happened: tab(name),
  })),
  ...files.map((name): EffectCase => ({
    name: `click row ${name}`,
    first: [key('ctrl+shift+e')],
    act: { click: { role: 'treeitem', name: new RegExp(`^${name}`) } },
    happened: tab(name),
  })),
  ...['ctrl+Next', 'ctrl+Next', 'ctrl+Prior', 'ctrl+w', 'ctrl+shift+t', 'ctrl+w'].map((name): EffectCase => ({
    name: `${name} among tabs`,
    act: key(name),
    happened: changed,
  })),
  { name: 'split', act: key('ctrl+backslash'), happened: changed },
  { name: 'join', act: key('ctrl+w'), happened: changed },
  { name: 'close all', act: 'xdotool key ctrl+k key ctrl+w', happened: ({ tabs }) => tabs.length === 0 },
  { name: 'next tab of none', act: key('ctrl+Next'), happened: changed },
  { name: 'split none', first: [key('Escape')], act: key('ctrl+alt+F9'), happened: changed },

  ...pointing(),
  ...renames(),
  ...terminal(),
];

/** Clicks into an editor over which something else may lie. */
function pointing(): EffectCase[] {
  const at = (name: string, first: readonly string[], leave: readonly string[]): EffectCase => ({
    name,
    first: [...open('lines.txt'), key('ctrl+z'), ...save, key('ctrl+End'), ...first],
    act: into,
    proof: [...leave, type('@'), ...save],
    happened: ({ files }) => !(files['lines.txt'] ?? '').endsWith('@'),
  });
  return [
    at('click a line', [], []),
    at('click a line beside a menu', [menu], [key('Escape')]),
    at('click a line below a find widget', [key('ctrl+f')], []),
    at('click a line beside suggestions', [key('ctrl+space')], []),
    at('click a line below quick open', [key('ctrl+p')], []),
    at('click a line behind a question', [type('%'), key('ctrl+w')], [key('Escape')]),
    {
      name: 'type into a question',
      first: [type('%'), key('ctrl+w')],
      act: type('abc'),
      proof: [key('Escape'), ...save],
      happened: grew('abc'),
    },
    {
      name: 'type into a side bar',
      first: [...save, key('ctrl+shift+e')],
      act: type('q5'),
      proof: [key('Escape'), ...save],
      happened: grew('q5'),
    },
  ];
}

function renames(): EffectCase[] {
  const holds = (name: string) => (after: Truth) => Object.keys(after.files).includes(name);
  const row = { click: { role: 'treeitem', name: /^edits/ } };
  return [
    {
      name: 'rename a file',
      first: [key('ctrl+shift+e'), row, key('F2'), key('ctrl+a')],
      act: type('other.txt'),
      proof: [key('Return')],
      happened: holds('other.txt'),
    },
    {
      name: 'take a new name',
      first: [key('F2'), key('ctrl+a'), type('third.txt')],
      act: key('Return'),
      happened: holds('third.txt'),
    },
    {
      name: 'leave a new name',
      first: [key('F2'), key('ctrl+a'), type('fourth.txt')],
      act: key('Escape'),
      happened: same,
    },
  ];
}

function terminal(): EffectCase[] {
  const made = (name: string) => (after: Truth) => name in after.files;
  return [
    {
      name: 'a command of a terminal',
      first: [key('ctrl+grave')],
      act: type('echo 1 > t1'),
      proof: [key('Return')],
      happened: made('t1'),
    },
    { name: 'run a command', first: [type('echo 2 > t2')], act: key('Return'), happened: made('t2') },
    {
      name: 'a long command',
      act: type(`echo ${'word '.repeat(60)} > t3`),
      proof: [key('Return')],
      happened: made('t3'),
    },
    { name: 'a command and Return', act: type('echo 4 > t4\n'), happened: made('t4') },
    {
      name: 'drop a command',
      first: [type('echo 5 > t5')],
      act: key('ctrl+c'),
      proof: [key('Return')],
      happened: (after) => !('t5' in after.files),
    },
    {
      name: 'what is not echoed',
      first: [type('read -s x; echo $x > t6\n')],
      act: type('secret'),
      proof: [key('Return')],
      happened: grew('secret'),
    },
    {
      name: 'a key that is not echoed',
      first: [type('read -s x; echo $x > t7\n')],
      act: key('k'),
      proof: [key('Return')],
      happened: (after) => after.files['t7'] === 'k\n',
    },
    {
      name: 'while a command runs',
      first: [type('sleep 4\n')],
      act: type('echo 8 > t8'),
      proof: ['xdotool key Return sleep 4'],
      happened: made('t8'),
    },
    {
      name: 'a shell edits a line',
      first: [type('echo 99 > t9')],
      act: key('BackSpace'),
      proof: [type('10\n')],
      happened: made('t10'),
    },
    { name: 'back to the editor', act: key('ctrl+1'), proof: [type('~~'), ...save], happened: grew('~~') },
    {
      name: 'a line of many',
      first: [...open('lines.txt'), ...goTo(3)],
      act: type('third '),
      proof: save,
      happened: grew('third '),
    },
  ];
}
