import { type EffectCase, key, type } from './case.ts';

const search = (id: string) => ['xdotool key ctrl+comma', 'xdotool key ctrl+a', type(`@id:${id}`)];
/** The control of a setting has the setting's name. */
const control = (role: string, id: string) => ({
  click: { role, name: new RegExp(id.replaceAll('.', '\\.')) },
});

const switches = [
  'editor.minimap.enabled',
  'editor.stickyScroll.enabled',
  'breadcrumbs.enabled',
  'explorer.confirmDelete',
  'editor.dragAndDrop',
  'editor.links',
  'files.trimTrailingWhitespace',
  'files.insertFinalNewline',
  'explorer.compactFolders',
  'editor.formatOnPaste',
];
const numbers = [
  'files.autoSaveDelay',
  'editor.quickSuggestionsDelay',
  'editor.minimap.maxColumn',
  'editor.wordWrapColumn',
];
const texts = ['editor.fontFamily', 'files.defaultLanguage', 'terminal.integrated.fontFamily'];

/** Clicks and text in the settings editor, which end up in settings.json or don't. */
export const settingsCases: readonly EffectCase[] = [
  ...switches.flatMap(ticks),
  ...numbers.flatMap((id) => fills(id, 'spinbutton', ['700', '500'])),
  ...numbers.map(letters),
  ...texts.flatMap((id) => fills(id, 'textbox', ['alpha', 'beta'])),
  { name: 'close the settings', act: key('ctrl+w'), happened: (after) => !after.tabs.includes('Settings*') },
];

function ticks(id: string): EffectCase[] {
  const toggled = (name: string, first?: readonly string[]): EffectCase => ({
    name,
    ...(first && { first }),
    act: control('checkbox', id),
    late: true,
    happened: (after, before) => after.settings[id] !== before.settings[id],
  });
  return [toggled(`toggle ${id}`, search(id)), toggled(`toggle ${id} back`)];
}

function fills(id: string, role: string, [one, two]: readonly [string, string]): EffectCase[] {
  const holds =
    (value: string): EffectCase['happened'] =>
    (after) =>
      String(after.settings[id]) === value;
  return [
    {
      name: `click ${id}`,
      first: search(id),
      act: control(role, id),
      proof: [key('ctrl+a'), type(one)],
      late: true,
      happened: holds(one),
    },
    { name: `type over ${id}`, first: [key('ctrl+a')], act: type(two), late: true, happened: holds(two) },
    { name: `the same into ${id}`, first: [key('ctrl+a')], act: type(two), late: true, happened: holds(two) },
    {
      name: `fill ${id} by one batch`,
      act: `xdotool key ctrl+a type ${one}`,
      late: true,
      happened: holds(one),
    },
  ];
}

/** A number field accepts no letters. */
function letters(id: string): EffectCase {
  return {
    name: `letters into ${id}`,
    first: [...search(id), key('Down'), key('Return'), key('ctrl+a')],
    act: type('abc'),
    late: true,
    happened: (after, before) => after.settings[id] !== before.settings[id],
  };
}
