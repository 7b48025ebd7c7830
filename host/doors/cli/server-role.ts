import { arch } from 'node:process';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { PwpError } from '../../../bridge/lib/index.ts';
import { listAllImages } from '../../node/index.ts';
import { nodeChoice } from './context.ts';

/** How a server of episodes stands to others of its queue. */
export interface ServerRoleOptions {
  readonly queue?: string;
  readonly worker?: true;
  readonly front?: true;
  readonly label?: readonly string[];
}

/** `alone`: without a queue. */
export type ServerRole = 'alone' | 'worker' | 'front';

export function addServerRoleOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--queue <url>',
        'one address for the episodes of many machines: those that run the same command with --worker. redis://, rediss:// or postgres://',
      ).env('PWP_QUEUE'),
    )
    .option('--front', 'be that address, also if the queue is in PWP_QUEUE')
    .option(
      '--worker',
      'with --queue: have episodes for it; --max-episodes is what fits into memory by default',
    )
    .addOption(
      new Option(
        '--label <name>',
        'with --worker: what clients can ask for by the header X-PWP-Labels, beside the kind of node, the architecture, and images; repeat it for several',
      ).argParser((name: string, before: readonly string[] | undefined) => [
        ...(before ?? []),
        parseLabel(name),
      ]),
    );
}

function parseLabel(text: string): string {
  if (!/^[\w.:/@-]{1,300}$/.test(text)) throw new InvalidArgumentError('expected a word, e.g. gpu or zone:a');
  return text;
}

/** A queue in the environment is not enough: it may be that of studies. Errors: `usage`. */
export function readServerRole(command: Command): ServerRole {
  const { queue, worker, front, label }: ServerRoleOptions = command.opts();
  const isFront = front ?? command.getOptionValueSource('queue') === 'cli';
  if (label && !worker) throw new PwpError('usage', 'serve: --label goes with --worker');
  if (worker && front) throw new PwpError('usage', 'serve: expected either --front or --worker');
  if (queue === undefined && (worker || front))
    throw new PwpError('usage', 'serve: expected --queue', {
      help: 'For example --queue redis://127.0.0.1:6379',
    });
  if (worker) return 'worker';
  return isFront ? 'front' : 'alone';
}

/** What is known of this machine without being asked: kind of node, architecture, and images of the user's. */
export async function listOwnLabels(signal: AbortSignal): Promise<string[]> {
  const { kind } = nodeChoice();
  const images = kind === 'local' ? await listAllImages({ node: kind, signal }) : [];
  const roots = images.filter((image) => image.kind === 'root');
  return [kind, arch, ...roots.flatMap(({ key, place }) => [`image:sha256:${key}`, `image:${place}`])];
}
