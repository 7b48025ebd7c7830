import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import {
  deadline,
  describeError,
  isTimeout,
  poll,
  type Probe,
  raceSignal,
} from '../../../../bridge/lib/index.ts';
import {
  type ideTools,
  toolError,
  type ToolInput,
  type ToolOutput,
} from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { clipText } from '../../lib/index.ts';
import { formatPath, resolvePlace, type WorkspacePlace } from '../workspace-place.ts';

type List = typeof ideTools.listExtensions;
type Manage = typeof ideTools.manageExtension;

const most = 1000;

/** Maximum time for VS Code to unload an uninstalled extension, in milliseconds. */
const goneMs = 10_000;

export function listExtensions({ query, include_builtin: builtin }: ToolInput<List>): ToolOutput<List> {
  const wanted = query.toLowerCase();
  const found = vscode.extensions.all
    .map(describe)
    .filter((one) => builtin || !one.builtin)
    .filter(({ id, name, description }) => `${id} ${name} ${description}`.toLowerCase().includes(wanted));
  return { extensions: found.slice(0, most), truncated: found.length > most };
}

function describe({ id, isActive, packageJSON }: vscode.Extension<unknown>) {
  const manifest = packageJSON as Readonly<Record<string, unknown>>;
  const text = (name: string) => {
    const value = manifest[name];
    return typeof value === 'string' ? clipText(value) : '';
  };
  return {
    id: clipText(id),
    name: text('displayName') || text('name'),
    version: text('version'),
    description: text('description'),
    builtin: manifest.isBuiltin === true,
    active: isActive,
  };
}

export async function manageExtension(
  input: ToolInput<Manage>,
  { signal }: ToolContext,
): Promise<ToolOutput<Manage>> {
  const { action, id, vsix, timeout_ms: ms } = input;
  if (action === 'disable')
    throw toolError('not-supported', 'VS Code has no call to disable an extension', {
      help: 'Use the gear of the extension in the Extensions view, or uninstall it',
    });
  if (vsix !== undefined && action !== 'install')
    throw toolError('bad-arguments', `${action} takes an id, no .vsix file`);
  if ((id === undefined) === (vsix === undefined))
    throw toolError('bad-arguments', `${action} takes either an id or a .vsix file`);
  using limit = deadline(`${action} of ${id ?? vsix}`, ms, signal);
  try {
    if (vsix === undefined) return await changeExtension(action, id ?? '', limit.signal);
    return await installVsixFile(await resolvePlace(vsix), limit.signal);
  } catch (cause) {
    if (signal.aborted || !isTimeout(cause)) throw cause;
    throw toolError('timed-out', describeError(cause), {
      help: 'The IDE may be asking whether the publisher or the workspace is to be trusted: look at its window',
      cause,
    });
  }
}

async function changeExtension(
  action: 'install' | 'enable' | 'uninstall',
  id: string,
  signal: AbortSignal,
): Promise<ToolOutput<Manage>> {
  const wanted = action !== 'uninstall';
  if (isPresent(id) === wanted)
    return {
      id,
      present: wanted,
      changed: false,
      note: `${id} was ${wanted ? 'there' : 'not there'} already`,
    };
  if (action === 'uninstall') return uninstallExtension(id, signal);
  await runExtensionCommand('workbench.extensions.installExtension', id, signal, id, {
    enable: action === 'enable',
  });
  await awaitReported(() => isPresent(id), signal);
  return {
    id,
    present: true,
    changed: true,
    note: `${action === 'install' ? 'installed' : 'enabled'} ${id}`,
  };
}

/** An extension that runs, or has begun to start, can't be removed from a running window. */
async function uninstallExtension(id: string, signal: AbortSignal): Promise<ToolOutput<Manage>> {
  await runExtensionCommand('workbench.extensions.uninstallExtension', id, signal, id);
  await awaitGoneOrRunning(id, signal);
  const present = isPresent(id);
  const note = present
    ? `uninstalled ${id}; it keeps running until the window is reloaded`
    : `uninstalled ${id}`;
  return { id, present, changed: true, note };
}

/** An extension that is starting is listed as not active, possibly for ever, so this gives up after a while. */
async function awaitGoneOrRunning(id: string, signal: AbortSignal): Promise<void> {
  using limit = deadline(`removal of ${id}`, goneMs, signal);
  const probe = (): Probe<undefined> =>
    findExtension(id)?.isActive === false
      ? { done: false, saw: 'there, and not active' }
      : { done: true, value: undefined };
  try {
    await poll(`${id} to go or to run`, probe, { intervalMs: 50, signal: limit.signal });
  } catch (cause) {
    signal.throwIfAborted();
    if (!isTimeout(cause)) throw cause;
  }
}

/** Maximum time for VS Code to list an extension that it has installed, in milliseconds. */
const listedMs = 5000;

async function installVsixFile(where: WorkspacePlace, signal: AbortSignal): Promise<ToolOutput<Manage>> {
  const name = formatPath(where.path);
  const stats = await stat(where.real).catch(() => undefined);
  if (!stats) throw toolError('not-found', `there is no file ${name}`);
  if (!stats.isFile()) throw toolError('not-a-file', `${name} is not a file`);
  const before = new Set(vscode.extensions.all.map(({ id }) => id));
  const fresh = () => vscode.extensions.all.find(({ id }) => !before.has(id))?.id;
  await runExtensionCommand('workbench.extensions.installExtension', name, signal, where.uri).catch(
    (error: unknown) => {
      if (!/central directory|zip|manifest|package\.json/i.test(describeError(error))) throw error;
      throw toolError('bad-arguments', `${name} is not an extension: ${describeError(error)}`, {
        cause: error,
      });
    },
  );
  using soon = deadline('the new extension', listedMs, signal);
  await awaitReported(() => fresh() !== undefined, soon.signal).catch(() => signal.throwIfAborted());
  // An extension that replaces another version, or is disabled, never shows up as new.
  const id = fresh() ?? '';
  const note = id === '' ? 'installed the file; no new extension shows up yet' : `installed ${id}`;
  return { id, present: id !== '', changed: true, note };
}

async function runExtensionCommand(
  command: string,
  what: string,
  signal: AbortSignal,
  ...given: unknown[]
): Promise<void> {
  try {
    await raceSignal(Promise.resolve(vscode.commands.executeCommand(command, ...given)), signal);
  } catch (cause) {
    signal.throwIfAborted();
    const message = `${what}: ${describeError(cause)}`;
    if (/built-in/i.test(message))
      throw toolError('not-supported', message, {
        help: 'Only what was installed can be uninstalled',
        cause,
      });
    if (/getaddrinfo|ECONNREFUSED|ENETUNREACH|fetch failed/i.test(message))
      throw toolError('failed', message, {
        help: 'No gallery of extensions can be reached from here: install a .vsix file of the workspace',
        cause,
      });
    if (/not (?:found|installed)/i.test(message))
      throw toolError('not-found', message, { help: 'list_extensions shows what is there', cause });
    throw toolError('failed', message, { help: 'Look at what the IDE says', cause });
  }
}

/** Upper and lower case do not matter in ids. */
function findExtension(id: string): vscode.Extension<unknown> | undefined {
  return vscode.extensions.all.find((one) => one.id.toLowerCase() === id.toLowerCase());
}

function isPresent(id: string): boolean {
  return findExtension(id) !== undefined;
}

async function awaitReported(reached: () => boolean, signal: AbortSignal): Promise<void> {
  if (reached()) return;
  let listening: vscode.Disposable | undefined;
  const changed = new Promise<void>((resolve) => {
    listening = vscode.extensions.onDidChange(() => {
      if (reached()) resolve();
    });
  });
  try {
    await raceSignal(changed, signal);
  } finally {
    listening?.dispose();
  }
}
