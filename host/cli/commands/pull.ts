import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { PwpError } from '../../../bridge/lib/index.ts';
import {
  applyChanges,
  changesBelow,
  kindOf,
  planPull,
  readPulled,
  writePulled,
  type Change,
  type PullPlan,
} from '../../changes/index.ts';
import { requireFolder } from '../../lib/index.ts';
import { named, omittedLines, withChanges, type SandboxChanges } from '../changes.ts';
import { withNodeOf } from '../context.ts';
import { print } from '../output.ts';
import { printable } from '../printable.ts';
import { belowWorkspace } from './diff.ts';

interface Options {
  readonly into?: string;
  readonly dryRun?: true;
  readonly force?: true;
  readonly includeIgnored?: true;
  readonly json?: true;
}

export function addPull(program: Command): void {
  program
    .command('pull')
    .description('bring what has changed in a sandbox into the folder that was copied')
    .argument('<sandbox>', 'id of a running sandbox')
    .argument('[path]', 'only this file or folder, below the workspace', '')
    .option('--into <folder>', 'write into another folder than the one that was copied; created if missing')
    .option('--dry-run', 'only print what would be written')
    .option('--force', 'also replace files that have changed on this machine')
    .option('--include-ignored', 'bring what .gitignore and .pwpignore name, too')
    .option('--json', 'print as JSON')
    .action(pull);
}

async function pull(id: string, path: string, options: Options): Promise<void> {
  await withNodeOf(id, (context) =>
    withChanges(context, id, options, async (found) => {
      const folder = resolve(options.into ?? found.origin.folder);
      if (options.into !== undefined && !options.dryRun) await mkdir(folder, { recursive: true });
      else if (options.into === undefined) await requireFolder(folder);
      const pulled = await pulledInto(folder, id, found);
      const changed = changesBelow(found.changes, belowWorkspace(path));
      const plan = await planPull(folder, changed, pulled, found.inside);
      const conflicts = options.force ? [] : plan.conflicts;
      if (conflicts.length > 0 && !options.dryRun) throw conflict(folder, conflicts);
      const changes = options.force ? [...plan.apply, ...plan.conflicts] : plan.apply;
      if (!options.dryRun) await bring(folder, id, found, { ...plan, apply: changes }, pulled);
      for (const line of notes(found, plan)) process.stderr.write(`${line}\n`);
      const done = { id, folder, dryRun: options.dryRun ?? false, changes: listed(changes) };
      const rest = { conflicts: listed(conflicts), unsafe: listed(plan.unsafe) };
      print({ ...done, ...rest }, options.json ?? false, () => text(folder, changes, conflicts, options));
    }),
  );
}

/** The files that earlier pulls wrote. In another folder than the copied one, a missing file is not a conflict. */
async function pulledInto(folder: string, id: string, { origin, changes }: SandboxChanges) {
  if (folder === resolve(origin.folder)) return readPulled(origin.id, id);
  return new Map<string, Change['after']>(changes.map(({ path }) => [path, null]));
}

async function bring(
  folder: string,
  id: string,
  { inside, contents, origin }: SandboxChanges,
  { apply, done }: PullPlan,
  pulled: Awaited<ReturnType<typeof readPulled>>,
): Promise<void> {
  await applyChanges(folder, apply, inside, contents);
  if (folder !== resolve(origin.folder)) return;
  for (const { path, after } of [...apply, ...done]) pulled.set(path, after);
  await writePulled(origin.id, id, pulled);
}

function conflict(folder: string, conflicts: readonly Change[]): PwpError {
  const paths = named(conflicts.map(({ path }) => path));
  return new PwpError('pull-conflict', `changed in the sandbox and in ${folder}: ${paths}`, {
    help: 'Nothing was written. --force takes what is in the sandbox, --into <folder> writes elsewhere.',
  });
}

function notes({ inside }: SandboxChanges, { unsafe }: PullPlan): string[] {
  const paths = unsafe.map(({ path }) => printable(path));
  const links = `Left out: ${named(paths)} (a link out of the folder, or below a link)`;
  return [...omittedLines(inside.omitted), ...(paths.length > 0 ? [links] : [])];
}

function listed(changes: readonly Change[]) {
  return changes.map((change) => ({ path: change.path, change: kindOf(change) }));
}

function text(
  folder: string,
  changes: readonly Change[],
  conflicts: readonly Change[],
  { dryRun }: Options,
): string {
  const lines = changes.map((change) => `${kindOf(change).padEnd(7)}  ${change.path}`);
  const also = conflicts.map(({ path }) => `conflict ${path}`);
  const total = `${changes.length} ${dryRun ? 'would be brought' : 'brought'} into ${folder}`;
  return [...lines, ...also, changes.length === 0 && !dryRun ? 'nothing to bring' : total].join('\n');
}
