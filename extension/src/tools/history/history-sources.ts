import { readdir, readFile } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import * as vscode from 'vscode';
import { describeError } from '../../../../bridge/lib/index.ts';
import { toolError } from '../../../../bridge/protocol/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import { maxFileBytes, readFileBytes } from '../file-text.ts';
import { formatPath, type WorkspacePlace } from '../workspace-place.ts';

/** One earlier version that VS Code's local history keeps. */
interface LocalEntry {
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
interface EntriesIndex {
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
export async function readLocalEntries(
  { path, real }: WorkspacePlace,
  profile: vscode.Uri,
): Promise<LocalEntry[]> {
  const history = findHistoryFolder(profile.fsPath);
  const folders = await readdir(history).catch(() => []);
  const wanted = new Set([path, real]);
  const found = await Promise.all(
    folders.slice(0, maxFolders).map((folder) => readEntriesIn(join(history, folder), wanted)),
  );
  return found.flat().sort((a, b) => b.time - a.time || (a.name < b.name ? 1 : -1));
}

/** Errors: `not-found`, and those of `readFileBytes`. */
export async function readLocalBytes(
  where: WorkspacePlace,
  name: string,
  profile: vscode.Uri,
): Promise<Uint8Array> {
  const entry = (await readLocalEntries(where, profile)).find((one) => one.name === name);
  if (!entry)
    throw toolError('not-found', `the local history of ${formatPath(where.path)} has no ${name}`, {
      help: 'Take an id from list_history',
    });
  return (await readFileBytes(entry.file, `local:${name}`)).bytes;
}

/** One history for all profiles: it is beside `profiles/`, not in it. */
function findHistoryFolder(profile: string): string {
  const [user = profile] = profile.split(`${sep}profiles${sep}`, 1);
  return join(user, 'History');
}

async function readEntriesIn(folder: string, wanted: ReadonlySet<string>): Promise<LocalEntry[]> {
  const { resource, entries } = await readEntriesIndex(folder);
  if (typeof resource !== 'string' || !wanted.has(readResourcePath(resource)) || !Array.isArray(entries))
    return [];
  return entries.flatMap(({ id, timestamp, source }: Readonly<Record<string, unknown>>) => {
    // The name comes from a file: it may not lead elsewhere.
    if (typeof id !== 'string' || basename(id) !== id || typeof timestamp !== 'number') return [];
    const title = typeof source === 'string' ? source : 'File Saved';
    return [{ name: id, time: timestamp, title: formatEntryTitle(title), file: join(folder, id) }];
  });
}

async function readEntriesIndex(folder: string): Promise<EntriesIndex> {
  try {
    const text = await readFile(join(folder, 'entries.json'), 'utf8');
    if (text.length > maxFileBytes) return {};
    return (JSON.parse(text) as EntriesIndex | null) ?? {};
  } catch {
    // A file that is being written, or does not belong to the history.
    return {};
  }
}

/** Its scheme is file, or vscode-remote in a window on the web. */
function readResourcePath(resource: string): string {
  try {
    return vscode.Uri.parse(resource, true).path;
  } catch {
    return '';
  }
}

/** VS Code stores ids of its own sources, e.g. `undoRedo.source`. */
function formatEntryTitle(source: string): string {
  const words = source.replace(/\.source$/, '').replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');
  return clip(words, 500);
}

/** The parts of the git extension's API that are used here. */
interface GitHistory {
  readonly rootUri: vscode.Uri;
  log(options: { readonly path: string; readonly maxEntries: number }): Promise<readonly GitCommit[]>;
  buffer(ref: string, path: string): Promise<Uint8Array>;
}

interface GitCommit {
  readonly hash: string;
  readonly message: string;
  readonly authorName?: string;
  readonly authorDate?: Date;
  readonly commitDate?: Date;
}

interface GitHistoryApi {
  readonly state: 'uninitialized' | 'initialized';
  readonly onDidChangeState: vscode.Event<string>;
  getRepository(uri: vscode.Uri): GitHistory | null;
  openRepository?(root: vscode.Uri): Promise<GitHistory | null>;
}

/** The repository that contains a file, or why none was found. */
export async function findGitHistory(uri: vscode.Uri): Promise<GitHistory | string> {
  const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitHistoryApi }>('vscode.git');
  if (!extension) return 'the git extension of VS Code is not there';
  try {
    const api = (await extension.activate()).getAPI(1);
    const known = api.getRepository(uri);
    if (known) return known;
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    const opened = folder && (await api.openRepository?.(folder.uri));
    return opened ?? api.getRepository(uri) ?? 'it is in no git repository';
  } catch (error) {
    // Its error if git itself is missing, or switched off by `git.enabled`.
    return describeError(error);
  }
}

/** Errors: `not-found` if there is no repository, no such commit, or the commit does not have the file. */
export async function readGitBytes(uri: vscode.Uri, commit: string): Promise<Uint8Array> {
  const repository = await findGitHistory(uri);
  if (typeof repository === 'string') throw toolError('not-found', repository);
  try {
    return await repository.buffer(commit, uri.fsPath);
  } catch (cause) {
    throw toolError('not-found', `git has no ${uri.fsPath} at ${commit}`, {
      help: 'Take an id from list_history; the file may have had another name then',
      cause,
    });
  }
}
