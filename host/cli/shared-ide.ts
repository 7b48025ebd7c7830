import { basename, resolve } from 'node:path';
import { PwpError } from '../../bridge/lib/index.ts';
import { defaultLimits, sandboxName, type Node, type Sandbox } from '../node/index.ts';
import { startOnFolder } from '../env/index.ts';
import { forgetOrigin } from '../changes/index.ts';
import { SharedIde } from '../serve/index.ts';
import { requireFolder } from '../lib/index.ts';
import { nodeKindOf, openNode, interruptSignal, prepareNode } from './context.ts';
import { beginOrigin, copySeed, planCopy, type FolderOptions } from './copied-folder.ts';
import { hasEnded } from './has-ended.ts';
import { displayOf, type DisplayOption } from './options.ts';
import { explain } from './output.ts';

/** The IDE that a server's clients get. */
export interface SharedIdeOptions extends FolderOptions, DisplayOption {
  /** Id of a running sandbox; stays when the server ends. */
  readonly sandbox?: string;
  /** Leave the sandbox that was made for this server running when it ends. */
  readonly keep?: true;
}

/**
 * Runs a server on an IDE: a running one, or one that is started on a copy of a folder while the server already answers.
 * A sandbox that was made for the server is removed when the server ends, however it ends.
 * @param run gets a signal that fires at Ctrl-C and SIGTERM, and a function that asks whether the sandbox has ended
 */
export async function withSharedIde(
  folder: string | undefined,
  options: SharedIdeOptions,
  run: (ide: SharedIde, signal: AbortSignal, hasEnded: () => Promise<boolean>) => Promise<void>,
): Promise<void> {
  if ((folder === undefined) === (options.sandbox === undefined))
    throw new PwpError('usage', 'expected a folder to copy, or --sandbox <id> of a running sandbox');
  // Checked before the server answers: only the person who starts it can correct this, not a client.
  if (folder !== undefined) await requireFolder(folder);
  const interrupt = interruptSignal();
  const over = new AbortController();
  await using owned = new AsyncDisposableStack();
  const signal = AbortSignal.any([interrupt, over.signal]);
  const opening = open(owned, folder, options, signal);
  try {
    // A running sandbox opens at once, or its id is wrong.
    if (folder === undefined) await opening;
    // Each caller gets the error, too, but a client may hide the results of its calls.
    opening.catch((error: unknown) => signal.aborted || process.stderr.write(`${explain(error)}\n`));
    const sandbox = opening.then((opened) => opened.sandbox);
    await run(new SharedIde(sandbox), interrupt, () => isOver(opening));
  } finally {
    over.abort(new PwpError('cancelled', 'the server ended'));
    await opening.catch(() => undefined);
  }
}

interface Opened {
  readonly node: Node;
  readonly sandbox: Sandbox;
}

/** A sandbox that fails to start has not ended: the failure says more. */
async function isOver(opening: Promise<Opened>): Promise<boolean> {
  const opened = await opening.catch(() => undefined);
  return opened !== undefined && hasEnded(opened.node, opened.sandbox.id);
}

/** @param owned gets each resource as soon as it exists */
async function open(
  owned: AsyncDisposableStack,
  folder: string | undefined,
  options: SharedIdeOptions,
  signal: AbortSignal,
): Promise<Opened> {
  if (folder === undefined) return openRunning(owned, options.sandbox ?? '', signal);
  const node = owned.use(await openNode(signal));
  await prepareNode({ node, signal });
  return { node, sandbox: await start(owned, node, resolve(folder), options, signal) };
}

async function openRunning(owned: AsyncDisposableStack, id: string, signal: AbortSignal): Promise<Opened> {
  const node = owned.use(await openNode(signal, await nodeKindOf(id)));
  return { node, sandbox: owned.use(await node.open(id, { signal })) };
}

async function start(
  owned: AsyncDisposableStack,
  node: Node,
  folder: string,
  options: SharedIdeOptions,
  signal: AbortSignal,
): Promise<Sandbox> {
  const name = sandboxName(basename(folder));
  const plan = await planCopy(folder, options);
  await using draft = await beginOrigin(plan, options);
  const seeds = [copySeed(plan, draft)];
  const { keep = false } = options;
  const display = displayOf(options);
  const spec = { name, role: 'ide', seeds, keep, display, limits: defaultLimits } as const;
  const { sandbox, notes } = await startOnFolder(node, spec, { signal });
  for (const note of notes) process.stderr.write(`${note}\n`);
  owned.use(sandbox);
  await draft.commit(sandbox.id);
  if (!keep) owned.defer(() => forgetOrigin(sandbox.id));
  process.stderr.write(`sandbox ${sandbox.id} is ready\n`);
  return sandbox;
}
