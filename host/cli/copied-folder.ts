import { planFolder, packFolder, type FolderPlan, type PlanOptions, type WhyLeftOut } from '../lib/index.ts';
import { OriginDraft } from '../changes/index.ts';
import type { StreamedSeed } from '../node/index.ts';
import type { Command } from 'commander';
import { workspace } from './changes.ts';
import { printable } from './printable.ts';

/** The options for the parts of a folder to copy. */
export interface FolderOptions {
  readonly includeIgnored?: true;
  readonly includeSecrets?: true;
}

/** The number of paths of each kind to name; the rest is counted. */
const named = 8;
const reasons: readonly (readonly [WhyLeftOut, string])[] = [
  ['secret', 'looks like a password or a key; --include-secrets takes it'],
  ['ignored', 'named in .gitignore or .pwpignore; --include-ignored takes it'],
  ['special', 'a pipe, a socket or a device'],
  [
    'elsewhere',
    'leads to a repository out of the folder that does not name the folder; for a worktree that was moved: git worktree repair',
  ],
  ['borrowed', 'history of another repository; to have it here: git repack -a -d, then remove the file'],
];

export function folderOptions(command: Command): Command {
  return command
    .option('--include-ignored', 'copy what .gitignore and .pwpignore name, too')
    .option('--include-secrets', 'copy .env files, private keys and the like, too');
}

/** Plans the copy of a folder, and prints to standard error what is left out. Errors: those of `planFolder`. */
export async function planCopy(folder: string, options: FolderOptions): Promise<FolderPlan> {
  const chosen: PlanOptions = { ignored: options.includeIgnored, secrets: options.includeSecrets };
  const plan = await planFolder(folder, chosen);
  for (const line of leftOutLines(plan)) process.stderr.write(`${line}\n`);
  return plan;
}

/** The copy, read while the sandbox is made, and kept on this machine for `pwp diff` and `pwp pull`. */
export function copySeed(plan: FolderPlan, draft: OriginDraft): StreamedSeed {
  return { path: workspace, tar: draft.keep(packFolder(plan)) };
}

/** Dispose it: nothing is kept unless it was committed with a sandbox before. */
export function beginOrigin({ folder }: FolderPlan, { includeIgnored }: FolderOptions): Promise<OriginDraft> {
  return OriginDraft.begin({ folder, ignored: includeIgnored ?? false });
}

/** For people: one line for each reason. */
export function leftOutLines({ leftOut }: Pick<FolderPlan, 'leftOut'>): string[] {
  return reasons.flatMap(([why, reason]) => {
    const paths = leftOut.filter((each) => each.why === why).map(({ path }) => printable(path));
    if (paths.length === 0) return [];
    const more = paths.length > named ? ` and ${paths.length - named} more` : '';
    return [`Left out: ${paths.slice(0, named).join(', ')}${more} (${reason})`];
  });
}
