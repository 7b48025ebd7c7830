import { lstat } from 'node:fs/promises';
import type * as vscode from 'vscode';
import { describeError } from '../../../../bridge/lib/index.ts';
import {
  historyTools,
  toolError,
  type ToolInput,
  type ToolOutput,
} from '../../../../bridge/protocol/index.ts';
import type { ToolContext, ToolHandlers } from '../../../../bridge/rpc/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import { clipText, findDifference } from '../../lib/index.ts';
import { changeFile, createTextFile } from '../change-file.ts';
import { decodeText, hashText, loadText, openDocument } from '../file-text.ts';
import type { WindowFacts } from '../window-facts.ts';
import { formatPath, resolvePlace, type WorkspacePlace } from '../workspace-place.ts';
import { findGitHistory, readGitBytes, readLocalBytes, readLocalEntries } from './history-sources.ts';
import { formatUnifiedDiff } from './unified-diff.ts';

/** Adds the tools for earlier versions. */
export function addHistoryTools(handlers: ToolHandlers, { profile }: WindowFacts): ToolHandlers {
  return handlers
    .add(historyTools.listHistory, (input, context) => listHistory(input, context, profile))
    .add(historyTools.showHistory, (input) => showHistory(input, profile))
    .add(historyTools.compareHistory, (input) => compareHistory(input, profile))
    .add(historyTools.restoreHistory, (input, context) => restoreHistory(input, context, profile));
}

type ListHistory = typeof historyTools.listHistory;
type HistoryEntry = ToolOutput<ListHistory>['entries'][number];

async function listHistory(
  { path, source, limit }: ToolInput<ListHistory>,
  { signal }: ToolContext,
  profile: vscode.Uri,
): Promise<ToolOutput<ListHistory>> {
  const where = await resolvePlace(path);
  const stats = await lstat(where.real).catch(() => undefined);
  if (stats?.isDirectory() === true) throw toolError('not-a-file', `${formatPath(where.path)} is a folder`);
  const notes: string[] = [];
  const local = source === 'git' ? [] : await listLocalEntries(where, profile);
  const git = source === 'local' ? [] : await listGitEntries(where, limit + 1, notes);
  signal.throwIfAborted();
  const all = [...local, ...git].sort((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0));
  if (!stats && all.length === 0)
    throw toolError('not-found', `there is no file ${formatPath(where.path)}, and no earlier version of one`);
  return {
    path: formatPath(where.path),
    entries: all.slice(0, limit),
    truncated: all.length > limit,
    notes,
  };
}

async function listLocalEntries(where: WorkspacePlace, profile: vscode.Uri): Promise<HistoryEntry[]> {
  return (await readLocalEntries(where, profile)).map(({ name, time, title }) => ({
    id: `local:${name}`,
    source: 'local',
    time: formatTime(time),
    title,
    author: '',
  }));
}

async function listGitEntries(
  { uri }: WorkspacePlace,
  most: number,
  notes: string[],
): Promise<HistoryEntry[]> {
  const repository = await findGitHistory(uri);
  if (typeof repository === 'string') {
    notes.push(clipText(`git: ${repository}`));
    return [];
  }
  try {
    const commits = await repository.log({ path: uri.fsPath, maxEntries: most });
    return commits.map(({ hash, message, authorName, authorDate, commitDate }) => ({
      id: `git:${hash}`,
      source: 'git',
      time: formatTime((commitDate ?? authorDate)?.getTime() ?? 0),
      title: clipText(message.split('\n', 1)[0] ?? ''),
      author: clipText(authorName ?? ''),
    }));
  } catch (error) {
    // A repository without a commit has no log.
    notes.push(clipText(`git: ${describeError(error)}`));
    return [];
  }
}

/** A file that we did not write may contain any time. */
function formatTime(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString();
}

type Compare = typeof historyTools.compareHistory;

/** UTF-16 code units of an answer; the descriptor has the same bound. */
const maxDiffLength = 500_000;

async function compareHistory(
  { path, id, with: other, context }: ToolInput<Compare>,
  profile: vscode.Uri,
): Promise<ToolOutput<Compare>> {
  const where = await resolvePlace(path);
  const name = formatPath(where.path);
  const before = await readFormerText(where, id, profile);
  const after =
    other === undefined ? (await loadText(where)).text : await readFormerText(where, other, profile);
  const { text, added, removed } = formatUnifiedDiff(before, after, {
    from: `${name} (${id})`,
    to: `${name} (${other ?? 'now'})`,
    context,
  });
  return {
    path: name,
    same: before === after,
    diff: clip(text, maxDiffLength),
    lines_added: added,
    lines_removed: removed,
    truncated: text.length > maxDiffLength,
  };
}

type Show = typeof historyTools.showHistory;
type Restore = typeof historyTools.restoreHistory;

/** UTF-16 code units of an answer; the descriptor has the same bound. */
const maxShownLength = 500_000;

async function showHistory({ path, id }: ToolInput<Show>, profile: vscode.Uri): Promise<ToolOutput<Show>> {
  const where = await resolvePlace(path);
  const text = await readFormerText(where, id, profile);
  return {
    path: formatPath(where.path),
    id,
    text: clip(text, maxShownLength),
    version: hashText(text),
    truncated: text.length > maxShownLength,
  };
}

/**
 * Does not use VS Code's own command, which asks the user first. The change is a save like any other: the previous text
 * stays in the history.
 */
async function restoreHistory(
  { path, id, expected_version: expected, wait_ms: waitMs }: ToolInput<Restore>,
  { signal }: ToolContext,
  profile: vscode.Uri,
): Promise<ToolOutput<Restore>> {
  const where = await resolvePlace(path);
  const former = await readFormerText(where, id, profile);
  const options = { expected, waitMs, signal };
  if (expected === undefined && !(await isFileThere(where))) return createTextFile(where, former, options);
  return changeFile(where, options, (text) => {
    const difference = findDifference(text, former);
    return difference ? [difference] : [];
  });
}

async function isFileThere(where: WorkspacePlace): Promise<boolean> {
  if (openDocument(where)?.isDirty === true) return true;
  return (await lstat(where.real).catch(() => undefined)) !== undefined;
}

/** The text of an earlier version. Errors: `not-found`, `binary-file`, `too-large`, `unknown-encoding`. */
export async function readFormerText(
  where: WorkspacePlace,
  id: string,
  profile: vscode.Uri,
): Promise<string> {
  const name = id.slice(id.indexOf(':') + 1);
  const bytes = id.startsWith('git:')
    ? await readGitBytes(where.uri, name)
    : await readLocalBytes(where, name, profile);
  return (await decodeText(bytes, where.uri, id)).text;
}
