import { badAction, named, type Word } from './word.ts';

/** xdotool commands that the executor does not have: the real program runs them, inside the sandbox. */
const binaryNames: ReadonlySet<string> = new Set([
  ...['search', 'getactivewindow', 'getwindowfocus', 'getwindowname', 'getwindowclassname', 'getwindowpid'],
  ...['getwindowgeometry', 'getdisplaygeometry', 'windowsize', 'windowmove', 'windowfocus', 'windowactivate'],
  ...[
    'windowraise',
    'windowlower',
    'windowmap',
    'windowunmap',
    'windowminimize',
    'windowclose',
    'windowquit',
  ],
  ...['windowkill', 'windowreparent', 'windowstate', 'set_window', 'set_num_desktops', 'get_num_desktops'],
  ...['set_desktop', 'get_desktop', 'set_desktop_for_window', 'get_desktop_for_window'],
  ...['set_desktop_viewport', 'get_desktop_viewport', 'version'],
]);

/** Commands and options that run programs, read files or wait for a person's click. */
const refused: Readonly<Record<string, string>> = {
  exec: "an xdotool line can't start programs",
  behave: "an xdotool line can't start programs",
  behave_screen_edge: "an xdotool line can't start programs",
  selectwindow: 'it waits for a click; search finds windows by name',
  '--file': 'give the text itself, in single quotes',
};

export function isBinaryCommand(text: string): boolean {
  return binaryNames.has(text);
}

/**
 * The words of one xdotool invocation with a command for the real program, which gets all of it, since commands pass
 * windows on to each other. Errors: `bad-action`.
 */
export function readBinary(words: readonly Word[]): string[] {
  for (const word of words) {
    const why = Object.hasOwn(refused, word.text) ? refused[word.text] : undefined;
    if (why !== undefined) throw badAction(`not here: ${named(word)}`, `${why}.`);
  }
  return words.map(({ text }) => text);
}
