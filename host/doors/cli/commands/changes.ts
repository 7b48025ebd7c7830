import { mkdir, stat } from 'node:fs/promises';
import { posix, resolve } from 'node:path';
import type { Command } from 'commander';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { openTemporaryFolder, packFolder, requireFolder } from '../../../lib/index.ts';
import {
  applyChanges,
  classifyChange,
  filterChangesBelow,
  packFile,
  type PathChange,
  planPull,
  type PullPlan,
  readArchiveTree,
  readKeptContent,
  readPulled,
  renderPatch,
  writeFolderTree,
  writePulled,
} from '../../../node/index.ts';
import { withNodeHolding } from '../context.ts';
import {
  addFolderOptions,
  type FolderOptions,
  listFirstPaths,
  omittedLines,
  planCopy,
  type SandboxChanges,
  withChanges,
} from '../copied-folder.ts';
import { escapeControls, print } from '../output.ts';

interface DiffOptions {
  readonly stat?: true;
  readonly includeIgnored?: true;
  readonly json?: true;
}

export function addDiffCommand(program: Command): void {
  program
    .command('diff')
    .description('show what has changed in a sandbox since its folder was copied, as a patch')
    .argument('<sandbox>', 'id of a running sandbox')
    .argument('[path]', 'only this file or folder, below the workspace', '')
    .option('--stat', 'only name what has changed')
    .option('--include-ignored', 'show what .gitignore and .pwpignore name, too')
    .option('--json', 'print as JSON')
    .action(showDiff);
}

async function showDiff(id: string, path: string, options: DiffOptions): Promise<void> {
  await withNodeHolding(id, (context) =>
    withChanges(
      context,
      id,
      options,
      async ({ changes: all, leadOut, inside: { omitted }, contents, origin, workspace }) => {
        const changes = filterChangesBelow(all, belowWorkspace(path, workspace));
        const patch = await renderPatch(changes, (file) => readKeptContent(contents, file));
        const shown = new Set(changes.map(({ path }) => path));
        const unsafe = leadOut.filter((each) => shown.has(each));
        for (const line of [...omittedLines(omitted), ...unsafeLines(unsafe)])
          process.stderr.write(`${line}\n`);
        const { added, removed } = patch;
        const listed = changes.map((change) => ({ path: change.path, change: classifyChange(change) }));
        const { folder } = origin;
        print(
          { id, folder, added, removed, changes: listed, unsafe, omitted, patch: patch.text },
          options.json ?? false,
          () =>
            options.stat ? statText(changes, added, removed) : patch.text.replace(/\n$/, '') || 'no changes',
        );
      },
    ),
  );
}

/** For people: what a pull would leave out, and a patch does not. */
function unsafeLines(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const links = listFirstPaths(paths.map(escapeControls));
  return [`Leads out of the folder: ${links} (\`git apply\` makes such a link; \`pwp pull\` leaves it out)`];
}

/** A path as a person gives it, below the workspace. */
function belowWorkspace(path: string, workspace: string): string {
  const isBelow = path === workspace || path.startsWith(`${workspace}/`);
  return (isBelow ? path.slice(workspace.length) : path)
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .join('/');
}

function statText(changes: readonly PathChange[], added: number, removed: number): string {
  if (changes.length === 0) return 'no changes';
  const lines = changes.map((change) => `${classifyChange(change).padEnd(7)}  ${change.path}`);
  return [...lines, `${changes.length} changed: ${added} lines added, ${removed} removed`].join('\n');
}

interface PullCommandOptions {
  readonly into?: string;
  readonly dryRun?: true;
  readonly force?: true;
  readonly includeIgnored?: true;
  readonly json?: true;
}

export function addPullCommand(program: Command): void {
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
    .action(pullChanges);
}

async function pullChanges(id: string, path: string, options: PullCommandOptions): Promise<void> {
  await withNodeHolding(id, (context) =>
    withChanges(context, id, options, async (found) => {
      const folder = resolve(options.into ?? found.origin.folder);
      if (options.into !== undefined && !options.dryRun) await mkdir(folder, { recursive: true });
      else if (options.into === undefined) await requireFolder(folder);
      const pulled = await readPulledFiles(folder, id, found);
      const changed = filterChangesBelow(found.changes, belowWorkspace(path, found.workspace));
      const plan = await planPull(folder, changed, pulled, found.inside);
      const conflicts = options.force ? [] : plan.conflicts;
      if (conflicts.length > 0 && !options.dryRun) throw pullConflict(folder, conflicts);
      const changes = options.force ? [...plan.apply, ...plan.conflicts] : plan.apply;
      if (!options.dryRun) await writeChanges(folder, id, found, { ...plan, apply: changes }, pulled);
      for (const line of pullNotes(found, plan)) process.stderr.write(`${line}\n`);
      const done = { id, folder, dryRun: options.dryRun ?? false, changes: listChanges(changes) };
      const rest = { conflicts: listChanges(conflicts), unsafe: listChanges(plan.unsafe) };
      print({ ...done, ...rest }, options.json ?? false, () => pullText(folder, changes, conflicts, options));
    }),
  );
}

/** The files that earlier pulls wrote. In another folder than the copied one, a missing file is not a conflict. */
async function readPulledFiles(folder: string, id: string, { origin, changes }: SandboxChanges) {
  if (folder === resolve(origin.folder)) return readPulled(origin.id, id);
  return new Map<string, PathChange['after']>(changes.map(({ path }) => [path, null]));
}

async function writeChanges(
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

function pullConflict(folder: string, conflicts: readonly PathChange[]): PwpError {
  const paths = listFirstPaths(conflicts.map(({ path }) => path));
  return new PwpError('pull-conflict', `changed in the sandbox and in ${folder}: ${paths}`, {
    help: 'Nothing was written. --force takes what is in the sandbox, --into <folder> writes elsewhere.',
  });
}

function pullNotes({ inside }: SandboxChanges, { unsafe }: PullPlan): string[] {
  const paths = unsafe.map(({ path }) => escapeControls(path));
  const links = `Left out: ${listFirstPaths(paths)} (a link out of the folder, or below a link)`;
  return [...omittedLines(inside.omitted), ...(paths.length > 0 ? [links] : [])];
}

function listChanges(changes: readonly PathChange[]) {
  return changes.map((change) => ({ path: change.path, change: classifyChange(change) }));
}

function pullText(
  folder: string,
  changes: readonly PathChange[],
  conflicts: readonly PathChange[],
  { dryRun }: PullCommandOptions,
): string {
  const lines = changes.map((change) => `${classifyChange(change).padEnd(7)}  ${change.path}`);
  const also = conflicts.map(({ path }) => `conflict ${path}`);
  const total = `${changes.length} ${dryRun ? 'would be brought' : 'brought'} into ${folder}`;
  return [...lines, ...also, changes.length === 0 && !dryRun ? 'nothing to bring' : total].join('\n');
}

interface CopyOptions extends FolderOptions {
  readonly force?: true;
  readonly includeGit?: true;
  readonly json?: true;
}

/** A path in a sandbox, as in `shop-1a2b3c4d:/workspace/app.py`. */
interface SandboxPath {
  readonly id: string;
  readonly path: string;
}

export function addCpCommand(program: Command): void {
  const command = program
    .command('cp')
    .description('copy a file or the content of a folder out of a running sandbox, or into it')
    .argument('<from>', 'a path, or <sandbox>:<absolute path>')
    .argument('<to>', 'the same; a file goes into a path that ends with a slash')
    .option('--force', 'replace files that exist on this machine')
    .option('--include-git', 'copy .git folders out, too: what is in them can run programs on this machine')
    .option('--json', 'print as JSON');
  addFolderOptions(command).action(copyPath);
}

async function copyPath(from: string, to: string, options: CopyOptions): Promise<void> {
  const [source, target] = [parseSandboxPath(from), parseSandboxPath(to)];
  if (source && !target) return copyOut(source, to, options);
  if (target && !source) return copyIn(from, target, options);
  throw new PwpError('usage', 'cp: expected one path on this machine and one <sandbox>:<absolute path>');
}

async function copyOut({ id, path }: SandboxPath, to: string, options: CopyOptions): Promise<void> {
  await withNodeHolding(id, async ({ node, signal }) => {
    await using sandbox = await node.open(id, { signal });
    await using contents = await openTemporaryFolder('changes');
    const git = options.includeGit ?? false;
    const read = (tar: AsyncIterable<Uint8Array>) => readArchiveTree(tar, { keepIn: contents.path, git });
    const tree = await sandbox.archive(path, read, { signal });
    const single = tree.isFolder ? undefined : posix.basename(path);
    const copied = await writeFolderTree(tree, contents.path, to, {
      single,
      replace: options.force ?? false,
    });
    const { written, unsafe, omitted } = copied;
    const links = `Left out: ${listFirstPaths(unsafe.map(escapeControls))} (a link out of the folder)`;
    for (const line of [...omittedLines(omitted), ...(unsafe.length > 0 ? [links] : [])])
      process.stderr.write(`${line}\n`);
    print(
      { id, path, to: resolve(to), ...copied },
      options.json ?? false,
      () => `${written.length} copied to ${to}`,
    );
  });
}

async function copyIn(from: string, { id, path }: SandboxPath, options: CopyOptions): Promise<void> {
  const info = await stat(from).catch(() => null);
  if (!info) throw new PwpError('no-such-file', `${from} does not exist`);
  const isFolder = info.isDirectory();
  const name = posix.basename(path.endsWith('/') ? resolve(from) : path);
  const folder = isFolder || path.endsWith('/') ? path : posix.dirname(path);
  const tar = isFolder
    ? packFolder(await planCopy(resolve(from), options))
    : await packFile(resolve(from), name);
  await withNodeHolding(id, async ({ node, signal }) => {
    await using sandbox = await node.open(id, { signal });
    await sandbox.unpack({ path: folder, tar }, { signal });
    const to = isFolder ? folder : posix.join(folder, name);
    print({ id, path: to, from: resolve(from) }, options.json ?? false, () => `copied to ${id}:${to}`);
  });
}

/** Undefined for a path on this machine. */
function parseSandboxPath(text: string): SandboxPath | undefined {
  const [, id, path] = /^([a-z0-9][a-z0-9-]{8,59}):(\/.*)$/i.exec(text) ?? [];
  return id === undefined || path === undefined ? undefined : { id, path };
}
