import type { Command } from 'commander';
import { listAllImages, pruneAllImages, type ImageInfo, type PruneReport } from '../../node/index.ts';
import { chosenNode, interruptSignal, nodeChoice, prepareNode, withNode } from '../context.ts';
import { print } from '../output.ts';
import { table } from '../table.ts';
import { sizeText } from '../tree.ts';

interface Options {
  readonly json?: true;
}

export function addImages(program: Command): void {
  const images = program
    .command('images')
    .description('build, list and prune what sandboxes and nodes are made of');
  images
    .command('build')
    .description('build what is missing for the chosen node')
    .option('--json', 'print as JSON')
    .action(async (options: Options) => {
      await withNode(prepareNode);
      if (options.json) print({ node: nodeChoice().kind, ready: true }, true, String);
    });
  images
    .command('list')
    .description('list layers in the cache and images in Docker; with --node, only those of one kind of node')
    .option('--json', 'print as JSON')
    .action(async (options: Options) => {
      const list = await listAllImages({ node: chosenNode(), signal: interruptSignal() });
      print(list, options.json ?? false, () => imagesText(list));
    });
  images
    .command('prune')
    .description(
      'remove what neither this version nor a sandbox or container uses; with --node, only of one kind of node',
    )
    .option('--json', 'print as JSON')
    .action(async (options: Options) => {
      const report = await pruneAllImages({ node: chosenNode(), signal: interruptSignal() });
      print(report, options.json ?? false, () => prunedText(report));
    });
}

export function prunedText({ removed, freedBytes }: PruneReport): string {
  if (removed.length === 0) return 'nothing to remove: all that is there is current or in use';
  return `${imagesText(removed)}\nremoved ${removed.length}, which freed ${sizeText(freedBytes)}`;
}

function imagesText(images: readonly ImageInfo[]): string {
  if (images.length === 0) return 'no images';
  return table([
    ['KIND', 'KEY', 'SIZE', 'STATE', 'BUILT', 'PLACE'],
    ...images.map(({ kind, key, bytes, builtAt, place, ...image }) => {
      const size = bytes === null ? '-' : `${Math.round(bytes / 1024 / 1024)} MiB`;
      return [kind, key.slice(0, 16), size, stateOf(image), builtAt.slice(0, 16).replace('T', ' '), place];
    }),
  ]);
}

function stateOf({ current, used }: Pick<ImageInfo, 'current' | 'used'>): string {
  const words = [...(current ? ['current'] : []), ...(used ? ['in use'] : [])];
  return words.join(', ') || 'unused';
}
