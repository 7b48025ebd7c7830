import * as z from 'zod';
import {
  columnNumber,
  defineTool,
  expectedVersion,
  lineNumber,
  pathArgument,
  resultPath,
  textVersion,
  type ToolEffect,
} from './tool.ts';

const text = z.string().max(10_000);

/** A diagnostic as tools report it; `ide.diagnostics` reports the same in VS Code's own numbers. */
export const toolProblem = z.object({
  path: resultPath,
  severity: z.enum(['error', 'warning', 'information', 'hint']),
  line: lineNumber,
  column: columnNumber,
  end_line: lineNumber,
  end_column: columnNumber,
  message: text,
  source: text.optional().describe('its source, e.g. ts'),
  code: text.optional(),
});
export type ToolProblem = z.output<typeof toolProblem>;

/** Whether the known diagnostics of a file are about its current text. */
export const diagnosticsFreshness = z
  .enum(['fresh', 'stale', 'none'])
  .describe(
    'fresh: they are about the current text; stale: the language server had not reported on this text when the wait ended, so they may be about an earlier text; none: nothing in this IDE checks this language',
  );

/** How an edit changed the diagnostics of its file. */
export const editProblems = z.object({
  state: diagnosticsFreshness,
  why: text.describe('the reason for the state'),
  document_version: z
    .int()
    .nullable()
    .describe("VS Code's number of the text that was checked; null if the file is not open"),
  compared: z.boolean().describe('false: nothing was known before the edit, so `appeared` has all problems'),
  appeared: z.array(toolProblem).max(200).describe('new problems; most severe first'),
  gone: z.array(toolProblem).max(200).describe('problems that are gone now'),
  remaining: z.int().nonnegative().describe('number of problems that are still there'),
  omitted: z.int().nonnegative().describe('left out of `appeared` and `gone`'),
});
export type EditProblems = z.output<typeof editProblems>;

/** The result of writing a file. */
export const writeResult = z.object({
  path: resultPath,
  created: z.boolean().describe('there was no such file before'),
  changed: z.boolean().describe('false: the file already had this text and was not written'),
  through: z
    .enum(['buffer', 'disk'])
    .describe(
      "buffer: in VS Code's document, so that undo works in the IDE; disk: the file was replaced atomically",
    ),
  saved: z
    .boolean()
    .describe('false: the editor had unsaved changes; they are kept, and this edit is unsaved too'),
  adjusted: z.boolean().describe('saving changed the text further, e.g. by a formatter'),
  version: textVersion,
  previous_version: textVersion.nullable().describe('null for a new file'),
  lines_added: z.int().nonnegative(),
  lines_removed: z.int().nonnegative(),
  problems: editProblems,
});
export type WriteResult = z.output<typeof writeResult>;

/** How long an edit waits for the language server's diagnostics. */
export const waitForProblems = z
  .int()
  .min(0)
  .max(60_000)
  .default(5000)
  .describe("maximum milliseconds to wait for the diagnostics of the new text; 0: don't read them");

export function renderWriteResult(result: WriteResult): string {
  return [summarizeWrite(result), ...formatProblems(result.problems)].join('\n');
}

export function judgeWriteResult(result: WriteResult): ToolEffect {
  return { effect: result.changed ? 'confirmed' : 'no-effect', evidence: summarizeWrite(result) };
}

export function formatProblem({
  path,
  line,
  column: at,
  severity,
  message,
  source,
  code,
}: ToolProblem): string {
  const by = [source, code].filter((part) => part !== undefined).join(' ');
  return `${path}:${line}:${at} ${severity}: ${message}${by === '' ? '' : ` (${by})`}`;
}

function summarizeWrite(result: WriteResult): string {
  const {
    path,
    created,
    changed,
    saved,
    adjusted,
    version: now,
    lines_added: more,
    lines_removed: less,
  } = result;
  if (!changed) return `${path} had this text already; version ${now}`;
  const what = created ? `created ${path} with ${more} lines` : `changed ${path}: +${more} -${less} lines`;
  const rest = [
    ...(saved ? [] : ['unsaved, like the earlier changes in this editor']),
    ...(adjusted ? ['saving adjusted the text further: read it again'] : []),
    `version ${now}`,
  ];
  return `${what}; ${rest.join('; ')}`;
}

function formatProblems({
  state,
  why,
  compared,
  appeared,
  gone,
  remaining,
  omitted,
}: EditProblems): string[] {
  if (state === 'none') return [];
  const counts = compared
    ? `${appeared.length} appeared, ${gone.length} gone, ${remaining} as before`
    : `${appeared.length} in the file`;
  return [
    `problems (${state}: ${why}): ${counts}${omitted > 0 ? `, ${omitted} not shown` : ''}`,
    ...appeared.map((one) => `+ ${formatProblem(one)}`),
    ...gone.map((one) => `- ${formatProblem(one)}`),
  ];
}

/** Maximum UTF-16 code units of a text that a caller sends. */
const maxSentText = 4_000_000;
const content = z.string().max(maxSentText);

const editBase = {
  family: 'files',
  where: 'extension',
  readOnly: false,
  output: writeResult,
  text: renderWriteResult,
  effect: judgeWriteResult,
} as const;

const lineEdit = z.strictObject({
  type: z.enum(['insert', 'replace', 'delete']),
  line: lineNumber.describe(
    'insert: the line to insert before, or one after the last to append; else the first line',
  ),
  end_line: lineNumber.optional().describe('replace, delete: the last line, included; default: line'),
  content: content
    .optional()
    .describe('insert, replace: one or more lines, without the last line end; empty for an empty line'),
});

/** Tools that change files. Each returns the diagnostics that its change affected. */
export const fileEditTools = {
  editFile: defineTool({
    ...editBase,
    name: 'edit_file',
    title: 'Edit lines of a file',
    description:
      'Inserts, replaces and deletes lines of a text file. All line numbers refer to the file before this call, regardless of its other edits. Either all edits are made or none. The file keeps its line ends, encoding and mode. An open file is edited in its editor, where undo works; unsaved changes there are kept. Returns the diagnostics that appeared and disappeared.',
    sources: [{ from: 'IDE-Bench', name: 'edit_file' }],
    input: z.strictObject({
      path: pathArgument,
      edits: z
        .array(lineEdit)
        .min(1)
        .max(1000)
        .describe('they must not overlap; several inserts before one line keep their order'),
      create: z
        .boolean()
        .default(false)
        .describe('create the file if it does not exist, from inserts before line 1'),
      expected_version: expectedVersion,
      wait_ms: waitForProblems,
    }),
  }),
  searchReplace: defineTool({
    ...editBase,
    name: 'search_replace',
    title: 'Replace text in a file',
    description:
      'Replaces text in a file. The old text must occur exactly once, unless replace_all is set: include enough lines around it. The line ends of both texts are adapted to the file.',
    sources: [
      { from: 'IDE-Bench', name: 'search_replace' },
      { from: 'VS Code', name: 'replace_string_in_file' },
    ],
    input: z.strictObject({
      path: pathArgument,
      old_string: content.min(1).describe('exactly as in the file, including white space'),
      new_string: content.describe('the replacement; empty to delete the old text'),
      replace_all: z.boolean().default(false).describe('replace every occurrence'),
      expected_version: expectedVersion,
      wait_ms: waitForProblems,
    }),
  }),
  writeFile: defineTool({
    ...editBase,
    name: 'write_file',
    title: 'Write a whole file',
    description:
      'Replaces the whole text of a file, or creates the file and its folders. An existing file keeps its encoding, mode and line ends.',
    sources: [{ from: 'IDE-Bench', name: 'write_file' }],
    input: z.strictObject({
      path: pathArgument,
      content: content.describe('the whole text'),
      expected_version: expectedVersion,
      wait_ms: waitForProblems,
    }),
  }),
  createFile: defineTool({
    ...editBase,
    name: 'create_file',
    title: 'Create a file',
    description:
      'Creates a new text file in UTF-8, with its folders. Refused if something exists at this path.',
    sources: [{ from: 'VS Code', name: 'create_file' }],
    input: z.strictObject({
      path: pathArgument,
      content: content.default('').describe('its text, written as it is'),
      wait_ms: waitForProblems,
    }),
  }),
};

const moveResult = z.object({ path: resultPath, kind: z.enum(['file', 'folder']) });

/** Tools that create, move and delete whole files and folders. */
export const fileTreeTools = {
  createDirectory: defineTool({
    name: 'create_directory',
    title: 'Create a folder',
    description: 'Creates a folder and its parent folders. It is not an error if the folder exists.',
    family: 'files',
    where: 'extension',
    readOnly: false,
    sources: [
      { from: 'IDE-Bench', name: 'create_directory' },
      { from: 'VS Code', name: 'create_directory' },
    ],
    input: z.strictObject({ path: pathArgument }),
    output: z.object({ path: resultPath, created: z.boolean().describe('false: it was there already') }),
    text: ({ path, created }) => (created ? `created ${path}/` : `${path}/ was there already`),
    effect: ({ path, created }) => ({
      effect: created ? 'confirmed' : 'no-effect',
      evidence: created ? `created ${path}/` : `${path}/ was there already`,
    }),
  }),
  deleteFile: defineTool({
    name: 'delete_file',
    title: 'Delete a file',
    description:
      'Deletes a file, or, if recursive is set, a folder with everything in it. A link itself is deleted, not its target. Can be undone in the IDE.',
    family: 'files',
    where: 'extension',
    readOnly: false,
    sources: [{ from: 'IDE-Bench', name: 'delete_file' }],
    input: z.strictObject({
      path: pathArgument,
      recursive: z.boolean().default(false).describe('delete a folder that is not empty, too'),
      discard_unsaved: z
        .boolean()
        .default(false)
        .describe('delete it even if an editor has unsaved changes of it'),
    }),
    output: moveResult,
    text: ({ path, kind }) => `deleted the ${kind} ${path}`,
  }),
  renameFile: defineTool({
    name: 'rename_file',
    title: 'Rename or move a file',
    description:
      'Renames or moves a file or folder, also in editors that show it. Code that refers to it is not changed.',
    family: 'files',
    where: 'extension',
    readOnly: false,
    sources: [],
    input: z.strictObject({
      path: pathArgument.describe('what to rename'),
      new_path: pathArgument.describe('the new path; parent folders are created'),
      overwrite: z.boolean().default(false).describe('replace an existing file'),
    }),
    output: moveResult.extend({ new_path: resultPath }),
    text: ({ path, new_path: to, kind }) => `renamed the ${kind} ${path} to ${to}`,
  }),
};
