export interface CommandEntry {
  readonly command: string;
  /** With its category, e.g. `Git: Commit`; empty if unknown. */
  readonly title: string;
}

export interface CommandsFound {
  /** The best first; the same are in order of their ids. */
  readonly found: readonly CommandEntry[];
  /** False: none has all words, and these have most of them. */
  readonly allWords: boolean;
}

/**
 * Finds commands by the words of their ids and titles, in any order, whatever their case. VS Code reports no titles of
 * its own commands, so a title that a person reads there (*View: Toggle Minimap*) may have a word that the id
 * (`editor.action.toggleMinimap`) lacks. So where no command has all words, those with most of them are found, at
 * least half.
 */
export function searchCommands(query: string, commands: readonly CommandEntry[]): CommandsFound {
  const asked = [...new Set(wordsOf(query))];
  const ranked = commands
    .map((entry) => ({ entry, ...matchOf(entry, asked) }))
    .sort((a, b) => b.has - a.has || b.whole - a.whole || compare(a.entry.command, b.entry.command));
  const most = ranked[0]?.has ?? 0;
  const found = most * 2 < asked.length || (most === 0 && asked.length > 0) ? [] : ranked;
  return {
    found: found.filter(({ has }) => has === most).map(({ entry }) => entry),
    allWords: most === asked.length,
  };
}

/** How many of the words it has, and how many of these as whole words. */
function matchOf({ command, title }: CommandEntry, asked: readonly string[]): { has: number; whole: number } {
  const text = `${command} ${title}`.toLowerCase();
  const has = asked.filter((word) => text.includes(word));
  const words = has.length === 0 ? [] : wordsOf(`${command} ${title}`);
  return { has: has.length, whole: has.filter((word) => words.includes(word)).length };
}

/** Of an id, a title or a question: `openSettingsJson` has three. */
function wordsOf(text: string): string[] {
  return text
    .replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((word) => word !== '');
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
