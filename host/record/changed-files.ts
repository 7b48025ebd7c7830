import * as z from 'zod';
import { fileTools, refactorTools } from '../../bridge/protocol/index.ts';

/** A file that a tool changed, as the tool saw it. */
export const changedFile = z.object({
  path: z.string(),
  linesAdded: z.int().nonnegative().nullable().describe('null if the tool does not count them'),
  linesRemoved: z.int().nonnegative().nullable(),
  newErrors: z
    .int()
    .nonnegative()
    .nullable()
    .describe('errors that VS Code shows since then; null if it had not checked the text before and after'),
});
export type ChangedFile = z.output<typeof changedFile>;

type Written = z.output<typeof fileTools.editFile.output>;
type Problems = Written['problems'];

/** The files that a tool changed, according to its answer; undefined if that does not mention files. */
export function changedFilesOf(answer: unknown): ChangedFile[] | undefined {
  const written = fileTools.editFile.output.safeParse(answer);
  if (written.success) return ofWritten(written.data);
  const refactored = refactorTools.renameSymbol.output.safeParse(answer);
  if (!refactored.success) return undefined;
  const { applied, files } = refactored.data;
  return applied ? files.map(({ path, new_path: to, problems }) => fileOf(to ?? path, problems)) : [];
}

function ofWritten({ path, changed, created, problems, ...lines }: Written): ChangedFile[] {
  if (!changed) return [];
  const counted = { linesAdded: lines.lines_added, linesRemoved: lines.lines_removed };
  return [{ ...fileOf(path, problems, created), ...counted }];
}

function fileOf(path: string, problems: Problems | null, isNew = false): ChangedFile {
  return { path, linesAdded: null, linesRemoved: null, newErrors: problems && newErrors(problems, isNew) };
}

function newErrors({ state, compared, appeared }: Problems, isNew: boolean): number | null {
  if (state !== 'fresh' || !(compared || isNew)) return null;
  return appeared.filter(({ severity }) => severity === 'error').length;
}
