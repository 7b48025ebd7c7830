import * as z from 'zod';
import { tool } from './descriptor.ts';
import { pathIn, pathOut } from './shared.ts';

const text = z.string().max(1_000_000);

/** Cells of notebooks: a notebook's file can't be edited by lines. */
export const notebookTools = {
  editNotebook: tool({
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
      path: pathIn,
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
      old_string: text.default('').describe('exactly as in the cell; empty for a new or an empty cell'),
      new_string: text.describe('the replacement; for a new cell, its whole text'),
    }),
    output: z.object({
      path: pathOut,
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
