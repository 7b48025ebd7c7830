import * as z from 'zod';
import { tool } from './descriptor.ts';
import { problem, problemLine } from './edits.ts';
import { column, lineNumber, pathIn, pathOut } from './shared.ts';

const base = { family: 'view', where: 'extension', readOnly: false } as const;

/** The argument that every tool with a picture of what it shows has. */
export const picture = z
  .boolean()
  .default(true)
  .describe('add a picture of the editor area to the answer; false: only show it in the IDE');

export const beside = z
  .boolean()
  .default(false)
  .describe('in a column beside the active editor, not over it');

/** Showing what is there. */
export const showTools = {
  openFile: tool({
    ...base,
    name: 'open_file',
    title: 'Open a file',
    description:
      'Opens a file in the IDE with the editor that VS Code has for it (text, notebook, image …), at a line and column where they are given: the line is scrolled into view and selected as far as end_line. Gives a picture of the editor.',
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
      language: z.string().max(200).nullable().describe("VS Code's id; null where the editor shows no text"),
      line: z.int().nonnegative().describe('of the cursor; 0 where the editor has none'),
      column: z.int().nonnegative(),
      visible: z
        .object({ start_line: lineNumber, end_line: lineNumber })
        .nullable()
        .describe('lines that the editor shows; null where it shows no text'),
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
      'Opens VS Code’s diff editor: a file as it is now (unsaved changes included) on the right, and on the left another file, a former version of it, or what was committed last. Gives the differences as a unified diff, too, and a picture.',
    sources: [],
    pictured: true,
    input: z.strictObject({
      path: pathIn,
      with: pathIn.optional().describe('the file on the left'),
      id: z
        .string()
        .regex(/^(?:local:[A-Za-z0-9_.-]{1,250}|git:[A-Za-z0-9_./~^@{}-]{1,250})$/)
        .optional()
        .describe('the former version on the left, as list_history gives it; default: git:HEAD'),
      context: z.int().min(0).max(100).default(3).describe('lines around each change of the unified diff'),
      picture,
    }),
    output: z.object({
      path: pathOut,
      with: z.string().max(8192).describe('what is on the left'),
      same: z.boolean(),
      diff: z.string().max(500_000).describe('empty where they are the same'),
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
      'Opens the Problems view of the IDE and returns what it lists, the worst first: what language servers have reported so far. To have files checked now, use get_errors.',
    sources: [],
    input: z.strictObject({
      severity: z
        .enum(['error', 'warning', 'information', 'hint'])
        .default('information')
        .describe('the mildest to give; the view itself hides hints'),
      limit: z.int().min(1).max(2000).default(200).describe('problems of the answer'),
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
