import * as z from 'zod';
import { fileEditTools, fileTreeTools } from './edit-tools.ts';
import { defineTool, lineNumber, pathArgument, resultPath, textVersion } from './tool.ts';

const cellText = z.string().max(1_000_000);

/** Cells of notebooks: a notebook's file can't be edited by lines. */
const notebookTools = {
  editNotebook: defineTool({
    name: 'edit_notebook',
    title: 'Edit a notebook',
    description:
      'Changes a cell of a Jupyter notebook, or adds one, through VS Code’s own notebook: the file stays valid, and metadata of cells is kept. Outputs of a cell whose code changes are removed; run it again. The text to replace must occur exactly once in the cell. Undo works if the notebook is open.',
    family: 'files',
    where: 'extension',
    readOnly: false,
    sources: [
      { from: 'IDE-Bench', name: 'edit_notebook' },
      { from: 'VS Code', name: 'edit_notebook_file' },
    ],
    input: z.strictObject({
      path: pathArgument,
      cell: z
        .int()
        .min(0)
        .max(100_000)
        .describe('from 0; for a new cell, its position: the number of cells appends it'),
      new_cell: z.boolean().default(false).describe('add a cell there'),
      language: z
        .string()
        .max(100)
        .optional()
        .describe('e.g. python, markdown; default: as it is, of a new cell python'),
      old_string: cellText.default('').describe('exactly as in the cell; empty for a new or an empty cell'),
      new_string: cellText.describe('the replacement; for a new cell, its whole text'),
    }),
    output: z.object({
      path: resultPath,
      cell: z.int().nonnegative(),
      cells: z.int().nonnegative().describe('number of cells of the notebook now'),
      kind: z.enum(['code', 'markdown']),
      language: z.string().max(200),
      changed: z.boolean().describe('false: the cell already had this text and language'),
      saved: z.boolean().describe('false: the notebook had unsaved changes; this edit is unsaved too'),
    }),
    text: ({ path, cell, cells, kind, changed, saved }) =>
      changed
        ? `${path}: ${kind} cell ${cell} of ${cells} changed${saved ? '' : ', unsaved beside unsaved changes that were there'}`
        : `${path}: cell ${cell} was so already`,
    effect: ({ path, cell, changed }) => ({
      effect: changed ? 'confirmed' : 'no-effect',
      evidence: `${path}: cell ${cell} ${changed ? 'changed' : 'was so already'}`,
    }),
  }),
};

/** Maximum lines and characters of one answer. */
const maxAnswer = { lines: 5000, text: 400_000, line: 5000 };

const folderEntry = z.object({
  path: resultPath,
  kind: z.enum(['file', 'folder', 'link', 'other']),
  size: z.int().nonnegative().describe('bytes; 0 for a folder'),
  modified: z.string().max(40).describe('ISO 8601, UTC'),
  executable: z.boolean(),
});

/** Reading and changing files: in VS Code's own buffers where a file is open, else on disk. */
export const fileTools = {
  readFile: defineTool({
    name: 'read_file',
    title: 'Read a file',
    description:
      'Reads a text file, or some of its lines, as it is in the IDE, including unsaved changes of an open editor. Lines count from 1.',
    family: 'files',
    where: 'extension',
    readOnly: true,
    sources: [
      { from: 'IDE-Bench', name: 'read_file' },
      { from: 'VS Code', name: 'read_file' },
    ],
    input: z.strictObject({
      path: pathArgument,
      start_line: lineNumber.optional().describe('the first line; default 1'),
      end_line: lineNumber.optional().describe('the last line, included; default the last of the file'),
      line_numbers: z.boolean().default(true).describe('put `<number><tab>` before each line'),
    }),
    output: z.object({
      path: resultPath,
      text: z
        .string()
        .max(maxAnswer.text * 2)
        .describe('lines are joined by \\n, even if the file has other line ends'),
      start_line: z.int().nonnegative().describe('0 in an empty file'),
      end_line: z.int().nonnegative(),
      total_lines: z.int().nonnegative(),
      truncated: z
        .boolean()
        .describe(
          `some of the requested text is left out: an answer has at most ${maxAnswer.lines} lines (continue after end_line), and of each ${maxAnswer.line} characters; a line that is requested alone has ${maxAnswer.text}`,
        ),
      version: textVersion,
      language: z.string().max(200).optional().describe("VS Code's id; absent if the file is not open"),
      encoding: z.string().max(40),
      end_of_line: z.enum(['\n', '\r\n', 'mixed', 'none']),
      unsaved: z.boolean().describe('the editor has changes that are not on disk'),
      note: z.string().max(1000).optional().describe('a remark on this kind of file'),
    }),
    text: (file) => {
      const range =
        file.total_lines === 0
          ? 'empty'
          : `lines ${file.start_line}-${file.end_line} of ${file.total_lines}${file.truncated ? ', cut here' : ''}`;
      const facts = [
        range,
        `version ${file.version}`,
        ...(file.unsaved ? ['unsaved changes'] : []),
        file.note,
      ];
      return `${file.path} (${facts.filter((one) => one !== undefined).join('; ')})\n${file.text}`;
    },
  }),
  listDir: defineTool({
    name: 'list_dir',
    title: 'List a folder',
    description:
      'Lists the files and folders in a folder, sorted by path, with size and time. Folders of builds and dependencies (node_modules, .git, dist, __pycache__ …) are listed, but not what is in them.',
    family: 'files',
    where: 'extension',
    readOnly: true,
    sources: [
      { from: 'IDE-Bench', name: 'list_dir' },
      { from: 'VS Code', name: 'list_dir' },
    ],
    input: z.strictObject({
      path: pathArgument.default('.'),
      recursive: z.boolean().default(false).describe('also list what is in its folders'),
      max_depth: z
        .int()
        .min(1)
        .max(50)
        .default(10)
        .describe('maximum levels below the folder, with recursive'),
      include_ignored: z
        .boolean()
        .default(false)
        .describe('also list what is in folders of builds and dependencies'),
      limit: z.int().min(1).max(5000).default(500).describe('maximum number of entries'),
    }),
    output: z.object({
      path: resultPath,
      entries: z.array(folderEntry).max(5000),
      not_entered: z.array(resultPath).max(1000).describe('folders whose content was not listed'),
      truncated: z.boolean().describe('there are more entries than the limit'),
    }),
    text: ({ path, entries, not_entered: passed, truncated }) =>
      [
        `${path}: ${entries.length} entries${truncated ? ', cut here' : ''}`,
        ...entries.map(({ kind, size, path: one }) =>
          kind === 'folder' ? `${one}/` : `${one}  ${size} bytes`,
        ),
        ...(passed.length > 0 ? [`not entered: ${passed.join(', ')}`] : []),
      ].join('\n'),
  }),
  ...fileEditTools,
  ...fileTreeTools,
  ...notebookTools,
};
