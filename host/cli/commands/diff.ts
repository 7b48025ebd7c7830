import type { Command } from 'commander';
import { changesBelow, keptContent, kindOf, patchOf, type Change } from '../../changes/index.ts';
import { named, omittedLines, withChanges } from '../changes.ts';
import { withNodeOf } from '../context.ts';
import { print } from '../output.ts';
import { printable } from '../printable.ts';

interface Options {
  readonly stat?: true;
  readonly includeIgnored?: true;
  readonly json?: true;
}

export function addDiff(program: Command): void {
  program
    .command('diff')
    .description('show what has changed in a sandbox since its folder was copied, as a patch')
    .argument('<sandbox>', 'id of a running sandbox')
    .argument('[path]', 'only this file or folder, below the workspace', '')
    .option('--stat', 'only name what has changed')
    .option('--include-ignored', 'show what .gitignore and .pwpignore name, too')
    .option('--json', 'print as JSON')
    .action(diff);
}

async function diff(id: string, path: string, options: Options): Promise<void> {
  await withNodeOf(id, (context) =>
    withChanges(
      context,
      id,
      options,
      async ({ changes: all, leadOut, inside: { omitted }, contents, origin }) => {
        const changes = changesBelow(all, belowWorkspace(path));
        const patch = await patchOf(changes, (file) => keptContent(contents, file));
        const shown = new Set(changes.map(({ path }) => path));
        const unsafe = leadOut.filter((each) => shown.has(each));
        for (const line of [...omittedLines(omitted), ...unsafeLines(unsafe)])
          process.stderr.write(`${line}\n`);
        const { added, removed } = patch;
        const listed = changes.map((change) => ({ path: change.path, change: kindOf(change) }));
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
  const links = named(paths.map(printable));
  return [`Leads out of the folder: ${links} (\`git apply\` makes such a link; \`pwp pull\` leaves it out)`];
}

/** A path as a person gives it, below the workspace. */
export function belowWorkspace(path: string): string {
  return path
    .replace(/^\/workspace(\/|$)/, '')
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .join('/');
}

export function statText(changes: readonly Change[], added: number, removed: number): string {
  if (changes.length === 0) return 'no changes';
  const lines = changes.map((change) => `${kindOf(change).padEnd(7)}  ${change.path}`);
  return [...lines, `${changes.length} changed: ${added} lines added, ${removed} removed`].join('\n');
}
