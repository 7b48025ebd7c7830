import { appendFile, mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { defaultWorkspace } from '../../../bridge/protocol/index.ts';
import {
  type FolderPlan,
  type FolderPlanOptions,
  type LeftOutReason,
  openTemporaryFolder,
  packFolder,
  planFolder,
  pwpHome,
} from '../../lib/index.ts';
import {
  findChanges,
  forgetOrigin,
  type FoundChanges,
  listOrigins,
  type Node,
  type OmittedPath,
  originArchive,
  OriginDraft,
  readOrigin,
  type SandboxOrigin,
  type StreamedSeed,
} from '../../node/index.ts';
import type { CommandContext } from './context.ts';
import { escapeControls } from './output.ts';

/** The options for the parts of a folder to copy. */
export interface FolderOptions {
  readonly image?: string;
  readonly includeIgnored?: true;
  readonly includeSecrets?: true;
}

/** The number of paths of each kind to name; the rest is counted. */
const mostNamedPaths = 8;
const leftOutReasons: readonly (readonly [LeftOutReason, string])[] = [
  ['secret', 'looks like a password or a key; --include-secrets takes it'],
  ['ignored', 'named in .gitignore or .pwpignore; --include-ignored takes it'],
  ['special', 'a pipe, a socket or a device'],
  [
    'elsewhere',
    'leads to a repository out of the folder that does not name the folder; for a worktree that was moved: git worktree repair',
  ],
  ['borrowed', 'history of another repository; to have it here: git repack -a -d, then remove the file'],
];

export function addFolderOptions(command: Command): Command {
  return command
    .option(
      '--image <image>',
      'image that is the root of the agent: a name, an archive, a layout, a root folder or a Dockerfile',
    )
    .option('--include-ignored', 'copy what .gitignore and .pwpignore name, too')
    .option('--include-secrets', 'copy .env files, private keys and the like, too');
}

/** Plans the copy of a folder, and prints to standard error what is left out. Errors: those of `planFolder`. */
export async function planCopy(folder: string, options: FolderOptions): Promise<FolderPlan> {
  const chosen: FolderPlanOptions = { ignored: options.includeIgnored, secrets: options.includeSecrets };
  const plan = await planFolder(folder, chosen);
  for (const line of leftOutLines(plan)) process.stderr.write(`${line}\n`);
  return plan;
}

/** The copy, read while the sandbox is made, and kept on this machine for `pwp diff` and `pwp pull`. */
export function copySeed(plan: FolderPlan, draft: OriginDraft): StreamedSeed {
  return { path: defaultWorkspace, tar: draft.keep(packFolder(plan)) };
}

/** Dispose it: nothing is kept unless it was committed with a sandbox before. */
export function beginOrigin({ folder }: FolderPlan, { includeIgnored }: FolderOptions): Promise<OriginDraft> {
  return OriginDraft.begin({ folder, ignored: includeIgnored ?? false });
}

/** For people: one line for each reason. */
export function leftOutLines({ leftOut }: Pick<FolderPlan, 'leftOut'>): string[] {
  return leftOutReasons.flatMap(([why, reason]) => {
    const paths = leftOut.filter((each) => each.why === why).map(({ path }) => escapeControls(path));
    if (paths.length === 0) return [];
    const more = paths.length > mostNamedPaths ? ` and ${paths.length - mostNamedPaths} more` : '';
    return [`Left out: ${paths.slice(0, mostNamedPaths).join(', ')}${more} (${reason})`];
  });
}

/** The changes that a sandbox made to the folder that it began with. */
export interface SandboxChanges extends FoundChanges {
  readonly origin: SandboxOrigin & { readonly id: string };
  /** The folder that has the content of what has changed. */
  readonly contents: string;
  /** Absolute path of the workspace in the sandbox. */
  readonly workspace: string;
}

/** Compares a running sandbox with what it began with. Errors: `no-such-sandbox`, `no-origin`, `too-large`. */
export async function withChanges<T>(
  { node, signal }: CommandContext,
  id: string,
  options: { readonly includeIgnored?: true },
  run: (changes: SandboxChanges) => Promise<T>,
): Promise<T> {
  await using sandbox = await node.open(id, { signal });
  const { workspace } = sandbox;
  const origin = (await findOriginId(node, id)) ?? '';
  const began = await readOrigin(origin, workspace);
  await using folder = await openTemporaryFolder('changes');
  const contents = folder.path;
  const ignored = began.ignored || options.includeIgnored === true;
  const found = await findChanges(
    (read) => read(originArchive(origin)),
    (read) => sandbox.archive(workspace, read, { signal }),
    { contents, ignored },
  );
  // Awaited: sandbox and folder are disposed when this function returns.
  return await run({ ...found, origin: { ...began, id: origin }, contents, workspace });
}

export async function findOriginId(node: Node, id: string): Promise<string | null> {
  return (await node.list()).find((one) => one.id === id)?.origin ?? null;
}

/** Stops a sandbox, and removes the copy that it began with unless other sandboxes or checkpoints need it. */
export async function stopAndForget(node: Node, id: string): Promise<void> {
  const origin = await findOriginId(node, id);
  await node.stop(id);
  await forgetSteps(id);
  await forgetIfUnused(node, origin);
}

/** Deletes a checkpoint, and removes the copy that it began with as {@link stopAndForget} does. */
export async function deleteAndForget(node: Node, id: string): Promise<void> {
  const origin = (await node.checkpoints()).find((one) => one.id === id)?.origin ?? null;
  await node.deleteCheckpoint(id);
  await forgetIfUnused(node, origin);
}

async function forgetIfUnused(node: Node, origin: string | null): Promise<void> {
  if (origin === null || !(await listOrigins()).includes(origin)) return;
  const others = [...(await node.list()), ...(await node.checkpoints())];
  if (!others.some((one) => one.origin === origin)) await forgetOrigin(origin);
}

const omittedReasons: Readonly<Record<OmittedPath['why'], string>> = {
  git: 'in .git, where files can run programs',
  ignored: 'named in .gitignore or .pwpignore; --include-ignored takes it',
  name: 'a name that is not valid on this machine',
  special: 'a pipe, a socket or a device',
};

/** For people: paths in the sandbox that were left out. */
export function omittedLines(omitted: readonly OmittedPath[]): string[] {
  return (['git', 'ignored', 'name', 'special'] as const).flatMap((why) => {
    const paths = omitted.filter((one) => one.why === why).map(({ path }) => escapeControls(path));
    if (paths.length === 0) return [];
    return [`Left out: ${listFirstPaths(paths)} (${omittedReasons[why]})`];
  });
}

/** Names the first paths and counts the rest. */
export function listFirstPaths(paths: readonly string[], most = 8): string {
  return paths.length > most
    ? `${paths.slice(0, most).join(', ')} and ${paths.length - most} more`
    : paths.join(', ');
}

/*
 * Each command is its own process, and a restore resets the files of a sandbox. So the steps that were taken from the
 * command line are counted here: one byte each, since several processes can append bytes at once.
 */

/** The number of steps that were taken in a sandbox from the command line. */
export async function readStepCount(sandbox: string): Promise<number> {
  return (await stat(locateStepCount(sandbox)).catch(() => null))?.size ?? 0;
}

export async function countStep(sandbox: string): Promise<void> {
  await mkdir(stepsFolder(), { recursive: true, mode: 0o700 });
  await appendFile(locateStepCount(sandbox), '.', { mode: 0o600 });
}

export async function forgetSteps(sandbox: string): Promise<void> {
  await rm(locateStepCount(sandbox), { force: true });
}

function stepsFolder(home = pwpHome()): string {
  return join(home, 'steps');
}

function locateStepCount(sandbox: string): string {
  return join(stepsFolder(), sandbox);
}
