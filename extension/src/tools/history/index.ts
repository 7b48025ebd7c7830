import { historyTools } from '../../../../bridge/protocol/index.ts';
import type { ToolHandlers } from '../../../../bridge/rpc/index.ts';
import type { WindowFacts } from '../window.ts';
import { compareHistory } from './compare.ts';
import { listHistory } from './list.ts';
import { restoreHistory, showHistory } from './restore.ts';

export { formerText } from './former.ts';
export { unifiedDiff } from './unified-diff.ts';

/** Adds the tools for earlier versions. */
export function addHistory(handlers: ToolHandlers, { profile }: WindowFacts): ToolHandlers {
  return handlers
    .add(historyTools.listHistory, (input, context) => listHistory(input, context, profile))
    .add(historyTools.showHistory, (input) => showHistory(input, profile))
    .add(historyTools.compareHistory, (input) => compareHistory(input, profile))
    .add(historyTools.restoreHistory, (input, context) => restoreHistory(input, context, profile));
}
