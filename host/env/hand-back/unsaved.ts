import { createTwoFilesPatch } from 'diff';
import type { Sandbox } from '../../node/index.ts';
import type { Snapshot } from './snapshot.ts';

/** Texts that differ in more lines are not compared line by line: their author could make that take long. */
const mostEdits = 2000;
const compareMs = 500;
/** A larger file is only named; in bytes. */
const fileBytes = 1_000_000;

/** Text that people typed and did not save, by two states of the IDE. */
export interface UnsavedChanges {
  /** One line for each editor that was not saved before either. */
  readonly lines: readonly string[];
  /** With one line around each change. */
  readonly diff: string;
}

/**
 * Compares the texts of unsaved editors with their earlier texts, or with the file if they were saved before.
 * @param read reads a file as it is now; null if it does not exist
 */
export async function unsavedChanges(
  before: Snapshot['unsaved'],
  after: Snapshot['unsaved'],
  read: (path: string) => Promise<string | null>,
): Promise<UnsavedChanges> {
  if (!before || !after) return { lines: [], diff: '' };
  const changed = Object.entries(after).filter(([name, { hash }]) => before[name]?.hash !== hash);
  const known = changed.filter(([name]) => before[name] !== undefined).map(([name]) => name);
  const diffs = await Promise.all(
    changed.map(async ([name, { text }]) => {
      const old = before[name] ? before[name].text : await read(name);
      return text === null || old === null ? '' : patchOf(name, old, text);
    }),
  );
  return {
    lines: known.map((name) => `changed and still not saved: ${name}`),
    diff: diffs.filter((diff) => diff !== '').join('\n'),
  };
}

function patchOf(name: string, old: string, text: string): string {
  const options = { context: 1, maxEditLength: mostEdits, timeout: compareMs };
  const patch = createTwoFilesPatch(name, `${name} (not saved)`, old, text, undefined, undefined, options);
  return (patch ?? '').replace(/^=+\n/, '').trimEnd();
}

/** The text of a file in the sandbox; empty for an editor without a file. */
export async function fileText(sandbox: Sandbox, path: string): Promise<string | null> {
  if (!path.startsWith('/')) return '';
  const bytes = await sandbox.readFile(path, fileBytes).catch(() => null);
  return bytes && Buffer.from(bytes).toString('utf8');
}
