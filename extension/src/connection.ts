import { tmpdir } from 'node:os';
import * as vscode from 'vscode';
import { describeError, PwpError } from '../../bridge/lib/index.ts';
import {
  type Handlers,
  handshakeHandlers,
  type SocketServer,
  type ToolHandlers,
} from '../../bridge/rpc/index.ts';
import type { ConsentGuard } from './consent/index.ts';
import { addInitialState, addState, type Watches } from './state/index.ts';
import { addExtensionTools } from './tools/index.ts';
import type { Steps } from './ui/index.ts';
import { serveWindow, socketFolder } from './window-socket.ts';

/** The socket of this window, or why it has none. */
export type WindowConnection =
  | { readonly state: 'listening'; readonly server: SocketServer }
  | { readonly state: 'failed'; readonly reason: string };

/** The parts that a window needs to answer clients. */
interface WindowParts {
  readonly tools: ToolHandlers;
  readonly watches: Watches;
  readonly steps: Steps;
  /** Undefined in a sandbox: there the bridge is the client, and the window is the agent's. */
  readonly guard: ConsentGuard | undefined;
}

/** The handlers for one client of this window. */
export function windowHandlers(version: string, { tools, watches, steps, guard }: WindowParts): Handlers {
  let client = '';
  const handshake = handshakeHandlers('extension', version, (name) => (client = name));
  const state = addState(handshake, watches);
  if (guard)
    return addExtensionTools(
      state,
      tools,
      guard.forClient(() => client),
    );
  return steps.serve(
    addInitialState(addExtensionTools(state, tools, (call, signal) => tools.call(call, signal))),
  );
}

/**
 * Starts this window's server. Never rejects: the window is usable without it.
 * @param handlers makes those of one connection
 */
export async function openConnection(handlers: () => Handlers): Promise<WindowConnection> {
  try {
    return { state: 'listening', server: await startServer(handlers) };
  } catch (error) {
    const help = error instanceof PwpError && error.help !== undefined ? ` ${error.help}` : '';
    return { state: 'failed', reason: `${describeError(error)}.${help}` };
  }
}

/** Runs the command: shows where the socket is and offers to copy the command line that reads this window. */
export async function showConnection(connection: WindowConnection): Promise<void> {
  if (connection.state === 'failed') {
    await vscode.window.showErrorMessage(`Programming with Pixels: ${connection.reason}`);
    return;
  }
  const { path } = connection.server;
  const [copy, copyForMcp] = ['Copy Command', 'Copy for MCP'];
  const message = `This window listens on ${path}`;
  const chosen = await vscode.window.showInformationMessage(message, copy, copyForMcp);
  if (chosen === undefined) return;
  await vscode.env.clipboard.writeText(formatCommand(chosen === copy ? 'inspect' : 'mcp', path));
}

function formatCommand(command: 'inspect' | 'mcp', path: string): string {
  return `pwp ${command} --socket '${path.replaceAll("'", String.raw`'\''`)}'`;
}

async function startServer(handlers: () => Handlers): Promise<SocketServer> {
  const uid = process.getuid?.();
  if (uid === undefined)
    throw new PwpError('unsupported', 'this extension serves no socket on Windows', {
      help: 'Open the folder in a remote window, e.g. in WSL: it has a socket.',
    });
  const setting = vscode.workspace.getConfiguration('pwp').get('socketDirectory', '');
  const folder = socketFolder(setting, { env: process.env, tmp: tmpdir(), uid });
  return serveWindow(folder, uid, handlers);
}
