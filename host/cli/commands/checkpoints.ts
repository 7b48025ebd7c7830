import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CheckpointInfo } from '../../node/index.ts';
import { deleteAndForget } from '../changes.ts';
import { withNode, withNodeOf } from '../context.ts';
import { print } from '../output.ts';
import { checkpointTree, sizeText } from '../tree.ts';

interface Json {
  readonly json?: boolean;
}

export function addCheckpoints(program: Command): void {
  const checkpoints = program
    .command('checkpoints')
    .description('list, delete, export and import checkpoints of sandboxes');
  checkpoints
    .command('list', { isDefault: true })
    .description('list all checkpoints, each below its parent')
    .option('--json', 'print as JSON')
    .action(list);
  checkpoints
    .command('delete')
    .description('delete checkpoints')
    .argument('<checkpoint...>', 'ids of checkpoints')
    .option('--json', 'print as JSON')
    .action(remove);
  checkpoints
    .command('export')
    .description('write a checkpoint to one file')
    .argument('<checkpoint>', 'id of a checkpoint')
    .argument('<file>', 'the file to write')
    .option('--json', 'print as JSON')
    .action(exportOne);
  checkpoints
    .command('import')
    .description('read a checkpoint from an exported file')
    .argument('<file>', 'the exported file')
    .option('--json', 'print as JSON')
    .action(importOne);
}

async function list({ json = false }: Json): Promise<void> {
  await withNode(async ({ node }) => {
    const all = await node.checkpoints();
    print(all, json, () => treeText(all));
  });
}

function treeText(all: readonly CheckpointInfo[]): string {
  if (all.length === 0) return 'no checkpoints';
  const bytes = all.reduce((sum, one) => sum + one.bytes, 0);
  return `${checkpointTree(all, new Date())}\n${all.length} in total, ${sizeText(bytes)}`;
}

async function remove(ids: string[], { json }: Json): Promise<void> {
  for (const id of ids) await withNodeOf(id, ({ node }) => deleteAndForget(node, id));
  if (json)
    print(
      ids.map((id) => ({ id })),
      true,
      String,
    );
}

async function exportOne(id: string, to: string, { json }: Json): Promise<void> {
  const file = resolve(to);
  await withNodeOf(id, ({ node, signal }) => node.exportCheckpoint(id, file, { signal }));
  if (json) print({ id, file }, true, String);
}

async function importOne(file: string, { json = false }: Json): Promise<void> {
  await withNode(async ({ node, signal }) => {
    const info = await node.importCheckpoint(resolve(file), { signal });
    print(info, json, () => info.id);
  });
}
