import { basename } from 'node:path';
import * as vscode from 'vscode';
import { deadline, raceSignal } from '../../../../bridge/lib/index.ts';
import {
  toolError,
  type ToolInput,
  type ToolOutput,
  type viewTools,
} from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { clip } from '../../lib/index.ts';
import { formerText, unifiedDiff } from '../history/index.ts';
import { pathText, place, type Place } from '../place/index.ts';
import { loadText } from '../text/index.ts';
import { formerUri } from './former-documents.ts';

type Diff = typeof viewTools.showDiff;

/** UTF-16 code units of an answer; the descriptor has the same bound. */
const longest = 500_000;
/** Maximum time for the diff editor to open, in milliseconds. */
const openMs = 20_000;

interface Side {
  readonly uri: vscode.Uri;
  readonly text: string;
  readonly name: string;
}

export async function showDiff(
  input: ToolInput<Diff>,
  { signal }: ToolContext,
  profile: vscode.Uri,
): Promise<ToolOutput<Diff>> {
  const where = await place(input.path);
  const { text: after } = await loadText(where);
  const left = await leftSide(input, where, profile);
  const name = pathText(where.path);
  using limit = deadline('the diff editor', openMs, signal);
  const title = `${left.name} ↔ ${name}`;
  const opened = vscode.commands.executeCommand('vscode.diff', left.uri, where.uri, title, {
    preview: false,
  });
  await raceSignal(Promise.resolve(opened), limit.signal);
  const { text, added, removed } = unifiedDiff(left.text, after, {
    from: left.name,
    to: name,
    context: input.context,
  });
  return {
    path: name,
    with: left.name,
    same: left.text === after,
    diff: clip(text, longest),
    lines_added: added,
    lines_removed: removed,
    truncated: text.length > longest,
  };
}

async function leftSide(input: ToolInput<Diff>, where: Place, profile: vscode.Uri): Promise<Side> {
  if (input.with !== undefined) {
    if (input.id !== undefined) throw toolError('bad-arguments', 'give one of with and id');
    const other = await place(input.with);
    return { uri: other.uri, text: (await loadText(other)).text, name: pathText(other.path) };
  }
  const id = input.id ?? 'git:HEAD';
  const text = await formerText(where, id, profile);
  return { uri: formerUri(`${basename(where.path)}`, text), text, name: `${pathText(where.path)} (${id})` };
}
