import type { Entry } from '../../tasks/index.ts';
import { decodes } from '../encoded.ts';

/** The same entries below a folder. */
export function below(folder: string, entries: readonly Entry[]): Entry[] {
  return entries.map((entry) => ({ ...entry, path: `${folder}/${entry.path}` }));
}

/** A script that leaves a new file in the workspace and solves nothing: a made-up wrong answer for any repository. */
export const leavesMark =
  'cd /workspace\nprintf \'%s\\n\' "Looked at the problem; found nothing to change." > notes-on-the-problem.txt\n';

/** A script that applies a patch as its owners wrote it, regardless of its white space. */
export function appliesPatch(patch: string): string {
  const text = patch.endsWith('\n') ? patch : `${patch}\n`;
  return `cd /workspace\n${decodes(text)} | git apply --whitespace=nowarn -\n`;
}
