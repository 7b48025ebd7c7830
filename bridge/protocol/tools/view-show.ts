import * as z from 'zod';
import { tool } from './descriptor.ts';
import { problem, problemLine } from './edits.ts';
import { column, lineNumber, pathIn, pathOut } from './shared.ts';

const base = { family: 'view', where: 'extension', readOnly: false } as const;

/** The argument of every tool that can add a picture of what it shows. */
export const picture = z
  .boolean()
  .default(true)
  .describe('add a picture of the editor area to the result; false: only show it in the IDE');

export const beside = z.boolean().default(false).describe('open it beside the active editor, not over it');

/** Shows files, differences and problems. */
export const showTools = {
  openFile: tool({
    ...base,
    name: 'open_file',
    title: 'Open a file',
    description:
      'Opens a file in the IDE with VS Code’s editor for it (text, notebook, image …), optionally at a line and column: the line is scrolled into view and selected up to end_line. Returns a picture of the editor.',
    sources: [],
    pictured: true,
    input: z.strictObject({
      path: pathIn,
      line: lineNumber.optional().describe('where to go'),
      column: column.optional().describe('in the line; default 1'),
      end_line: lineNumber.optional().describe('select from line to the end of this one'),
      beside,
      picture: picture.default(false),
    }),
    output: z.object({
      path: pathOut,
      editor: z.string().max(500).describe('text, notebook, or the name of another editor of VS Code'),
      language: z.string().max(200).nullable().describe("VS Code's id; null if the editor shows no text"),
      line: z.int().nonnegative().describe('of the cursor; 0 where the editor has none'),
      column: z.int().nonnegative(),
      visible: z
        .object({ start_line: lineNumber, end_line: lineNumber })
        .nullable()
        .describe('lines that the editor shows; null if it shows no text'),
      total_lines: z.int().nonnegative(),
    }),
    text: ({ path, editor, line, column: at, visible }) =>
      visible
        ? `${path} is open, cursor at ${line}:${at}, lines ${visible.start_line}-${visible.end_line} shown`
        : `${path} is open in ${editor}`,
  }),
  showDiff: tool({
    ...base,
    name: 'show_diff',
    title: 'Show differences',
    description:
      'Opens VS Code’s diff editor: the current file (unsaved changes included) on the right, and on the left another file, an earlier version of it, or the last commit. Also returns the differences as a unified diff, and a picture.',
    sources: [],
    pictured: true,
    input: z.strictObject({
      path: pathIn,
      with: pathIn.optional().describe('the file on the left'),
      id: z
        .string()
        .regex(/^(?:local:[A-Za-z0-9_.-]{1,250}|git:[A-Za-z0-9_./~^@{}-]{1,250})$/)
        .optional()
        .describe('the earlier version on the left, from list_history; default: git:HEAD'),
      context: z.int().min(0).max(100).default(3).describe('lines around each change of the unified diff'),
      picture,
    }),
    output: z.object({
      path: pathOut,
      with: z.string().max(8192).describe('what is on the left'),
      same: z.boolean(),
      diff: z.string().max(500_000).describe('empty if they are the same'),
      lines_added: z.int().nonnegative(),
      lines_removed: z.int().nonnegative(),
      truncated: z.boolean().describe('the diff is longer'),
    }),
    text: ({ path, with: other, same, diff }) =>
      `${path} against ${other}\n${same ? 'they are the same' : diff}`,
  }),
  showProblems: tool({
    ...base,
    name: 'show_problems',
    title: 'Show the Problems view',
    description:
      'Opens the Problems view of the IDE and returns its list, most severe first: what language servers have reported so far. To have files checked now, use get_errors.',
    sources: [],
    input: z.strictObject({
      severity: z
        .enum(['error', 'warning', 'information', 'hint'])
        .default('information')
        .describe('the lowest severity to return; the view itself hides hints'),
      limit: z.int().min(1).max(2000).default(200).describe('maximum number of problems'),
    }),
    output: z.object({
      problems: z.array(problem).max(2000),
      total: z.int().nonnegative(),
      truncated: z.boolean().describe('there are more problems than the limit'),
    }),
    text: ({ problems, total, truncated }) =>
      [`${total} problems${truncated ? ', cut here' : ''}`, ...problems.map(problemLine)].join('\n'),
  }),
};
