import { userInfo } from 'node:os';
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { PwpError } from '../../../bridge/lib/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import { setNames } from '../../ide/index.ts';
import { requireFolder } from '../../lib/index.ts';
import { defaultLimits, forgetOrigin, type Node, type Sandbox, toSandboxName } from '../../node/index.ts';
import { startOnFolder } from '../../run/index.ts';
import {
  makeCertificate,
  readCertificate,
  requireHost,
  type Server,
  type ServerAddress,
  SharedIde,
} from '../serve/index.ts';
import { findNodeKindHolding, interruptSignal, openNode, prepareChosenNode } from './context.ts';
import { addFolderOptions, beginOrigin, copySeed, type FolderOptions, planCopy } from './copied-folder.ts';
import { audioOption, type DisplayOption, displayOption, readDisplay } from './options.ts';
import { escapeControls, explainError } from './output.ts';

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
  const opening = openIde(owned, folder, options, signal);
  try {
    // A running sandbox opens at once, or its id is wrong.
    if (folder === undefined) await opening;
    // Each caller gets the error, too, but a client may hide the results of its calls.
    opening.catch((error: unknown) => signal.aborted || process.stderr.write(`${explainError(error)}\n`));
    const sandbox = opening.then((opened) => opened.sandbox);
    await run(new SharedIde(sandbox), interrupt, () => hasIdeEnded(opening));
  } finally {
    over.abort(new PwpError('cancelled', 'the server ended'));
    await opening.catch(() => undefined);
  }
}

interface OpenedIde {
  readonly node: Node;
  readonly sandbox: Sandbox;
}

/** A sandbox that fails to start has not ended: the failure says more. */
async function hasIdeEnded(opening: Promise<OpenedIde>): Promise<boolean> {
  const opened = await opening.catch(() => undefined);
  return opened !== undefined && hasSandboxEnded(opened.node, opened.sandbox.id);
}

/** @param owned gets each resource as soon as it exists */
async function openIde(
  owned: AsyncDisposableStack,
  folder: string | undefined,
  options: SharedIdeOptions,
  signal: AbortSignal,
): Promise<OpenedIde> {
  if (folder === undefined) return openRunningIde(owned, options.sandbox ?? '', signal);
  const node = owned.use(await openNode(signal));
  await prepareChosenNode(signal);
  return { node, sandbox: await startIde(owned, node, resolve(folder), options, signal) };
}

async function openRunningIde(
  owned: AsyncDisposableStack,
  id: string,
  signal: AbortSignal,
): Promise<OpenedIde> {
  const node = owned.use(await openNode(signal, await findNodeKindHolding(id)));
  return { node, sandbox: owned.use(await node.open(id, { signal })) };
}

async function startIde(
  owned: AsyncDisposableStack,
  node: Node,
  folder: string,
  options: SharedIdeOptions,
  signal: AbortSignal,
): Promise<Sandbox> {
  const name = toSandboxName(basename(folder));
  const plan = await planCopy(folder, options);
  await using draft = await beginOrigin(plan, options);
  const seeds = [copySeed(plan, draft)];
  const { keep = false } = options;
  const display = readDisplay(options);
  const root = options.image !== undefined && { root: options.image };
  const spec = { name, role: 'ide', seeds, keep, display, limits: defaultLimits, ...root } as const;
  const { sandbox, notes } = await startOnFolder(node, spec, { signal });
  for (const note of notes) process.stderr.write(`${note}\n`);
  owned.use(sandbox);
  await draft.commit(sandbox.id);
  if (!keep) owned.defer(() => forgetOrigin(sandbox.id));
  process.stderr.write(`sandbox ${sandbox.id} is ready\n`);
  return sandbox;
}

/** Several models shrink larger pictures, which would make their coordinates wrong. */
const servedDisplay = { width: 1280, height: 800 };

/** The options for the IDE of a server. */
export function addSharedIdeOptions(command: Command): Command {
  return addFolderOptions(command)
    .option('--sandbox <id>', 'serve this running sandbox instead of a new one')
    .option('--keep', 'leave the new sandbox running when the server ends')
    .addOption(displayOption(servedDisplay))
    .addOption(audioOption());
}

/** The options for the IDE of a page. */
export function addPairIdeOptions(command: Command): Command {
  return addFolderOptions(command)
    .option('--keep', 'leave the new sandbox running when this ends')
    .addOption(displayOption(servedDisplay))
    .addOption(audioOption());
}

/** The options for the tools of a server. */
export function addToolChoiceOptions(command: Command): Command {
  return command
    .option('--all', 'list all tools at once; by default the core tools, to which clients of MCP can add')
    .option('--families <family...>', 'serve only these families of tools, e.g. core debug', parseNames)
    .option('--tools <tool...>', 'serve only these tools, and those of --families', parseNames)
    .option('--set <name>', `serve the tools of another harness instead: ${setNames.join(', ')}`)
    .option('--read-only', 'serve only tools that change nothing')
    .option(
      '--structured',
      'also return results as objects, for programs; several models then miss text and images',
    );
}

/** A configuration in the form that most clients of the Model Context Protocol take. */
export function clientConfig({ origin, token }: Pick<Server, 'origin' | 'token'>): string {
  const headers = { Authorization: `Bearer ${token}` };
  const mcpServers = { pwp: { type: 'http', url: `${origin}/mcp`, headers } };
  return JSON.stringify({ mcpServers }, null, 2);
}

/** The values of an option that takes several, separated by spaces or commas. */
function parseNames(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(',').filter((name) => name !== '')];
}

export interface PageAddressOptions {
  readonly host?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

/** The address at which a page, or another server, can be reached. */
export function addPageAddressOptions(command: Command, what = 'the page'): Command {
  return command
    .option('--host <name>', `let other machines reach ${what} by this name or address of this one, over TLS`)
    .option('--tls-cert <file>', 'certificate of that name, as PEM; default: a new, self-signed one')
    .option('--tls-key <file>', 'its key, as PEM');
}

/**
 * Undefined: on this machine alone. Errors: `usage`, `no-certificate`.
 * @param days validity of a certificate that is made; default as of `makeCertificate`
 */
export async function readPageAddress(
  { host, tlsCert, tlsKey }: PageAddressOptions,
  days?: number,
): Promise<ServerAddress | undefined> {
  const isOwn = tlsCert !== undefined && tlsKey !== undefined;
  if (!isOwn && (tlsCert ?? tlsKey) !== undefined)
    throw new PwpError('usage', '--tls-cert and --tls-key go together');
  if (host === undefined) {
    if (isOwn)
      throw new PwpError('usage', '--tls-cert is for other machines', { help: 'Add --host <name>.' });
    return undefined;
  }
  const name = requireHost(host);
  return {
    host: name,
    tls: isOwn ? await readCertificate(tlsCert, tlsKey) : await makeCertificate(name, days),
  };
}

/** For people to compare with the fingerprint that their browser shows. */
export function certificateText({ tls }: ServerAddress): string {
  return tls ? `Certificate, SHA-256: ${tls.fingerprint}` : '';
}

/** Whether a sandbox has ended. Never rejects: a node that can't answer now may answer later. */
export async function hasSandboxEnded(node: Node, id: string): Promise<boolean> {
  try {
    const found = (await node.list()).find((one) => one.id === id);
    return found === undefined || found.state === 'stopped';
  } catch (error) {
    // Its sandboxes are gone with it.
    return error instanceof PwpError && error.code === 'node-lost';
  }
}

/** As others in the page and in records see this person. */
export function personName(): string {
  try {
    return clip(escapeControls(userInfo().username), 100) || 'Person';
  } catch {
    return 'Person';
  }
}
