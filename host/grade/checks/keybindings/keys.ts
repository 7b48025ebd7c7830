const order = ['ctrl', 'shift', 'alt', 'meta'];
const otherNames: Readonly<Record<string, string>> = {
  cmd: 'meta',
  win: 'meta',
  control: 'ctrl',
  option: 'alt',
};

/** The chords of a key, each in one way of writing it: `Alt+CTRL+F` is `ctrl+alt+f`. */
export function chordsOf(key: string): string[] {
  return key
    .toLowerCase()
    .split(/\s+/)
    .filter((chord) => chord !== '')
    .map(chordOf);
}

function chordOf(chord: string): string {
  const parts = chord.split('+').map((part) => otherNames[part] ?? part);
  const modifiers = order.filter((name) => parts.includes(name));
  const rest = parts.filter((part) => !order.includes(part)).map(plainKey);
  return [...modifiers, ...rest].join('+');
}

/** The key itself where a rule names its place on the keyboard, e.g. `[KeyF]`. */
function plainKey(name: string): string {
  const [, letter, digit] = /^\[(?:key([a-z])|digit(\d))\]$/.exec(name) ?? [];
  return letter ?? digit ?? name;
}
