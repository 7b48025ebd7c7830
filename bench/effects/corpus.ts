import type { Truth } from './truth.ts';

/** One action, and how to find out from VS Code's own state whether it did what was meant. */
export interface EffectCase {
  readonly name: string;
  /** Lines that bring the IDE into the state before it. */
  readonly first?: readonly string[];
  /** The action, or the mark that it clicks. */
  readonly act: string | { readonly click: { readonly role: string; readonly name: RegExp } };
  /** Lines after it that make what it did reach VS Code's files: text goes where the focus is. */
  readonly proof?: readonly string[];
  happened(after: Truth, before: Truth): boolean;
}

const tab = (name: string) => (after: Truth) => after.tabs.includes(`${name}*`);
const grew = (text: string) => (after: Truth, before: Truth) =>
  after.text.split(text).length > before.text.split(text).length;
const changed = (after: Truth, before: Truth) => JSON.stringify(after) !== JSON.stringify(before);
const open = (file: string) => ['xdotool key ctrl+p', `xdotool type '${file}'`, 'xdotool key Return'];
const search = (id: string) => ['xdotool key ctrl+comma', 'xdotool key ctrl+a', `xdotool type '@id:${id}'`];
const save = ['xdotool key ctrl+s'];
const [minimap, delay] = ['editor.minimap.enabled', 'files.autoSaveDelay'];

/** Actions with a known truth, one after the other in one IDE: some do what was meant, and some can't. */
export const effectCases: readonly EffectCase[] = [
  { name: 'click a file', act: { click: { role: 'treeitem', name: /^README/ } }, happened: tab('README.md') },
  { name: 'click another file', act: { click: { role: 'treeitem', name: /^app/ } }, happened: tab('app.py') },
  {
    name: 'type into a text',
    first: [...open('README.md'), 'xdotool key ctrl+Home'],
    act: "xdotool type 'one '",
    proof: save,
    happened: grew('one '),
  },
  { name: 'undo', act: 'xdotool key ctrl+z', proof: save, happened: changed },
  { name: 'redo', act: 'xdotool key ctrl+y', proof: save, happened: changed },
  { name: 'redo nothing', act: 'xdotool key ctrl+y', proof: save, happened: changed },
  {
    name: 'delete at the end',
    first: ['xdotool key ctrl+End'],
    act: 'xdotool key Delete',
    proof: save,
    happened: changed,
  },
  {
    name: 'delete the first character',
    first: ['xdotool key ctrl+Home'],
    act: 'xdotool key Delete',
    proof: save,
    happened: changed,
  },
  {
    name: 'click a line after quick open',
    first: ['xdotool key ctrl+p'],
    act: 'xdotool mousemove 900 600 click 1',
    proof: ["xdotool type 'two '", ...save],
    happened: grew('two '),
  },
  {
    name: 'click a line below a find widget',
    first: ['xdotool key ctrl+f'],
    act: 'xdotool mousemove 900 600 click 1',
    proof: ["xdotool type 'three '", ...save],
    happened: grew('three '),
  },
  {
    name: 'click a tab',
    first: [...open('README.md'), ...open('walk.js')],
    act: { click: { role: 'tab', name: /^README/ } },
    happened: tab('README.md'),
  },
  {
    name: 'click the tab again',
    act: { click: { role: 'tab', name: /^README/ } },
    happened: tab('README.md'),
  },
  { name: 'save what is saved', act: 'xdotool key ctrl+s', happened: changed },
  {
    name: 'type into a list',
    first: ['xdotool key ctrl+shift+e', 'xdotool key Up'],
    act: "xdotool type 'four '",
    proof: ['xdotool key Escape', ...save],
    happened: grew('four '),
  },
  {
    name: 'cancel a quick pick',
    first: ['xdotool key ctrl+p', "xdotool type 'app.py'"],
    act: 'xdotool key Escape',
    happened: (after, before) => !changed(after, before),
  },
  {
    name: 'to an editor',
    first: open('README.md'),
    act: 'xdotool key ctrl+Home',
    proof: ["xdotool type 'five '", ...save],
    happened: grew('five '),
  },
  { name: 'a key that does nothing', act: 'xdotool key F13', happened: changed },
  { name: 'a modifier alone', act: 'xdotool key ctrl', happened: changed },
  { name: 'close a tab', act: 'xdotool key ctrl+w', happened: changed },
  {
    name: 'untick a checkbox',
    first: search(minimap),
    act: { click: { role: 'checkbox', name: /minimap/i } },
    happened: ({ settings }) => settings[minimap] === false,
  },
  {
    name: 'tick it',
    act: { click: { role: 'checkbox', name: /minimap/i } },
    happened: ({ settings }) => settings[minimap] !== false,
  },
  {
    name: 'click a number',
    first: ['xdotool key Escape', ...search(delay)],
    act: { click: { role: 'spinbutton', name: /autoSaveDelay/ } },
    proof: ['xdotool key ctrl+a', "xdotool type '700'"],
    happened: ({ settings }) => settings[delay] === 700,
  },
  {
    name: 'type over a number',
    first: ['xdotool key ctrl+a'],
    act: "xdotool type '500'",
    happened: ({ settings }) => settings[delay] === 500,
  },
  {
    name: 'type the same number',
    first: ['xdotool key ctrl+a'],
    act: "xdotool type '500'",
    happened: ({ settings }) => settings[delay] === 500,
  },
  { name: 'close the settings', act: 'xdotool key Escape', happened: changed },
];
