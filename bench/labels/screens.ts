/** One state of the workbench. */
export interface LabelScreen {
  readonly name: string;
  /** User settings that apply from here on. */
  readonly settings?: Readonly<Record<string, string | boolean>>;
  /** xdotool commands that bring it up. */
  readonly steps: readonly string[];
  /** xdotool commands that close it. */
  readonly close?: readonly string[];
}

const escape = ['key Escape'];
const closeModal = ['key Escape', 'key Escape', 'key Escape'];

function command(name: string): readonly string[] {
  return ['key F1', `type '${name}'`, 'key Return'];
}

function open(file: string): readonly string[] {
  return ['key ctrl+p', `type '${file}'`, 'key Return'];
}

/** A shell command that makes the workspace. */
export const files = `mkdir -p src && cat > src/app.js <<'END'
const { greet } = require('./greet');

/** Adds up the lengths. See [the manual](https://example.org/manual). */
function total(names) {
  let sum = 0;
  for (const name of names) {
    sum += name.length;
  }
  return sum;
}

console.log(greet('world'), total(['a', 'bc']));
END
printf 'exports.greet = (name) => "hello " + name;\\n' > src/greet.js
printf '{ "a": 1,, }\\n' > src/broken.json
printf '# Notes\\n\\n- [the source](src/app.js)\\n- [the site](https://example.org)\\n' > notes.md
git init -q -b main && git add . && git -c user.name=a -c user.email=a@b commit -qm first
printf '// changed\\n' >> src/greet.js`;

/** In an order in which each can be shown after the previous one. */
export const screens: readonly LabelScreen[] = [
  { name: 'editor and explorer', steps: [...open('app.js'), 'key ctrl+shift+e'] },
  { name: 'terminal', steps: ['key ctrl+grave', "type 'ls -la /\n'"] },
  { name: 'problems', steps: [...open('broken.json'), 'key ctrl+shift+m'] },
  { name: 'find and replace', steps: [...open('app.js'), 'key ctrl+h', "type 'name'"], close: escape },
  {
    name: 'suggestions',
    steps: [...command('View: Hide Panel'), ...open('app.js'), 'key ctrl+End', 'key ctrl+space'],
    close: escape,
  },
  { name: 'preview beside', steps: [...open('notes.md'), 'key ctrl+k v'], close: ['key ctrl+w'] },
  { name: 'search', steps: ['key ctrl+shift+f', "type 'greet\n'"] },
  { name: 'source control', steps: ['key ctrl+shift+g'] },
  { name: 'run and debug', steps: ['key ctrl+shift+d'] },
  { name: 'extensions', steps: ['key ctrl+shift+x'] },
  { name: 'quick open', steps: ['key ctrl+shift+e', 'key ctrl+p'], close: escape },
  { name: 'command palette', steps: ['key F1', "type 'toggle'"], close: escape },
  { name: 'settings', steps: ['key ctrl+comma', "type 'auto save'"], close: closeModal },
  { name: 'list setting', steps: ['key ctrl+comma', "type 'files.exclude'"], close: closeModal },
  { name: 'keyboard shortcuts', steps: ['key ctrl+k ctrl+s', "type 'list'"], close: closeModal },
  { name: 'context menu', steps: [...open('app.js'), 'key shift+F10'], close: escape },
  { name: 'notification', steps: command('Programming with Pixels: Show Connection') },
  {
    name: 'light theme, split editor',
    settings: { 'workbench.colorTheme': 'Light Modern' },
    steps: [...open('app.js'), 'key ctrl+backslash', 'key ctrl+shift+e'],
  },
  { name: 'light theme, palette', steps: ['key F1', "type 'view'"], close: escape },
  {
    name: 'high contrast, terminal',
    settings: { 'workbench.colorTheme': 'Default High Contrast Light' },
    steps: ['key ctrl+grave', "type 'ls -la /\n'"],
  },
];
