export { addHistoryTools, readFormerText } from './history-tools.ts';
export { formatUnifiedDiff } from './unified-diff.ts';
