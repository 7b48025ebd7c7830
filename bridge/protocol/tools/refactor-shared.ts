import * as z from 'zod';
import { clip } from '../../text/index.ts';
import type { ToolEffect } from './descriptor.ts';
import { editProblems, problemLine } from './edits.ts';
import { column, lineNumber, pathOut, version } from './shared.ts';

const piece = z.string().max(2000);

const change = z.object({
  line: lineNumber.describe('of the text as it was'),
  column,
  end_line: lineNumber,
  end_column: column,
  old: piece.describe('cut after 2000 characters'),
  new: piece.describe('cut after 2000 characters'),
});

const changedFile = z.object({
  path: pathOut,
  kind: z.enum(['changed', 'created', 'moved']),
  new_path: pathOut.nullable().describe('of what was moved'),
  changes: z.array(change).max(500),
  omitted: z.int().nonnegative().describe('changes that are not shown'),
  saved: z.boolean().describe('false: a preview, or the editor had unsaved changes, which are kept as well'),
  version: version.nullable().describe('of the text now; null in a preview and for a folder'),
  problems: editProblems.nullable().describe('null if problems were not checked'),
});
export type ChangedFile = z.output<typeof changedFile>;

/** The changes that a refactoring made, or would make. */
export const refactored = z.object({
  title: z.string().max(10_000).describe('what was done'),
  applied: z.boolean().describe('false: a preview, or there was nothing to change'),
  files: z.array(changedFile).max(500),
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
export type Refactored = z.output<typeof refactored>;

export function refactoredText(result: Refactored): string {
  return [headline(result), ...lacks(result), ...result.files.flatMap(fileLines)].join('\n');
}

export function refactoredEffect(result: Refactored): ToolEffect {
  const done = result.incomplete === null ? 'confirmed' : 'partial';
  return {
    effect: result.applied ? done : 'no-effect',
    evidence: [headline(result), ...lacks(result)].join('; '),
  };
}

function headline({ title, applied, files, total_changes: total }: Refactored): string {
  if (files.length === 0) return `${title}: there is nothing to change`;
  return `${title}: ${applied ? '' : 'would change '}${total} places in ${files.length} files`;
}

function lacks({ incomplete, warning }: Refactored): string[] {
  return [
    ...(incomplete === null ? [] : [`places may be left: ${incomplete}`]),
    ...(warning === null ? [] : [`warning: ${warning}`]),
  ];
}

function fileLines({ path, kind, new_path: to, changes, omitted, problems }: ChangedFile): string[] {
  return [
    kind === 'moved' ? `${path} -> ${to ?? ''}` : `${path}${kind === 'created' ? ' (new)' : ''}`,
    ...changes.map((one) => `  ${one.line}:${one.column} ${quoted(one.old)} -> ${quoted(one.new)}`),
    ...(omitted > 0 ? [`  and ${omitted} more`] : []),
    ...(problems?.appeared ?? []).map((one) => `  + ${problemLine(one)}`),
    ...(problems?.gone ?? []).map((one) => `  - ${problemLine(one)}`),
  ];
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 120 ? `${clip(text, 120)}…` : text);
}
