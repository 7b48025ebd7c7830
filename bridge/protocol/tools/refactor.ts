import * as z from 'zod';
import { tool } from './descriptor.ts';
import { waitForProblems } from './edits.ts';
import { refactored, refactoredEffect, refactoredText } from './refactor-shared.ts';
import { expectedVersion, lineNumber, column, pathIn, pathOut } from './shared.ts';

const base = { family: 'refactor', where: 'extension', sources: [] } as const;
const edits = {
  ...base,
  readOnly: false,
  output: refactored,
  text: refactoredText,
  effect: refactoredEffect,
} as const;

const text = z.string().max(10_000);
const name = z.string().min(1).max(1000);

const symbolAt = {
  path: pathIn.describe('file of the symbol'),
  line: lineNumber
    .optional()
    .describe(
      'its line, 1 for the first; default: where the file defines the symbol, else its first place there',
    ),
  symbol: name.optional().describe('its name, exactly as on the line; give this or the column'),
  column: column.optional().describe('1 for the first character of the line'),
};

const preview = z.boolean().default(false).describe('change nothing: only report what would be changed');

const range = {
  path: pathIn,
  line: lineNumber.describe('first line, 1 for the first'),
  column: column.optional().describe('first character; default: the whole line'),
  end_line: lineNumber.optional().describe('last line; default: line'),
  end_column: column.optional().describe('after the last character; default: the end of the line'),
  kind: z
    .string()
    .max(200)
    .optional()
    .describe('only actions of this kind: quickfix, refactor, refactor.extract, source …'),
};

const action = z.object({
  title: text,
  kind: text.nullable(),
  preferred: z.boolean().describe('the one that the language server would take'),
  disabled: text.nullable().describe("why it can't be applied here"),
});

/** Changes that the language server computes. Each reports the diagnostics that its change affected. */
export const refactorTools = {
  renameSymbol: tool({
    ...edits,
    name: 'rename_symbol',
    title: 'Rename a symbol',
    description:
      'Renames a variable, function, class or other symbol everywhere it is used, with the language server: other symbols of the same name, comments and strings are not changed. Set preview to see the places first.',
    sources: [{ from: 'VS Code', name: 'vscode_renameSymbol' }],
    input: z.strictObject({
      ...symbolAt,
      new_name: name.describe('its new name'),
      preview,
      wait_ms: waitForProblems,
    }),
  }),
  moveSymbol: tool({
    ...edits,
    name: 'move_symbol',
    title: 'Move a symbol to another file',
    description:
      'Moves a function, class, type or constant of the top level of a TypeScript, JavaScript or Python file to another file, which is created if needed. Imports are updated in both files and in all that use it.',
    input: z.strictObject({
      ...symbolAt,
      new_path: pathIn.describe('file to move it to'),
      preview,
      wait_ms: waitForProblems,
    }),
  }),
  moveFile: tool({
    ...edits,
    name: 'move_file',
    title: 'Move a file with its imports',
    description:
      'Moves or renames a TypeScript or JavaScript file or folder, and updates the imports in it and of it. For other languages use rename_file, which does not change code.',
    input: z.strictObject({
      path: pathIn,
      new_path: pathIn.describe('the new path; nothing may exist there'),
      preview,
      wait_ms: waitForProblems,
    }),
  }),
  listCodeActions: tool({
    ...base,
    name: 'list_code_actions',
    title: 'List code actions',
    description:
      'Lists the quick fixes and refactorings that the language server offers for a place: the light bulb. Apply one by its title with apply_code_action.',
    readOnly: true,
    input: z.strictObject(range),
    output: z.object({
      path: pathOut,
      actions: z.array(action).max(200),
      truncated: z.boolean().describe('there are more'),
    }),
    text: ({ actions }) =>
      actions.length === 0
        ? 'no actions are available here'
        : actions
            .map(
              (one) =>
                `${one.title}${one.kind === null ? '' : ` (${one.kind})`}${one.preferred ? ', preferred' : ''}${one.disabled === null ? '' : `, not here: ${one.disabled}`}`,
            )
            .join('\n'),
  }),
  applyCodeAction: tool({
    ...edits,
    name: 'apply_code_action',
    title: 'Apply a code action',
    description: 'Applies a quick fix or refactoring of list_code_actions, by its title.',
    input: z.strictObject({
      ...range,
      title: name.describe('of the action, whole'),
      expected_version: expectedVersion,
      wait_ms: waitForProblems,
    }),
  }),
  organizeImports: tool({
    ...edits,
    name: 'organize_imports',
    title: 'Organize imports',
    description: 'Sorts the imports of a file and removes those that are not used.',
    input: z.strictObject({ path: pathIn, preview, wait_ms: waitForProblems }),
  }),
  formatFile: tool({
    ...edits,
    name: 'format_file',
    title: 'Format a file',
    description:
      "Formats a file, or some of its lines, with the IDE's formatter for its language and the settings that apply there.",
    input: z.strictObject({
      path: pathIn,
      start_line: lineNumber.optional().describe('default: the whole file'),
      end_line: lineNumber.optional().describe('the last line, included; default: the last of the file'),
      preview,
      wait_ms: waitForProblems,
    }),
  }),
};
