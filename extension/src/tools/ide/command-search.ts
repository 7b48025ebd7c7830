interface CommandEntry {
  readonly command: string;
  /** With its category, e.g. `Git: Commit`; empty if unknown. */
  readonly title: string;
}

interface CommandsFound {
  /** Best first; equally good ones by id. */
  readonly found: readonly CommandEntry[];
  /** False: no command has all words, and these have most of them. */
  readonly allWords: boolean;
}

/**
 * Finds commands by the words of their ids and titles, in any order, ignoring case. VS Code reports no titles of its own
 * commands, so a title that a person reads there (*View: Toggle Minimap*) may have a word that the id
 * (`editor.action.toggleMinimap`) lacks. So if no command has all words, it finds those with most of them, at least half.
 */
export function searchCommands(query: string, commands: readonly CommandEntry[]): CommandsFound {
  const asked = [...new Set(splitWords(query))];
  const ranked = commands
    .map((entry) => ({ entry, ...scoreCommand(entry, asked) }))
    .sort((a, b) => b.has - a.has || b.whole - a.whole || compareCommands(a.entry.command, b.entry.command));
  const most = ranked[0]?.has ?? 0;
  const found = most * 2 < asked.length || (most === 0 && asked.length > 0) ? [] : ranked;
  return {
    found: found.filter(({ has }) => has === most).map(({ entry }) => entry),
    allWords: most === asked.length,
  };
}

/** How many of the words a command has, and how many of these as whole words. */
function scoreCommand(
  { command, title }: CommandEntry,
  asked: readonly string[],
): { has: number; whole: number } {
  const text = `${command} ${title}`.toLowerCase();
  const has = asked.filter((word) => text.includes(word));
  const words = has.length === 0 ? [] : splitWords(`${command} ${title}`);
  return { has: has.length, whole: has.filter((word) => words.includes(word)).length };
}

/** The words of an id, a title or a query: `openSettingsJson` has three. */
function splitWords(text: string): string[] {
  return text
    .replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((word) => word !== '');
}

function compareCommands(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
