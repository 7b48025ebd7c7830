import { PwpError } from '../../bridge/lib/index.ts';
import { createNode, suggestNodeKind, type Node, type NodeSuggestion } from '../node/index.ts';
import { openProgress } from '../lib/index.ts';
import { installMissing } from '../setup/index.ts';

/** What every command on sandboxes needs. Ctrl-C, SIGTERM and the command's end dispose it. */
export interface Context {
  readonly node: Node;
  /** Fires at the first Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
}

export type NodeKind = Node['kind'];
let chosen: NodeKind | undefined;

/** Sets the kind of node for this run of the program. {@link nodeChoice} has the default. */
export function chooseNode(kind: NodeKind | undefined): void {
  chosen = kind;
}

/** The kind that the user chose, if any. */
export function chosenNode(): NodeKind | undefined {
  return chosen;
}

/** Runs a command with a node and disposes the node however the command ends. */
export async function withNode<T>(run: (context: Context) => Promise<T>): Promise<T> {
  const interrupt = interruptSignal();
  await using node = await openNode(interrupt);
  return await run({ node, signal: interrupt });
}

/** As {@link withNode}, after {@link prepareNode}. */
export async function withReadyNode<T>(run: (context: Context) => Promise<T>): Promise<T> {
  return withNode(async (context) => {
    await prepareNode(context);
    return run(context);
  });
}

/** Makes sure that a node has everything it makes sandboxes from: packages and layers, or images in Docker. */
export async function prepareNode({ node, signal }: Context): Promise<void> {
  const progress = openProgress();
  try {
    if (await node.needsPackages({ signal })) await installMissing({ progress, signal });
    await node.prepare({ progress, signal });
  } finally {
    progress.done();
  }
}

/** The node of this run, for a caller that disposes it itself; commands use {@link withNode}. */
export function openNode(signal: AbortSignal): Promise<Node> {
  const { kind, reason } = nodeChoice();
  if (chosen === undefined) process.stderr.write(`node: ${kind}, since ${reason} (choose with --node)\n`);
  const onWait = (waiting: number) =>
    void process.stderr.write(`Waiting for memory: ${waiting} in the admission queue\n`);
  return createNode({ kind, progress: openProgress(), onWait, signal });
}

/** The kind of node for this run, and why. */
export function nodeChoice(): NodeSuggestion {
  return chosen === undefined ? suggestNodeKind() : { kind: chosen, reason: 'you chose it' };
}

/** Fires at the first Ctrl-C or SIGTERM. */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => controller.abort(new PwpError('cancelled', `stopped by ${name}`)));
  }
  return controller.signal;
}
