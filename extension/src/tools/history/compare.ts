import type * as vscode from 'vscode';
import type { historyTools, ToolInput, ToolOutput } from '../../../../bridge/protocol/index.ts';
import { clip } from '../../lib/index.ts';
import { pathText, place } from '../place/index.ts';
import { loadText } from '../text/index.ts';
import { formerText } from './former.ts';
import { unifiedDiff } from './unified-diff.ts';

type Compare = typeof historyTools.compareHistory;

/** UTF-16 code units of an answer; the descriptor has the same bound. */
const longest = 500_000;

export async function compareHistory(
  { path, id, with: other, context }: ToolInput<Compare>,
  profile: vscode.Uri,
): Promise<ToolOutput<Compare>> {
  const where = await place(path);
  const name = pathText(where.path);
  const before = await formerText(where, id, profile);
  const after = other === undefined ? (await loadText(where)).text : await formerText(where, other, profile);
  const { text, added, removed } = unifiedDiff(before, after, {
    from: `${name} (${id})`,
    to: `${name} (${other ?? 'now'})`,
    context,
  });
  return {
    path: name,
    same: before === after,
    diff: clip(text, longest),
    lines_added: added,
    lines_removed: removed,
    truncated: text.length > longest,
  };
}
