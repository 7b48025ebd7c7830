import * as z from 'zod';
import { clip } from '../../text/index.ts';
import { editProblems, formatProblem, waitForProblems } from './edit-tools.ts';
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

const changedPiece = z.string().max(2000);

const textChange = z.object({
  line: lineNumber.describe('of the text as it was'),
  column: columnNumber,
  end_line: lineNumber,
  end_column: columnNumber,
  old: changedPiece.describe('cut after 2000 characters'),
  new: changedPiece.describe('cut after 2000 characters'),
});

const refactoredFile = z.object({
  path: resultPath,
  kind: z.enum(['changed', 'created', 'moved']),
  new_path: resultPath.nullable().describe('of what was moved'),
  changes: z.array(textChange).max(500),
  omitted: z.int().nonnegative().describe('changes that are not shown'),
  saved: z.boolean().describe('false: a preview, or the editor had unsaved changes, which are kept as well'),
  version: textVersion.nullable().describe('of the text now; null in a preview and for a folder'),
  problems: editProblems.nullable().describe('null if problems were not checked'),
});
type RefactoredFile = z.output<typeof refactoredFile>;

/** The changes that a refactoring made, or would make. */
const refactoring = z.object({
  title: z.string().max(10_000).describe('what was done'),
  applied: z.boolean().describe('false: a preview, or there was nothing to change'),
  files: z.array(refactoredFile).max(500),
  total_changes: z.int().nonnegative(),
  truncated: z.boolean().describe('more files were changed than are listed'),
  incomplete: z
    .string()
    .max(10_000)
    .nullable()
    .describe(
      'why places that should change too may be left, e.g. because only open files are known; else null',
    ),
  warning: z
    .string()
    .max(10_000)
    .nullable()
    .describe('effects of the change that may be unintended, such as circular imports; else null'),
});
type Refactoring = z.output<typeof refactoring>;

function renderRefactoring(result: Refactoring): string {
  return [
    summarizeRefactoring(result),
    ...listRefactoringNotes(result),
    ...result.files.flatMap(formatRefactoredFile),
  ].join('\n');
}

function judgeRefactoring(result: Refactoring): ToolEffect {
  const done = result.incomplete === null ? 'confirmed' : 'partial';
  return {
    effect: result.applied ? done : 'no-effect',
    evidence: [summarizeRefactoring(result), ...listRefactoringNotes(result)].join('; '),
  };
}

function summarizeRefactoring({ title, applied, files, total_changes: total }: Refactoring): string {
  if (files.length === 0) return `${title}: there is nothing to change`;
  return `${title}: ${applied ? '' : 'would change '}${total} places in ${files.length} files`;
}

function listRefactoringNotes({ incomplete, warning }: Refactoring): string[] {
  return [
    ...(incomplete === null ? [] : [`places may be left: ${incomplete}`]),
    ...(warning === null ? [] : [`warning: ${warning}`]),
  ];
}

function formatRefactoredFile({
  path,
  kind,
  new_path: to,
  changes,
  omitted,
  problems,
}: RefactoredFile): string[] {
  return [
    kind === 'moved' ? `${path} -> ${to ?? ''}` : `${path}${kind === 'created' ? ' (new)' : ''}`,
    ...changes.map((one) => `  ${one.line}:${one.column} ${quoteText(one.old)} -> ${quoteText(one.new)}`),
    ...(omitted > 0 ? [`  and ${omitted} more`] : []),
    ...(problems?.appeared ?? []).map((one) => `  + ${formatProblem(one)}`),
    ...(problems?.gone ?? []).map((one) => `  - ${formatProblem(one)}`),
  ];
}

function quoteText(text: string): string {
  return JSON.stringify(text.length > 120 ? `${clip(text, 120)}…` : text);
}

const refactorBase = { family: 'refactor', where: 'extension', sources: [] } as const;
const editsArgument = {
  ...refactorBase,
  readOnly: false,
  output: refactoring,
  text: renderRefactoring,
  effect: judgeRefactoring,
} as const;

const refactorText = z.string().max(10_000);
const symbolName = z.string().min(1).max(1000);

const symbolAt = {
  path: pathArgument.describe('file of the symbol'),
  line: lineNumber
    .optional()
    .describe(
      'its line, 1 for the first; default: where the file defines the symbol, else its first place there',
    ),
  symbol: symbolName.optional().describe('its name, exactly as on the line; give this or the column'),
  column: columnNumber.optional().describe('1 for the first character of the line'),
};

const previewArgument = z
  .boolean()
  .default(false)
  .describe('change nothing: only report what would be changed');

const textRange = {
  path: pathArgument,
  line: lineNumber.describe('first line, 1 for the first'),
  column: columnNumber.optional().describe('first character; default: the whole line'),
  end_line: lineNumber.optional().describe('last line; default: line'),
  end_column: columnNumber.optional().describe('after the last character; default: the end of the line'),
  kind: z
    .string()
    .max(200)
    .optional()
    .describe('only actions of this kind: quickfix, refactor, refactor.extract, source …'),
};

const codeAction = z.object({
  title: refactorText,
  kind: refactorText.nullable(),
  preferred: z.boolean().describe('the one that the language server would take'),
  disabled: refactorText.nullable().describe("why it can't be applied here"),
});

/** Changes that the language server computes. Each reports the diagnostics that its change affected. */
export const refactorTools = {
  renameSymbol: defineTool({
    ...editsArgument,
    name: 'rename_symbol',
    title: 'Rename a symbol',
    description:
      'Renames a variable, function, class or other symbol everywhere it is used, with the language server: other symbols of the same name, comments and strings are not changed. Set preview to see the places first.',
    sources: [{ from: 'VS Code', name: 'vscode_renameSymbol' }],
    input: z.strictObject({
      ...symbolAt,
      new_name: symbolName.describe('its new name'),
      preview: previewArgument,
      wait_ms: waitForProblems,
    }),
  }),
  moveSymbol: defineTool({
    ...editsArgument,
    name: 'move_symbol',
    title: 'Move a symbol to another file',
    description:
      'Moves a function, class, type or constant of the top level of a TypeScript, JavaScript or Python file to another file, which is created if needed. Imports are updated in both files and in all that use it.',
    input: z.strictObject({
      ...symbolAt,
      new_path: pathArgument.describe('file to move it to'),
      preview: previewArgument,
      wait_ms: waitForProblems,
    }),
  }),
  moveFile: defineTool({
    ...editsArgument,
    name: 'move_file',
    title: 'Move a file with its imports',
    description:
      'Moves or renames a TypeScript or JavaScript file or folder, and updates the imports in it and of it. For other languages use rename_file, which does not change code.',
    input: z.strictObject({
      path: pathArgument,
      new_path: pathArgument.describe('the new path; nothing may exist there'),
      preview: previewArgument,
      wait_ms: waitForProblems,
    }),
  }),
  listCodeActions: defineTool({
    ...refactorBase,
    name: 'list_code_actions',
    title: 'List code actions',
    description:
      'Lists the quick fixes and refactorings that the language server offers for a place: the light bulb. Apply one by its title with apply_code_action.',
    readOnly: true,
    input: z.strictObject(textRange),
    output: z.object({
      path: resultPath,
      actions: z.array(codeAction).max(200),
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
  applyCodeAction: defineTool({
    ...editsArgument,
    name: 'apply_code_action',
    title: 'Apply a code action',
    description: 'Applies a quick fix or refactoring of list_code_actions, by its title.',
    input: z.strictObject({
      ...textRange,
      title: symbolName.describe('of the action, whole'),
      expected_version: expectedVersion,
      wait_ms: waitForProblems,
    }),
  }),
  organizeImports: defineTool({
    ...editsArgument,
    name: 'organize_imports',
    title: 'Organize imports',
    description: 'Sorts the imports of a file and removes those that are not used.',
    input: z.strictObject({ path: pathArgument, preview: previewArgument, wait_ms: waitForProblems }),
  }),
  formatFile: defineTool({
    ...editsArgument,
    name: 'format_file',
    title: 'Format a file',
    description:
      "Formats a file, or some of its lines, with the IDE's formatter for its language and the settings that apply there.",
    input: z.strictObject({
      path: pathArgument,
      start_line: lineNumber.optional().describe('default: the whole file'),
      end_line: lineNumber.optional().describe('the last line, included; default: the last of the file'),
      preview: previewArgument,
      wait_ms: waitForProblems,
    }),
  }),
};
