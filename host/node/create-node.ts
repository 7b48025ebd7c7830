import { type Cancellable, neverAborted, PwpError } from '../../bridge/lib/index.ts';
import type { Progress } from '../lib/index.ts';
import type { FetchAgentRoot } from './agent-root.ts';
import { createDockerNode } from './docker/index.ts';
import { canRunLocally, createLocalNode, isOnThisMachine } from './local/index.ts';
import type { Node } from './node.ts';
import { fetchAgentRoot } from './root-images.ts';

export interface NodeOptions extends Cancellable {
  /** Default: see {@link suggestNodeKind}. */
  readonly kind?: Node['kind'] | undefined;
  /** Receives the progress while images are built for the first time. */
  readonly progress?: Progress;
  /** IP addresses of names that the proxy of a sandbox with a network does not look up, e.g. of a company's mirror. */
  readonly names?: Readonly<Record<string, string>>;
  /** Extra languages in its image: `cpp`, `go`, `rust`. Default: none. */
  readonly languages?: readonly string[];
  /** Called with the number of starts in the admission queue, whenever it grows. Nodes in Docker do not report it. */
  readonly onWait?: (waiting: number) => void;
}

/** The kind of node that fits this process, and why, for people. */
export interface NodeSuggestion {
  readonly kind: Node['kind'];
  readonly reason: string;
}

/**
 * A node of either kind. Dispose it to end what it started. Errors: those of `createLocalNode` and `createDockerNode`;
 * the signal's reason where it fires before the node is ready.
 */
export async function createNode(options: NodeOptions = {}): Promise<Node> {
  const { kind = suggestNodeKind().kind, progress, names, languages, onWait, signal } = options;
  const shown = progress && { progress };
  const named = names && { names };
  const root: FetchAgentRoot = (image, given) => fetchAgentRoot(image, { ...given, ...shown, ...named });
  const common = { ...shown, ...named, ...(languages && { languages }), root, signal };
  switch (kind) {
    case 'local':
      return createLocalNode({ ...common, ...(onWait && { onWait }) });
    case 'docker':
      return createDockerNode(common);
    default:
      throw new PwpError('usage', `there is no kind of node ${JSON.stringify(kind satisfies never)}`);
  }
}

/** Without Docker if this process can run sandboxes itself. */
export function suggestNodeKind(): NodeSuggestion {
  return canRunLocally()
    ? { kind: 'local', reason: 'this is Linux and you are root' }
    : { kind: 'docker', reason: 'sandboxes without Docker need Linux and root' };
}

/**
 * The kind of the node that has a sandbox or a checkpoint, by its id. Where no node has it, the kind that fits this
 * process, whose error then says so.
 */
export async function findNodeKind(
  id: string,
  { signal = neverAborted }: Cancellable = {},
): Promise<Node['kind']> {
  const { kind } = suggestNodeKind();
  if (kind === 'docker' || (await isOnThisMachine(id))) return kind;
  return (await isInDocker(id, signal)) ? 'docker' : kind;
}

/** False where no engine answers. */
async function isInDocker(id: string, signal: AbortSignal): Promise<boolean> {
  try {
    await using node = await createDockerNode({ signal });
    const all = [...(await node.list()), ...(await node.checkpoints())];
    return all.some((one) => one.id === id);
  } catch {
    signal.throwIfAborted();
    return false;
  }
}
