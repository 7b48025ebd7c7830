import { PwpError, raceSignal } from '../../../bridge/lib/index.ts';
import { openProgress } from '../../lib/index.ts';
import {
  createNode,
  findNodeKind,
  type Node,
  type NodeSuggestion,
  prepareNode,
  suggestNodeKind,
} from '../../node/index.ts';
import { type NodeKind, readNodeChoice } from './node-choice.ts';

/** The context of every command on sandboxes. Ctrl-C, SIGTERM and the command's end dispose it. */
export interface CommandContext {
  readonly node: Node;
  /** Fires at the first Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
}

/** The kind that the user chose, if any. */
export function chosenNodeKind(): NodeKind | undefined {
  return readNodeChoice().kind;
}

/** Runs a command with a node and disposes the node however the command ends. */
export async function withNode<T>(run: (context: CommandContext) => Promise<T>): Promise<T> {
  return withKind(nodeChoice().kind, run);
}

/** As {@link withNode}, with the node that has a sandbox or a checkpoint, unless the user chose a kind of node. */
export async function withNodeHolding<T>(
  id: string,
  run: (context: CommandContext) => Promise<T>,
): Promise<T> {
  return withKind(await findNodeKindHolding(id), run);
}

/** The kind of the node that has a sandbox or a checkpoint, unless the user chose one. */
export async function findNodeKindHolding(id: string): Promise<NodeKind> {
  return chosenNodeKind() ?? (await findNodeKind(id, { signal: interruptSignal() }));
}

async function withKind<T>(kind: NodeKind, run: (context: CommandContext) => Promise<T>): Promise<T> {
  const signal = interruptSignal();
  await using node = await openNode(signal, kind);
  return await run({ node, signal });
}

/** As {@link withNode}, after {@link prepareChosenNode}. */
export async function withReadyNode<T>(run: (context: CommandContext) => Promise<T>): Promise<T> {
  return withNode(async (context) => {
    await prepareChosenNode(context.signal);
    return run(context);
  });
}

/** Makes sure that nodes of this run have all they need to make sandboxes: packages and layers, or images in Docker. */
export async function prepareChosenNode(signal: AbortSignal): Promise<void> {
  const progress = openProgress();
  try {
    const { languages } = readNodeChoice();
    await prepareNode({ kind: nodeChoice().kind, languages, progress, signal });
  } finally {
    progress.done();
  }
}

/** A node for a caller that disposes it itself; commands use {@link withNode}. */
export function openNode(signal: AbortSignal, kind: NodeKind = nodeChoice().kind): Promise<Node> {
  const onWait = (waiting: number) =>
    void process.stderr.write(`Waiting for memory: ${waiting} in the admission queue\n`);
  const { languages } = readNodeChoice();
  return createNode({ kind, progress: openProgress(), onWait, languages, signal });
}

/** The kind of node for this run, and why. */
export function nodeChoice(): NodeSuggestion {
  const kind = chosenNodeKind();
  return kind === undefined ? suggestNodeKind() : { kind, reason: 'you chose it' };
}

let interruptedSignal: AbortSignal | undefined;

/** Fires at the first Ctrl-C or SIGTERM. */
export function interruptSignal(): AbortSignal {
  interruptedSignal ??= listenForInterrupts();
  return interruptedSignal;
}

/** Waits until a command is interrupted or its server ends. */
export async function untilInterrupted(signal: AbortSignal): Promise<void> {
  await raceSignal(new Promise<never>(() => undefined), signal).catch(() => undefined);
}

function listenForInterrupts(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => controller.abort(new PwpError('cancelled', `stopped by ${name}`)));
  }
  return controller.signal;
}
