/** One earlier state of a file. */
export interface HistoryEntry {
  readonly content: string | Uint8Array;
  /** When it was saved: milliseconds since 1970. */
  readonly timestamp: number;
  /** Its name in the Timeline; `File Saved` by default. */
  readonly source?: string;
}

export interface History {
  /** The file, relative to the workspace. */
  readonly path: string;
  /** Oldest first. */
  readonly entries: readonly HistoryEntry[];
}

/** VS Code's local history of one file, as the files below `environment/ide/` that its Timeline view reads. */
export function localHistory({ path, entries }: History): Record<string, string | Uint8Array> {
  // The window is a remote one, and its files have the scheme of one.
  const resource = `vscode-remote://127.0.0.1:8080/workspace/${path}`;
  const folder = `environment/ide/data/User/History/${historyHash(resource)}`;
  const listed = entries.map(({ timestamp, source }, index) => ({
    id: entryName(path, index),
    ...(source === undefined ? {} : { source }),
    timestamp,
  }));
  return {
    [`${folder}/entries.json`]: JSON.stringify({ version: 1, resource, entries: listed }),
    ...Object.fromEntries(
      entries.map(({ content }, index) => [`${folder}/${entryName(path, index)}`, content]),
    ),
  };
}

/** VS Code makes them up at random: four letters or digits, and the file's ending. */
function entryName(path: string, index: number): string {
  const ending = /\.[^./]+$/.exec(path)?.[0] ?? '';
  const digits = 'abcdefghijklmnopqrstuvwxyz';
  const letter = (position: number) => digits[(index * 7 + position * 11 + path.length) % 26] ?? 'a';
  return `${letter(0)}${index.toString(36).padStart(2, '0')}${letter(1)}${ending}`;
}

/** VS Code's hash of a text, in hexadecimal with its sign. */
export function historyHash(text: string): string {
  let hash = 149_417;
  for (let index = 0; index < text.length; index++) {
    hash = ((hash << 5) - hash + text.charCodeAt(index)) | 0;
  }
  return hash.toString(16);
}
