import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { FrameReader, deadline, encodeFrame, raceSignal } from '../../../../bridge/lib/index.ts';

/** Maximum time until Delve listens, in milliseconds. */
const startMs = 20_000;

/** By default, builds the package of the program with symbols, outside of the workspace. */
export function completeGo(
  folder: vscode.WorkspaceFolder | undefined,
  given: vscode.DebugConfiguration,
): vscode.DebugConfiguration {
  const cwd = (folder ?? vscode.workspace.workspaceFolders?.[0])?.uri.fsPath;
  const output = join(tmpdir(), `debug-${process.pid}-${Date.now()}`);
  return { mode: 'debug', output, ...(cwd !== undefined && { cwd }), ...given };
}

/** Delve serves one client on a local port, and leaves the program's output on its own streams. */
export async function startDelve(): Promise<vscode.DebugAdapterDescriptor> {
  const child = spawn('dlv', ['dap', '--listen=127.0.0.1:0'], { detached: true });
  using limit = deadline('the start of Delve', startMs);
  try {
    const port = await raceSignal(listening(child), limit.signal);
    return new vscode.DebugAdapterInlineImplementation(new DelveAdapter(child, connect(port, '127.0.0.1')));
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

/** Resolves with the port that it reports to listen on. */
function listening(child: ChildProcessWithoutNullStreams): Promise<number> {
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
    const frames = new FrameReader((message) => this.#messages.fire(message as vscode.DebugProtocolMessage));
    socket.on('data', (chunk: Buffer) => frames.add(chunk));
    socket.on('error', () => undefined);
    for (const category of ['stdout', 'stderr'] as const)
      child[category].setEncoding('utf8').on('data', (output: string) => this.#report(category, output));
  }

  handleMessage(message: vscode.DebugProtocolMessage): void {
    this.#socket.write(encodeFrame(message));
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
