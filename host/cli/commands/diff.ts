import type { Command } from 'commander';
import { changesBelow, keptContent, kindOf, patchOf, type Change } from '../../changes/index.ts';
import { omittedLines, withChanges } from '../changes.ts';
import { withNodeOf } from '../context.ts';
import { print } from '../output.ts';

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
    withChanges(context, id, options, async ({ changes: all, inside: { omitted }, contents, origin }) => {
      const changes = changesBelow(all, belowWorkspace(path));
      const patch = await patchOf(changes, (file) => keptContent(contents, file));
      for (const line of omittedLines(omitted)) process.stderr.write(`${line}\n`);
      const { added, removed } = patch;
      const named = changes.map((change) => ({ path: change.path, change: kindOf(change) }));
      const { folder } = origin;
      print(
        { id, folder, added, removed, changes: named, omitted, patch: patch.text },
        options.json ?? false,
        () =>
          options.stat ? statText(changes, added, removed) : patch.text.replace(/\n$/, '') || 'no changes',
      );
    }),
  );
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
