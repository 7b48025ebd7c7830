import { lstat } from 'node:fs/promises';
import type * as vscode from 'vscode';
import { messageOf } from '../../../../bridge/lib/index.ts';
import {
  toolError,
  type historyTools,
  type ToolInput,
  type ToolOutput,
} from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { clipText } from '../../lib/index.ts';
import { pathText, place, type Place } from '../place/index.ts';
import { repositoryOf } from './git.ts';
import { localEntries } from './local.ts';

type List = typeof historyTools.listHistory;
type Entry = ToolOutput<List>['entries'][number];

export async function listHistory(
  { path, source, limit }: ToolInput<List>,
  { signal }: ToolContext,
  profile: vscode.Uri,
): Promise<ToolOutput<List>> {
  const where = await place(path);
  const stats = await lstat(where.real).catch(() => undefined);
  if (stats?.isDirectory() === true) throw toolError('not-a-file', `${pathText(where.path)} is a folder`);
  const notes: string[] = [];
  const local = source === 'git' ? [] : await localOf(where, profile);
  const git = source === 'local' ? [] : await gitOf(where, limit + 1, notes);
  signal.throwIfAborted();
  const all = [...local, ...git].sort((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0));
  if (!stats && all.length === 0)
    throw toolError('not-found', `there is no file ${pathText(where.path)}, and no earlier version of one`);
  return {
    path: pathText(where.path),
    entries: all.slice(0, limit),
    truncated: all.length > limit,
    notes,
  };
}

async function localOf(where: Place, profile: vscode.Uri): Promise<Entry[]> {
  return (await localEntries(where, profile)).map(({ name, time, title }) => ({
    id: `local:${name}`,
    source: 'local',
    time: isoTime(time),
    title,
    author: '',
  }));
}

async function gitOf({ uri }: Place, most: number, notes: string[]): Promise<Entry[]> {
  const repository = await repositoryOf(uri);
  if (typeof repository === 'string') {
    notes.push(clipText(`git: ${repository}`));
    return [];
  }
  try {
    const commits = await repository.log({ path: uri.fsPath, maxEntries: most });
    return commits.map(({ hash, message, authorName, authorDate, commitDate }) => ({
      id: `git:${hash}`,
      source: 'git',
      time: isoTime((commitDate ?? authorDate)?.getTime() ?? 0),
      title: clipText(message.split('\n', 1)[0] ?? ''),
      author: clipText(authorName ?? ''),
    }));
  } catch (error) {
    // A repository without a commit has no log.
    notes.push(clipText(`git: ${messageOf(error)}`));
    return [];
  }
}

/** A file that we did not write may contain any time. */
function isoTime(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString();
}
