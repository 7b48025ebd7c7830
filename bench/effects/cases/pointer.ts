import type { Truth } from '../truth.ts';
import { changed, type EffectCase, goTo, grew, key, open, save, tab, type } from './case.ts';

const closeAll = 'xdotool key ctrl+k key ctrl+w';
const click = (role: string, name: RegExp) => ({ click: { role, name } });
const command = (title: string) => [key('F1'), type(title), key('Return')];
const noTab = (name: string) => (after: Truth) =>
  !after.tabs.some((label) => label.replace('*', '') === name);
const line = (name: string) => click('line', new RegExp(`^\\s*${name}`));

/** Clicks of all kinds, menus, dialogs, breakpoints, drop-down lists, and fields that are small editors. */
export const pointerCases: readonly EffectCase[] = [
  ...tabs(),
  ...selections(),
  ...breakpoints(),
  ...dialogs(),
  ...commands(),
  ...lists(),
  ...smallEditors(),
];

function tabs(): EffectCase[] {
  return [
    {
      name: 'keep a preview',
      first: [closeAll, key('ctrl+shift+e')],
      act: 'xdotool mousemove 160 143 click 1',
      happened: (after) => after.previews.length === 1,
    },
    {
      name: 'double-click a row',
      act: { verb: 'double_click', ...click('treeitem', /^app/) },
      happened: (after) => tab('app.py')(after) && !after.previews.includes('app.py'),
    },
    {
      name: 'middle-click a tab',
      act: { verb: 'middle_click', ...click('tab', /^app/) },
      happened: noTab('app.py'),
    },
    {
      name: 'close a tab by its button',
      first: open('walk.js'),
      act: click('button', /^Close \(/),
      happened: noTab('walk.js'),
    },
    {
      name: 'right-click a tab',
      first: [...open('walk.js'), ...open('README.md')],
      act: { verb: 'right_click', ...click('tab', /^walk/) },
      proof: [key('Down'), key('Return')],
      happened: noTab('walk.js'),
    },
    {
      name: 'choose from a menu',
      first: [...open('walk.js'), { verb: 'right_click', ...click('tab', /^walk/) }],
      act: click('menuitem', /^Close Others/),
      happened: (after) => after.tabs.join() === 'walk.js*',
    },
    {
      name: 'leave a menu',
      first: [{ verb: 'right_click', ...click('tab', /^walk/) }],
      act: key('Escape'),
      proof: [key('Down'), key('Return')],
      happened: (after) => tab('walk.js')(after),
    },
  ];
}

/** Text that is typed afterwards replaces the selection. */
function selections(): EffectCase[] {
  const replaced = (text: string) => (after: Truth) => !(after.files['lines.txt'] ?? '').includes(text);
  const proof = [type('@@'), ...save];
  const undone = [key('ctrl+z'), key('ctrl+z'), ...save];
  const fresh = [...open('lines.txt'), key('ctrl+Home')];
  return [
    { name: 'click a line by its mark', first: fresh, act: line('line 7'), proof, happened: grew('@@') },
    {
      name: 'double-click a word',
      first: [...undone, key('ctrl+Home')],
      act: { verb: 'double_click', ...line('line 8') },
      proof,
      happened: replaced('line 8\n'),
    },
    {
      name: 'triple-click a line',
      first: [...undone, key('ctrl+Home')],
      act: { verb: 'triple_click', ...line('line 9') },
      proof,
      happened: replaced('line 9\n'),
    },
    {
      name: 'drag over lines',
      first: [...undone, key('ctrl+Home')],
      act: JSON.stringify({
        action: 'left_click_drag',
        start_coordinate: [500, 200],
        coordinate: [500, 260],
      }),
      proof,
      happened: (after, before) =>
        (after.files['lines.txt'] ?? '').split('\n').length <
        (before.files['lines.txt'] ?? '').split('\n').length,
    },
    ...(['ctrl+a', 'ctrl+l', 'ctrl+d', 'shift+Down'] as const).map((name): EffectCase => ({
      name: `${name} selects`,
      first: [...undone, ...goTo(5)],
      act: key(name),
      proof,
      happened: replaced('line 5\n'),
    })),
    {
      name: 'shift+Up selects nothing',
      first: [...undone, key('ctrl+Home')],
      act: key('shift+Up'),
      proof: [type('@@'), ...save],
      happened: replaced('line 1\n'),
    },
    { name: 'undo it', act: key('ctrl+z'), proof: save, happened: changed },
  ];
}

function breakpoints(): EffectCase[] {
  const has = (place: string) => (after: Truth) => after.breakpoints.includes(place);
  return [
    {
      name: 'F9 sets a breakpoint',
      first: [...open('app.py'), ...goTo(7)],
      act: key('F9'),
      happened: has('app.py:7'),
    },
    {
      name: 'F9 removes it',
      act: key('F9'),
      happened: (after) => !has('app.py:7')(after),
    },
    { name: 'F9 in a text', first: open('lines.txt'), act: key('F9'), happened: changed },
    {
      name: 'a condition of a breakpoint',
      first: [...open('app.py'), ...goTo(13), ...command('debug: add conditional breakpoint')],
      act: type('name == 1'),
      proof: [key('Return')],
      happened: has('app.py:13'),
    },
  ];
}

function dialogs(): EffectCase[] {
  const asked = [
    ...open('edits.txt').map((one) => one.replace('edits', 'third')),
    key('ctrl+End'),
    type('%%'),
    key('ctrl+w'),
  ];
  return [
    { name: 'cancel a question', first: asked, act: key('Escape'), proof: save, happened: grew('%%') },
    {
      name: 'the question of a tab',
      first: [type('%%')],
      act: key('ctrl+w'),
      proof: [key('Return')],
      happened: grew('%%'),
    },
    { name: 'save by a button', first: asked, act: click('button', /^Save$/), happened: grew('%%') },
    {
      name: "don't save by a button",
      first: asked,
      act: click('button', /^Don't Save$/),
      happened: noTab('third.txt'),
    },
    { name: 'save by Return', first: asked, act: key('Return'), happened: grew('%%') },
  ];
}

function commands(): EffectCase[] {
  const run = (title: string, happened: EffectCase['happened']): EffectCase => ({
    name: `run ${title}`,
    first: command(title).slice(0, -1),
    act: key('Return'),
    happened,
    late: true,
  });
  return [
    run('view: toggle minimap', changed),
    run('view: toggle minimap', changed),
    run('file: toggle auto save', changed),
    run('file: toggle auto save', changed),
    {
      name: 'open the keybindings',
      act: 'xdotool key ctrl+k key ctrl+s',
      happened: (after) => after.tabs.includes('Keyboard Shortcuts*'),
    },
    run('view: close all editors', ({ tabs }) => tabs.length === 0),
    run('zzqqxx', changed),
  ];
}

function lists(): EffectCase[] {
  const setting = (id: string) => [key('Escape'), key('ctrl+comma'), key('ctrl+a'), type(`@id:${id}`)];
  return [
    {
      name: 'open a drop-down list',
      first: setting('editor.cursorStyle'),
      act: click('combobox', /cursorStyle/),
      proof: [key('Down'), key('Return')],
      late: true,
      happened: (after, before) =>
        after.settings['editor.cursorStyle'] !== before.settings['editor.cursorStyle'],
    },
    {
      name: 'choose from it',
      first: [click('combobox', /cursorStyle/), key('Down')],
      act: key('Return'),
      late: true,
      happened: (after, before) =>
        after.settings['editor.cursorStyle'] !== before.settings['editor.cursorStyle'],
    },
    {
      name: 'leave it',
      first: [click('combobox', /cursorStyle/), key('Down')],
      act: key('Escape'),
      late: true,
      happened: (after, before) =>
        after.settings['editor.cursorStyle'] === before.settings['editor.cursorStyle'],
    },
    ...['editor.minimap.enabled', 'editor.links'].flatMap((id): EffectCase[] => [
      {
        name: `space ticks ${id}`,
        first: [...setting(id), key('Down'), key('Return')],
        act: key('space'),
        late: true,
        happened: (after, before) => after.settings[id] !== before.settings[id],
      },
      {
        name: `a letter does not tick ${id}`,
        act: key('q'),
        late: true,
        happened: (after, before) => after.settings[id] !== before.settings[id],
      },
    ]),
    {
      name: 'close these settings',
      act: key('ctrl+w'),
      happened: (after) => !after.tabs.includes('Settings*'),
    },
  ];
}

/** Boxes that are small editors, and fields within an editor. */
function smallEditors(): EffectCase[] {
  const [find, replace] = [click('textbox', /^Find$/), click('textbox', /^Replace$/)];
  return [
    {
      name: 'a new name of a symbol',
      first: [...open('walk.js'), ...goTo(1), key('ctrl+Right'), key('ctrl+Right'), key('F2'), key('ctrl+a')],
      act: type('amount'),
      proof: [key('Return'), ...save],
      happened: grew('amount'),
    },
    {
      name: 'what to find',
      first: [key('ctrl+Home'), key('ctrl+f'), key('ctrl+a')],
      act: type('amount'),
      proof: [key('Escape'), type('many'), ...save],
      happened: grew('many'),
    },
    {
      name: 'the same to find',
      first: [key('ctrl+z'), ...save, key('ctrl+f'), key('ctrl+a')],
      act: type('amount'),
      proof: [key('Escape'), type('many'), ...save],
      happened: grew('many'),
    },
    {
      name: 'what to put in its place',
      first: [
        key('ctrl+z'),
        ...save,
        key('ctrl+h'),
        find,
        key('ctrl+a'),
        type('amount'),
        replace,
        key('ctrl+a'),
      ],
      act: type('quantity'),
      proof: [key('ctrl+alt+Return'), key('Escape'), ...save],
      happened: grew('quantity'),
    },
    {
      name: 'replace all by a key',
      first: [key('ctrl+h'), find, key('ctrl+a'), type('quantity'), replace, key('ctrl+a'), type('share')],
      act: key('ctrl+alt+Return'),
      proof: [key('Escape'), ...save],
      happened: grew('share'),
    },
    {
      name: 'a message of a commit',
      first: [key('Escape'), key('ctrl+shift+g'), 'xdotool sleep 1'],
      act: type('what was done'),
      proof: [key('ctrl+Return'), 'xdotool sleep 1', key('Return'), 'xdotool sleep 2'],
      happened: (after) => after.commits.includes('what was done'),
    },
    {
      name: 'a key of search',
      first: [key('ctrl+shift+f'), key('ctrl+a')],
      act: type('line 11'),
      proof: ['xdotool key Return sleep 1', key('ctrl+Down'), key('Return')],
      happened: (after) => after.tabs.some((label) => label.endsWith('.txt*')),
    },
    {
      name: 'back to the files',
      first: [key('ctrl+shift+e')],
      act: click('treeitem', /^README/),
      happened: tab('README.md'),
    },
  ];
}
