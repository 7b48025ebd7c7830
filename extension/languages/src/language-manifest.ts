import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { deadline, encodeLspMessage, LspMessageReader, raceSignal } from '../../../bridge/lib/index.ts';

/** The field `pwp` of a manifest: everything that is specific to one language. */
export interface ServerManifest {
  /** The name for people. */
  readonly name: string;
  /** VS Code's names of the languages. */
  readonly languages: readonly string[];
  /** Program of the image, with its arguments. */
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment of the server. */
  readonly env: Readonly<Record<string, string>>;
  /** The section of settings that it requests, e.g. `gopls`. */
  readonly section: string;
  /** Defaults for that section; the user's own settings override them. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Its initialization options. */
  readonly initializationOptions: Readonly<Record<string, unknown>>;
  /**
   * How to find out that diagnostics are about the current text: `version`, by the version that they are published with;
   * `progress`, since the server reports when it begins and ends a check; `pull`, by asking.
   */
  readonly reports: 'version' | 'progress' | 'pull';
  /** It reports by `experimental/serverStatus` whether it has read the project, which is awaited. */
  readonly reportsStatus: boolean;
  /** It reads `compile_commands.json`, which we generate. */
  readonly compileDatabase: boolean;
  readonly debugger: DebuggerKind;
  /** The usual extension for the language: if it is installed, ours does nothing. */
  readonly replacedBy: string;
}

export function readServerManifest(extension: vscode.Extension<unknown>): ServerManifest {
  return (extension.packageJSON as { readonly pwp: ServerManifest }).pwp;
}

/** Whether the usual extension for the language is installed. */
export function isReplaced({ replacedBy }: ServerManifest): boolean {
  return vscode.extensions.getExtension(replacedBy) !== undefined;
}

/** Debuggers of images, by the type of their launch configurations. */
type DebuggerKind = 'lldb-dap' | 'go';

/** Of LLVM 19, as Debian names it. */
const lldb = 'lldb-dap-19';

/** Registers the debug adapter for launch configurations of a type. */
export function registerImageDebugger(kind: DebuggerKind): vscode.Disposable {
  const descriptors: vscode.DebugAdapterDescriptorFactory = {
    createDebugAdapterDescriptor: () =>
      kind === 'go' ? startDelve() : new vscode.DebugAdapterExecutable(lldb, []),
  };
  const configurations: vscode.DebugConfigurationProvider = {
    resolveDebugConfigurationWithSubstitutedVariables: (folder, given) =>
      kind === 'go' ? completeGoConfiguration(folder, given) : completeLldb(folder, given),
  };
  return vscode.Disposable.from(
    vscode.debug.registerDebugAdapterDescriptorFactory(kind, descriptors),
    vscode.debug.registerDebugConfigurationProvider(kind, configurations),
  );
}

/** LLDB disables address randomization, which a sandbox does not allow: turned off for its target and its launch. */
const keepAddressesCommand = 'settings set target.disable-aslr false';

function completeLldb(
  folder: vscode.WorkspaceFolder | undefined,
  given: vscode.DebugConfiguration,
): vscode.DebugConfiguration {
  const cwd = (folder ?? vscode.workspace.workspaceFolders?.[0])?.uri.fsPath;
  const own: unknown = given['initCommands'];
  const initCommands = [keepAddressesCommand, ...(Array.isArray(own) ? (own as unknown[]) : [])];
  return { ...(cwd !== undefined && { cwd }), disableASLR: false, ...given, initCommands };
}

/** Maximum time until Delve listens, in milliseconds. */
const delveStartMs = 20_000;

/** By default, builds the package of the program with symbols, outside of the workspace. */
function completeGoConfiguration(
  folder: vscode.WorkspaceFolder | undefined,
  given: vscode.DebugConfiguration,
): vscode.DebugConfiguration {
  const cwd = (folder ?? vscode.workspace.workspaceFolders?.[0])?.uri.fsPath;
  const output = join(tmpdir(), `debug-${process.pid}-${Date.now()}`);
  return { mode: 'debug', output, ...(cwd !== undefined && { cwd }), ...given };
}

/** Delve serves one client on a local port, and leaves the program's output on its own streams. */
async function startDelve(): Promise<vscode.DebugAdapterDescriptor> {
  const child = spawn('dlv', ['dap', '--listen=127.0.0.1:0'], { detached: true });
  using limit = deadline('the start of Delve', delveStartMs);
  try {
    const port = await raceSignal(awaitListening(child), limit.signal);
    return new vscode.DebugAdapterInlineImplementation(new DelveAdapter(child, connect(port, '127.0.0.1')));
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

/** Resolves with the port that it reports to listen on. */
function awaitListening(child: ChildProcessWithoutNullStreams): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`dlv ended with exit code ${code}`)));
    child.stdout.on('data', function find(chunk: Buffer) {
      said += chunk.toString();
      const [, port] = /DAP server listening at: \S+:(\d+)/.exec(said) ?? [];
      if (port === undefined) return;
      child.stdout.off('data', find);
      resolve(Number(port));
    });
  });
}

/** Passes messages on, and reports what the program prints as output. */
class DelveAdapter implements vscode.DebugAdapter {
  readonly #messages = new vscode.EventEmitter<vscode.DebugProtocolMessage>();
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #socket: Socket;
  readonly onDidSendMessage = this.#messages.event;

  constructor(child: ChildProcessWithoutNullStreams, socket: Socket) {
    this.#child = child;
    this.#socket = socket;
    const frames = new LspMessageReader((message) =>
      this.#messages.fire(message as vscode.DebugProtocolMessage),
    );
    socket.on('data', (chunk: Buffer) => frames.add(chunk));
    socket.on('error', () => undefined);
    for (const category of ['stdout', 'stderr'] as const)
      child[category].setEncoding('utf8').on('data', (output: string) => this.#report(category, output));
  }

  handleMessage(message: vscode.DebugProtocolMessage): void {
    this.#socket.write(encodeLspMessage(message));
  }

  dispose(): void {
    this.#socket.destroy();
    this.#child.kill('SIGTERM');
    this.#messages.dispose();
  }

  #report(category: 'stdout' | 'stderr', output: string): void {
    this.#messages.fire({ type: 'event', seq: 0, event: 'output', body: { category, output } });
  }
}
