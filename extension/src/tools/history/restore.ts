import { lstat } from 'node:fs/promises';
import type * as vscode from 'vscode';
import type { historyTools, ToolInput, ToolOutput } from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { clip, differenceOf } from '../../lib/index.ts';
import { changeFile, makeFile } from '../edit/index.ts';
import { pathText, place, type Place } from '../place/index.ts';
import { openDocument, versionOf } from '../text/index.ts';
import { formerText } from './former.ts';

type Show = typeof historyTools.showHistory;
type Restore = typeof historyTools.restoreHistory;

/** UTF-16 code units of an answer; the descriptor has the same bound. */
const longest = 500_000;

export async function showHistory(
  { path, id }: ToolInput<Show>,
  profile: vscode.Uri,
): Promise<ToolOutput<Show>> {
  const where = await place(path);
  const text = await formerText(where, id, profile);
  return {
    path: pathText(where.path),
    id,
    text: clip(text, longest),
    version: versionOf(text),
    truncated: text.length > longest,
  };
}

/**
 * Does not use VS Code's own command, which asks the user first. The change is a save like any other: the previous text
 * stays in the history.
 */
export async function restoreHistory(
  { path, id, expected_version: expected, wait_ms: waitMs }: ToolInput<Restore>,
  { signal }: ToolContext,
  profile: vscode.Uri,
): Promise<ToolOutput<Restore>> {
  const where = await place(path);
  const former = await formerText(where, id, profile);
  const options = { expected, waitMs, signal };
  if (expected === undefined && !(await isThere(where))) return makeFile(where, former, options);
  return changeFile(where, options, (text) => {
    const difference = differenceOf(text, former);
    return difference ? [difference] : [];
  });
}

async function isThere(where: Place): Promise<boolean> {
  if (openDocument(where)?.isDirty === true) return true;
  return (await lstat(where.real).catch(() => undefined)) !== undefined;
}
