import * as z from 'zod';
import { tool } from './descriptor.ts';
import { waitForProblems, written, writtenEffect, writtenText } from './edits.ts';
import { expectedVersion, lineNumber, pathIn, pathOut } from './shared.ts';

/** Maximum UTF-16 code units of a text that a caller sends. */
const longest = 4_000_000;
const content = z.string().max(longest);

const base = {
  family: 'files',
  where: 'extension',
  readOnly: false,
  output: written,
  text: writtenText,
  effect: writtenEffect,
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
  editFile: tool({
    ...base,
    name: 'edit_file',
    title: 'Edit lines of a file',
    description:
      'Inserts, replaces and deletes lines of a text file. All line numbers refer to the file before this call, regardless of its other edits. Either all edits are made or none. The file keeps its line ends, encoding and mode. An open file is edited in its editor, where undo works; unsaved changes there are kept. Returns the diagnostics that appeared and disappeared.',
    sources: [{ from: 'IDE-Bench', name: 'edit_file' }],
    input: z.strictObject({
      path: pathIn,
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
  searchReplace: tool({
    ...base,
    name: 'search_replace',
    title: 'Replace text in a file',
    description:
      'Replaces text in a file. The old text must occur exactly once, unless replace_all is set: include enough lines around it. The line ends of both texts are adapted to the file.',
    sources: [
      { from: 'IDE-Bench', name: 'search_replace' },
      { from: 'VS Code', name: 'replace_string_in_file' },
    ],
    input: z.strictObject({
      path: pathIn,
      old_string: content.min(1).describe('exactly as in the file, including white space'),
      new_string: content.describe('the replacement; empty to delete the old text'),
      replace_all: z.boolean().default(false).describe('replace every occurrence'),
      expected_version: expectedVersion,
      wait_ms: waitForProblems,
    }),
  }),
  writeFile: tool({
    ...base,
    name: 'write_file',
    title: 'Write a whole file',
    description:
      'Replaces the whole text of a file, or creates the file and its folders. An existing file keeps its encoding, mode and line ends.',
    sources: [{ from: 'IDE-Bench', name: 'write_file' }],
    input: z.strictObject({
      path: pathIn,
      content: content.describe('the whole text'),
      expected_version: expectedVersion,
      wait_ms: waitForProblems,
    }),
  }),
  createFile: tool({
    ...base,
    name: 'create_file',
    title: 'Create a file',
    description:
      'Creates a new text file in UTF-8, with its folders. Refused if something exists at this path.',
    sources: [{ from: 'VS Code', name: 'create_file' }],
    input: z.strictObject({
      path: pathIn,
      content: content.default('').describe('its text, written as it is'),
      wait_ms: waitForProblems,
    }),
  }),
};

const moved = z.object({ path: pathOut, kind: z.enum(['file', 'folder']) });

/** Tools that create, move and delete whole files and folders. */
export const fileTreeTools = {
  createDirectory: tool({
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
    input: z.strictObject({ path: pathIn }),
    output: z.object({ path: pathOut, created: z.boolean().describe('false: it was there already') }),
    text: ({ path, created }) => (created ? `created ${path}/` : `${path}/ was there already`),
    effect: ({ path, created }) => ({
      effect: created ? 'confirmed' : 'no-effect',
      evidence: created ? `created ${path}/` : `${path}/ was there already`,
    }),
  }),
  deleteFile: tool({
    name: 'delete_file',
    title: 'Delete a file',
    description:
      'Deletes a file, or, if recursive is set, a folder with everything in it. A link itself is deleted, not its target. Can be undone in the IDE.',
    family: 'files',
    where: 'extension',
    readOnly: false,
    sources: [{ from: 'IDE-Bench', name: 'delete_file' }],
    input: z.strictObject({
      path: pathIn,
      recursive: z.boolean().default(false).describe('delete a folder that is not empty, too'),
      discard_unsaved: z
        .boolean()
        .default(false)
        .describe('delete it even if an editor has unsaved changes of it'),
    }),
    output: moved,
    text: ({ path, kind }) => `deleted the ${kind} ${path}`,
  }),
  renameFile: tool({
    name: 'rename_file',
    title: 'Rename or move a file',
    description:
      'Renames or moves a file or folder, also in editors that show it. Code that refers to it is not changed.',
    family: 'files',
    where: 'extension',
    readOnly: false,
    sources: [],
    input: z.strictObject({
      path: pathIn.describe('what to rename'),
      new_path: pathIn.describe('the new path; parent folders are created'),
      overwrite: z.boolean().default(false).describe('replace an existing file'),
    }),
    output: moved.extend({ new_path: pathOut }),
    text: ({ path, new_path: to, kind }) => `renamed the ${kind} ${path} to ${to}`,
  }),
};
