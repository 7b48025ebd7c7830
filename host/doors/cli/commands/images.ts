import type { Command } from 'commander';
import { describeError } from '../../../../bridge/lib/index.ts';
import { openProgress } from '../../../lib/index.ts';
import {
  type AgentUser,
  fetchRootImage,
  findImageUser,
  type ImageInfo,
  listAllImages,
  pruneAllImages,
  type PruneReport,
  type RootImage,
} from '../../../node/index.ts';
import { chosenNodeKind, interruptSignal, nodeChoice, prepareChosenNode, withNode } from '../context.ts';
import { print, printJson } from '../output.ts';
import { ageText, formatTable, sizeText } from '../tables.ts';

interface ImagesOptions {
  readonly json?: true;
}

export function addImagesCommand(program: Command): void {
  const images = program
    .command('images')
    .description('build, fetch, list and prune what sandboxes and nodes are made of');
  images
    .command('build')
    .description('build what is missing for the chosen node')
    .option('--json', 'print as JSON')
    .action(async (options: ImagesOptions) => {
      await withNode(({ signal }) => prepareChosenNode(signal));
      if (options.json) printJson({ node: nodeChoice().kind, ready: true });
    });
  images
    .command('list')
    .description(
      'list layers in the cache, images of your own and images in Docker; with --node, only those of one kind of node',
    )
    .option('--json', 'print as JSON')
    .action(async (options: ImagesOptions) => {
      const list = await listAllImages({ node: chosenNodeKind(), signal: interruptSignal() });
      print(list, options.json ?? false, () => imagesText(list));
    });
  images
    .command('prune')
    .description(
      'remove what neither this version nor a sandbox or container uses, and images of your own that were not used for a week; with --node, only of one kind of node',
    )
    .option('--all', 'also images of your own that were used in the last week')
    .option('--json', 'print as JSON')
    .action(async ({ all, json }: ImagesOptions & { readonly all?: true }) => {
      const report = await pruneAllImages({ node: chosenNodeKind(), signal: interruptSignal(), all });
      print(report, json ?? false, () => prunedText(report));
    });
  addRootCommands(images);
}

const imageHelp =
  'name of an image (name:tag, engine:name, docker://registry/name), or path of an archive, a root, an OCI layout or a Dockerfile';

/** Commands on images of the user's. */
function addRootCommands(images: Command): void {
  images
    .command('pull')
    .description(
      'fetch or build an image of your own, also if it is there: its name may mean a newer one now',
    )
    .argument('<image>', imageHelp)
    .option('--host-network', "let the build of a Dockerfile reach this machine's own network")
    .option('--json', 'print as JSON')
    .action(async (reference: string, options: ImagesOptions & { readonly hostNetwork?: true }) => {
      const image = await fetchImage(reference, {
        refresh: true,
        ...(options.hostNetwork && { network: 'host' }),
      });
      print(image, options.json ?? false, () => fetchedText(image));
    });
  images
    .command('show')
    .description('print how an image of your own wants to be run, and its layers')
    .argument('<image>', imageHelp)
    .option('--json', 'print as JSON')
    .action(async (reference: string, { json }: ImagesOptions) => {
      const image = await fetchImage(reference, {});
      const user = await findImageUser(image).catch(describeError);
      print({ ...image, user }, json ?? false, () => rootText(image, user));
    });
}

async function fetchImage(
  reference: string,
  options: Omit<Parameters<typeof fetchRootImage>[1], 'signal' | 'progress'>,
): Promise<RootImage> {
  const progress = openProgress();
  try {
    return await fetchRootImage(reference, { progress, signal: interruptSignal(), ...options });
  } finally {
    progress.done();
  }
}

function fetchedText({ reference, digest, bytes, layers }: RootImage): string {
  const count = layers.length === 1 ? '1 layer' : `${layers.length} layers`;
  return `${reference}: ${sizeText(bytes)} in ${count}, ${digest}`;
}

/** @param user why it can't be one, if it is a text */
function rootText(image: RootImage, user: AgentUser | string): string {
  const { env, workdir, entrypoint, cmd, shell } = image.config;
  const words = (list: readonly string[]) => (list.length === 0 ? '-' : list.join(' '));
  return [
    fetchedText(image),
    formatTable([
      ['architecture', image.arch],
      ['user', typeof user === 'string' ? user : userText(image.config.user, user)],
      ['folder', workdir],
      ['entrypoint', words(entrypoint)],
      ['command', words(cmd)],
      ...(shell ? [['shell', words(shell)]] : []),
      ...Object.entries(env).map(([name, value]) => [name, value]),
    ]),
    ...image.layers,
  ].join('\n');
}

/** As `id` prints it. */
function userText(name: string, { uid, gid, groups, home }: AgentUser): string {
  const further = groups.length > 0 ? [`groups ${groups.join(', ')}`] : [];
  return [`${name}: uid ${uid}`, `gid ${gid}`, ...further, `home ${home}`].join(', ');
}

function prunedText({ removed, freedBytes }: PruneReport): string {
  if (removed.length === 0 && freedBytes === 0)
    return 'nothing to remove: all that is there is current or in use';
  return `${imagesText(removed)}\nremoved ${removed.length}, which freed ${sizeText(freedBytes)}`;
}

/** Layers and images of sandboxes and nodes in one table, images of the user's in another. */
function imagesText(images: readonly ImageInfo[]): string {
  const [roots, parts] = [images.filter(isRoot), images.filter((image) => !isRoot(image))];
  const tables = [
    ...(parts.length > 0 ? [partsText(parts)] : []),
    ...(roots.length > 0 ? [rootsText(roots)] : []),
  ];
  return tables.join('\n\n') || 'no images';
}

function isRoot({ kind }: ImageInfo): boolean {
  return kind === 'root';
}

function partsText(images: readonly ImageInfo[]): string {
  return formatTable([
    ['KIND', 'KEY', 'SIZE', 'STATE', 'BUILT', 'PLACE'],
    ...images.map(({ kind, key, bytes, builtAt, place, ...image }) => {
      return [
        kind,
        key.slice(0, 16),
        imageSizeText(bytes),
        imageStateText(image),
        builtAt.slice(0, 16).replace('T', ' '),
        place,
      ];
    }),
  ]);
}

function rootsText(images: readonly ImageInfo[]): string {
  return formatTable([
    ['IMAGE', 'DIGEST', 'SIZE', 'LAYERS', 'STATE', 'LAST USED'],
    ...images.map(({ key, bytes, place, layers = 0, usedAt = '', ...image }) => {
      const age = ageText(Date.now() - Date.parse(usedAt));
      return [place, key.slice(0, 16), sizeText(bytes ?? 0), layers, imageStateText(image), `${age} ago`];
    }),
  ]);
}

function imageSizeText(bytes: number | null): string {
  return bytes === null ? '-' : `${Math.round(bytes / 1024 / 1024)} MiB`;
}

function imageStateText({ current, used }: Pick<ImageInfo, 'current' | 'used'>): string {
  const words = [...(current ? ['current'] : []), ...(used ? ['in use'] : [])];
  return words.join(', ') || 'unused';
}
