import { keyMeant } from '../../node/index.ts';

/** Names that models use for keys, besides those of X and xdotool, in lower case. */
const names: Readonly<Record<string, string>> = {
  arrowleft: 'Left',
  arrowright: 'Right',
  arrowup: 'Up',
  arrowdown: 'Down',
  left: 'Left',
  right: 'Right',
  up: 'Up',
  down: 'Down',
  enter: 'Return',
  return: 'Return',
  esc: 'Escape',
  escape: 'Escape',
  space: 'space',
  spacebar: 'space',
  backspace: 'BackSpace',
  del: 'Delete',
  delete: 'Delete',
  ins: 'Insert',
  insert: 'Insert',
  tab: 'Tab',
  home: 'Home',
  end: 'End',
  pageup: 'Page_Up',
  page_up: 'Page_Up',
  pagedown: 'Page_Down',
  page_down: 'Page_Down',
  capslock: 'Caps_Lock',
  numlock: 'Num_Lock',
  scrolllock: 'Scroll_Lock',
  printscreen: 'Print',
  print_screen: 'Print',
  prtsc: 'Print',
  apps: 'Menu',
  contextmenu: 'Menu',
  context_menu: 'Menu',
  altgr: 'ISO_Level3_Shift',
  add: 'KP_Add',
  subtract: 'KP_Subtract',
  multiply: 'KP_Multiply',
  divide: 'KP_Divide',
  decimal: 'KP_Decimal',
  cmd: 'super',
  command: 'super',
  win: 'super',
  windows: 'super',
  meta: 'super',
  super: 'super',
  option: 'alt',
  alt: 'alt',
  ctrl: 'ctrl',
  control: 'ctrl',
  shift: 'shift',
};

/** Signs that would be misread in xdotool's chords, or that have names in X. */
const signs: Readonly<Record<string, string>> = { '+': 'plus', '-': 'minus', ' ': 'space' };

/** A key as models name it, as the executor knows it: `ENTER` is Return, `f5` is F5, `KP_ADD` is KP_Add. */
export function keyWord(name: string): string {
  const lower = name.toLowerCase();
  if (Object.hasOwn(names, lower)) return names[lower] ?? name;
  if (Object.hasOwn(signs, name)) return signs[name] ?? name;
  if (/^f\d{1,2}$/.test(lower)) return lower.toUpperCase();
  const numpad = /^num(?:pad)?_?(\d|add|subtract|multiply|divide|decimal|enter)$/.exec(lower)?.[1];
  return keyMeant(numpad === undefined ? name : `KP_${numpad}`);
}

/** The keys of a chord such as `ctrl+shift+p`. A sign alone or at the end may be a plus: `ctrl++`. */
export function chordOf(text: string): string[] {
  if (text === '+') return ['plus'];
  const keys = text.endsWith('++') ? [...text.slice(0, -2).split('+'), 'plus'] : text.split('+');
  return keys.map((key) => keyWord(key.trim()));
}
