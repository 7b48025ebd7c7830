import type { Entry } from '../../tasks/index.ts';

/** The same entries below a folder. */
export function below(folder: string, entries: readonly Entry[]): Entry[] {
  return entries.map((entry) => ({ ...entry, path: `${folder}/${entry.path}` }));
}

/** A script that leaves a new file in the workspace and solves nothing: a made-up wrong answer for any repository. */
export const leavesMark =
  'cd /workspace\nprintf \'%s\\n\' "Looked at the problem; found nothing to change." > notes-on-the-problem.txt\n';

/** A script that applies a patch as its owners wrote it, whatever white space it has. */
export function appliesPatch(patch: string): string {
  const text = patch.endsWith('\n') ? patch : `${patch}\n`;
  const encoded = Buffer.from(text).toString('base64');
  return `cd /workspace\nprintf '%s' '${encoded}' | base64 -d | git apply --whitespace=nowarn -\n`;
}
