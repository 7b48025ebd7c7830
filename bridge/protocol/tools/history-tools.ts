import * as z from 'zod';
import { judgeWriteResult, renderWriteResult, waitForProblems, writeResult } from './edit-tools.ts';
import { defineTool, expectedVersion, pathArgument, resultPath, textVersion } from './tool.ts';

const historyText = z.string().max(10_000);
const entryId = z
  .string()
  .regex(/^(?:local:[A-Za-z0-9_.-]{1,250}|git:[A-Za-z0-9_./~^@{}-]{1,250})$/)
  .describe(
    'local:<name> or git:<commit>, from list_history; git also takes other names of a commit, e.g. git:HEAD~1',
  );
const historyBase = { family: 'history', where: 'extension' } as const;

const historyEntry = z.object({
  id: historyText,
  source: z.enum(['local', 'git']),
  time: z.string().max(40).describe('ISO 8601, UTC'),
  title: historyText.describe('local: what made it, e.g. File Saved; git: the first line of the message'),
  author: historyText.describe('of a commit; else empty'),
});

/** Earlier versions of a file: from VS Code's local history of saves (its Timeline), and from git. */
export const historyTools = {
  listHistory: defineTool({
    ...historyBase,
    name: 'list_history',
    title: 'History of a file',
    description:
      "Lists the earlier versions of a file, newest first: VS Code's local history (each save, as the Timeline shows it) and the git commits that changed it. Works for deleted files, too.",
    readOnly: true,
    sources: [],
    input: z.strictObject({
      path: pathArgument,
      source: z.enum(['all', 'local', 'git']).default('all').describe('which history'),
      limit: z.int().min(1).max(500).default(50).describe('maximum number of entries'),
    }),
    output: z.object({
      path: resultPath,
      entries: z.array(historyEntry).max(500),
      truncated: z.boolean().describe('there are more entries than the limit'),
      notes: z.array(historyText).max(10).describe('what could not be read, and why'),
    }),
    text: ({ path, entries, notes }) =>
      [
        `${path}: ${entries.length} versions`,
        ...entries.map(({ id, time, title, author }) => `${time} ${id} ${title}${author && ` (${author})`}`),
        ...notes.map((note) => `note: ${note}`),
      ].join('\n'),
  }),
  showHistory: defineTool({
    ...historyBase,
    name: 'show_history',
    title: 'Show an earlier version',
    description: 'Returns the text of an earlier version of a file.',
    readOnly: true,
    sources: [],
    input: z.strictObject({ path: pathArgument, id: entryId }),
    output: z.object({
      path: resultPath,
      id: historyText,
      text: z.string().max(500_000),
      version: textVersion.describe('of the whole text'),
      truncated: z.boolean().describe('the text is longer'),
    }),
    text: ({ path, id, text: was, truncated }) =>
      `${path} at ${id}${truncated ? ' (cut at the end)' : ''}\n${was}`,
  }),
  compareHistory: defineTool({
    ...historyBase,
    name: 'compare_history',
    title: 'Compare versions',
    description:
      'Returns the differences between an earlier version of a file and another one, or the current file (unsaved changes included), as a unified diff.',
    readOnly: true,
    sources: [],
    input: z.strictObject({
      path: pathArgument,
      id: entryId.describe('the older one, from list_history'),
      with: entryId.optional().describe('the newer one; default: the current file'),
      context: z.int().min(0).max(100).default(3).describe('lines around each change'),
    }),
    output: z.object({
      path: resultPath,
      same: z.boolean(),
      diff: z.string().max(500_000).describe('empty if they are the same'),
      lines_added: z.int().nonnegative(),
      lines_removed: z.int().nonnegative(),
      truncated: z.boolean().describe('the diff is longer'),
    }),
    text: ({ same, diff }) => (same ? 'they are the same' : diff),
  }),
  restoreHistory: defineTool({
    ...historyBase,
    name: 'restore_history',
    title: 'Restore an earlier version',
    description:
      'Restores the text of an earlier version of a file. An open file is changed in its editor, where undo works; a deleted file is created again. The current text becomes a version of the history if it was saved.',
    readOnly: false,
    sources: [],
    input: z.strictObject({
      path: pathArgument,
      id: entryId,
      expected_version: expectedVersion,
      wait_ms: waitForProblems,
    }),
    output: writeResult,
    text: renderWriteResult,
    effect: judgeWriteResult,
  }),
};
