import { DockerNode, canBeLocal, createDockerNode, createLocalNode, type Node } from '../node/index.ts';
import { openProgress } from '../lib/index.ts';
import { setup } from '../setup/index.ts';

/** What every command that touches sandboxes needs; ended by Ctrl-C and SIGTERM as well as by the command's end. */
export interface Context {
  readonly node: Node;
  /** Fires at the first Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
}

export type NodeKind = Node['kind'];
let chosen: NodeKind | undefined;

/** Sets the kind of node for this run of the program; as {@link nodeChoice} says without it. */
export function chooseNode(kind: NodeKind | undefined): void {
  chosen = kind;
}

/** The kind that was asked for, if one was. */
export function chosenNode(): NodeKind | undefined {
  return chosen;
}

/** Runs a command with a node and disposes the node however the command ends. */
export async function withNode<T>(run: (context: Context) => Promise<T>): Promise<T> {
  const interrupt = interruptSignal();
  await using node = await createNode(interrupt);
  return await run({ node, signal: interrupt });
}

/** As {@link withNode}, after {@link prepareNode}. */
export async function withReadyNode<T>(run: (context: Context) => Promise<T>): Promise<T> {
  return withNode(async (context) => {
    await prepareNode(context);
    return run(context);
  });
}

/** Makes sure that all is there that a node makes sandboxes of: packages and layers, or the images in Docker. */
export async function prepareNode({ node, signal }: Context): Promise<void> {
  const docker = node instanceof DockerNode ? node : undefined;
  if (!docker || (await docker.wantsLayers())) await setup({ progress: openProgress(), signal });
  await docker?.prepare(signal);
}

/** The node of this run, for a caller that disposes it itself; commands use {@link withNode}. */
export function createNode(signal: AbortSignal): Promise<Node> {
  const { kind, reason } = nodeChoice();
  if (chosen === undefined) process.stderr.write(`node: ${kind}, since ${reason} (choose with --node)\n`);
  const options = { progress: openProgress() };
  if (kind === 'docker') return createDockerNode(options);
  const onWait = (waiting: number) =>
    void process.stderr.write(`Waiting for memory: ${waiting} in line for a sandbox\n`);
  return createLocalNode({ ...options, onWait, signal });
}

/** The kind of node for this run and why; without Docker where this process can make sandboxes itself. */
export function nodeChoice(): { kind: NodeKind; reason: string } {
  if (chosen !== undefined) return { kind: chosen, reason: 'you chose it' };
  if (canBeLocal()) return { kind: 'local', reason: 'this is Linux and you are root' };
  return { kind: 'docker', reason: 'sandboxes without Docker need Linux and root' };
}

/** Fires at the first Ctrl-C or SIGTERM. */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => controller.abort(new Error(`stopped by ${name}`)));
  }
  return controller.signal;
}
