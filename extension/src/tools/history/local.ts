import { readFile, readdir } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import * as vscode from 'vscode';
import { clip } from '../../../../bridge/lib/index.ts';
import { toolError } from '../../../../bridge/protocol/index.ts';
import { pathText, type Place } from '../place/index.ts';
import { maxFileBytes, readBytes } from '../text/index.ts';

/** One earlier version that VS Code's local history keeps. */
export interface LocalEntry {
  /** Name of its file beside entries.json. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Its cause, as the Timeline shows it. */
  readonly title: string;
  /** Absolute. */
  readonly file: string;
}

/** Maximum number of history folders that are searched: there is one for each file that was ever saved. */
const maxFolders = 20_000;

/** `entries.json`, as VS Code writes it. */
interface Index {
  readonly resource?: unknown;
  readonly entries?: readonly {
    readonly id?: unknown;
    readonly timestamp?: unknown;
    readonly source?: unknown;
  }[];
}

/**
 * The local history of a file, the newest first. VS Code's API has no call for it: it is read from the profile's
 * folder, where VS Code keeps it in windows on the web, too.
 * @param profile the folder of the user's profile
 */
export async function localEntries({ path, real }: Place, profile: vscode.Uri): Promise<LocalEntry[]> {
  const history = historyFolder(profile.fsPath);
  const folders = await readdir(history).catch(() => []);
  const wanted = new Set([path, real]);
  const found = await Promise.all(
    folders.slice(0, maxFolders).map((folder) => entriesIn(join(history, folder), wanted)),
  );
  return found.flat().sort((a, b) => b.time - a.time || (a.name < b.name ? 1 : -1));
}

/** Errors: `not-found`, and those of `readBytes`. */
export async function localBytes(where: Place, name: string, profile: vscode.Uri): Promise<Uint8Array> {
  const entry = (await localEntries(where, profile)).find((one) => one.name === name);
  if (!entry)
    throw toolError('not-found', `the local history of ${pathText(where.path)} has no ${name}`, {
      help: 'Take an id from list_history',
    });
  return (await readBytes(entry.file, `local:${name}`)).bytes;
}

/** One history for all profiles: it is beside `profiles/`, not in it. */
function historyFolder(profile: string): string {
  const [user = profile] = profile.split(`${sep}profiles${sep}`, 1);
  return join(user, 'History');
}

async function entriesIn(folder: string, wanted: ReadonlySet<string>): Promise<LocalEntry[]> {
  const { resource, entries } = await indexIn(folder);
  if (typeof resource !== 'string' || !wanted.has(pathOf(resource)) || !Array.isArray(entries)) return [];
  return entries.flatMap(({ id, timestamp, source }: Readonly<Record<string, unknown>>) => {
    // The name comes from a file: it may not lead elsewhere.
    if (typeof id !== 'string' || basename(id) !== id || typeof timestamp !== 'number') return [];
    const title = typeof source === 'string' ? source : 'File Saved';
    return [{ name: id, time: timestamp, title: titleOf(title), file: join(folder, id) }];
  });
}

async function indexIn(folder: string): Promise<Index> {
  try {
    const text = await readFile(join(folder, 'entries.json'), 'utf8');
    if (text.length > maxFileBytes) return {};
    return (JSON.parse(text) as Index | null) ?? {};
  } catch {
    // A file that is being written, or does not belong to the history.
    return {};
  }
}

/** Its scheme is file, or vscode-remote in a window on the web. */
function pathOf(resource: string): string {
  try {
    return vscode.Uri.parse(resource, true).path;
  } catch {
    return '';
  }
}

/** VS Code stores ids of its own sources, e.g. `undoRedo.source`. */
function titleOf(source: string): string {
  const words = source.replace(/\.source$/, '').replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');
  return clip(words, 500);
}
