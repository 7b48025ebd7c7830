/** Names that models give to keys, beside X's own and xdotool's, in lower case. */
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
  printscreen: 'Print',
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

/** Signs by which xdotool's chords would be misread, or that have names of their own in X. */
const signs: Readonly<Record<string, string>> = { '+': 'plus', '-': 'minus', ' ': 'space' };

/** A key as models name it, as the executor knows it: `ENTER` is Return, `A` in a chord is the key a, `f5` is F5. */
export function keyWord(name: string): string {
  const lower = name.toLowerCase();
  if (Object.hasOwn(names, lower)) return names[lower] ?? name;
  if (Object.hasOwn(signs, name)) return signs[name] ?? name;
  if (/^f\d{1,2}$/.test(lower)) return lower.toUpperCase();
  return name;
}

/** The keys of a chord such as `ctrl+shift+p`. A sign alone or at the end may be a plus: `ctrl++`. */
export function chordOf(text: string): string[] {
  if (text === '+') return ['plus'];
  const keys = text.endsWith('++') ? [...text.slice(0, -2).split('+'), 'plus'] : text.split('+');
  return keys.map((key) => keyWord(key.trim()));
}
