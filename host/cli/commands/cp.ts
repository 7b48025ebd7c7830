import { stat } from 'node:fs/promises';
import { posix, resolve } from 'node:path';
import type { Command } from 'commander';
import { PwpError } from '../../../bridge/lib/index.ts';
import { packFile, readTree, writeTree } from '../../changes/index.ts';
import { openTemporaryFolder, packFolder } from '../../lib/index.ts';
import { named, omittedLines } from '../changes.ts';
import { withNodeOf } from '../context.ts';
import { folderOptions, planCopy, type FolderOptions } from '../copied-folder.ts';
import { print } from '../output.ts';
import { printable } from '../printable.ts';

interface Options extends FolderOptions {
  readonly force?: true;
  readonly includeGit?: true;
  readonly json?: true;
}

/** A path in a sandbox, as in `shop-1a2b3c4d:/workspace/app.py`. */
interface Inside {
  readonly id: string;
  readonly path: string;
}

export function addCp(program: Command): void {
  const command = program
    .command('cp')
    .description('copy a file or the content of a folder out of a running sandbox, or into it')
    .argument('<from>', 'a path, or <sandbox>:<absolute path>')
    .argument('<to>', 'the same; a file goes into a path that ends with a slash')
    .option('--force', 'replace files that exist on this machine')
    .option('--include-git', 'copy .git folders out, too: what is in them can run programs on this machine')
    .option('--json', 'print as JSON');
  folderOptions(command).action(cp);
}

async function cp(from: string, to: string, options: Options): Promise<void> {
  const [source, target] = [insideOf(from), insideOf(to)];
  if (source && !target) return copyOut(source, to, options);
  if (target && !source) return copyIn(from, target, options);
  throw new PwpError('usage', 'cp: expected one path on this machine and one <sandbox>:<absolute path>');
}

async function copyOut({ id, path }: Inside, to: string, options: Options): Promise<void> {
  await withNodeOf(id, async ({ node, signal }) => {
    await using sandbox = await node.open(id, { signal });
    await using contents = await openTemporaryFolder('changes');
    const git = options.includeGit ?? false;
    const read = (tar: AsyncIterable<Uint8Array>) => readTree(tar, { keepIn: contents.path, git });
    const tree = await sandbox.archive(path, read, { signal });
    const single = tree.isFolder ? undefined : posix.basename(path);
    const copied = await writeTree(tree, contents.path, to, { single, replace: options.force ?? false });
    const { written, unsafe, omitted } = copied;
    const links = `Left out: ${named(unsafe.map(printable))} (a link out of the folder)`;
    for (const line of [...omittedLines(omitted), ...(unsafe.length > 0 ? [links] : [])])
      process.stderr.write(`${line}\n`);
    print(
      { id, path, to: resolve(to), ...copied },
      options.json ?? false,
      () => `${written.length} copied to ${to}`,
    );
  });
}

async function copyIn(from: string, { id, path }: Inside, options: Options): Promise<void> {
  const info = await stat(from).catch(() => null);
  if (!info) throw new PwpError('no-such-file', `${from} does not exist`);
  const isFolder = info.isDirectory();
  const name = posix.basename(path.endsWith('/') ? resolve(from) : path);
  const folder = isFolder || path.endsWith('/') ? path : posix.dirname(path);
  const tar = isFolder
    ? packFolder(await planCopy(resolve(from), options))
    : await packFile(resolve(from), name);
  await withNodeOf(id, async ({ node, signal }) => {
    await using sandbox = await node.open(id, { signal });
    await sandbox.unpack({ path: folder, tar }, { signal });
    const to = isFolder ? folder : posix.join(folder, name);
    print({ id, path: to, from: resolve(from) }, options.json ?? false, () => `copied to ${id}:${to}`);
  });
}

/** Undefined for a path on this machine. */
function insideOf(text: string): Inside | undefined {
  const [, id, path] = /^([a-z0-9][a-z0-9-]{8,59}):(\/.*)$/i.exec(text) ?? [];
  return id === undefined || path === undefined ? undefined : { id, path };
}
