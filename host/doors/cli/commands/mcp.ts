import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Cancellable, deadline, neverAborted, PwpError } from '../../../../bridge/lib/index.ts';
import {
  ErrorCode,
  hello,
  type Method,
  type ParamsIn,
  PROTOCOL_VERSION,
  type ResultOf,
  RpcError,
  toolMethods,
} from '../../../../bridge/protocol/index.ts';
import { connectSocket, handshake, Peer } from '../../../../bridge/rpc/index.ts';
import { programVersion } from '../../../lib/index.ts';
import {
  chooseServedTools,
  chooseWindowTools,
  type Pipe,
  type ServedToolOptions,
  serveStdio,
  serveWindowStdio,
  type WindowLink,
} from '../../serve/index.ts';
import { interruptSignal } from '../context.ts';
import { reserveStdout } from '../output.ts';
import {
  addSharedIdeOptions,
  addToolChoiceOptions,
  type SharedIdeOptions,
  withSharedIde,
} from '../served-ide.ts';

export function addMcpCommand(program: Command): void {
  const command = program
    .command('mcp')
    .description('serve an IDE to one client of the Model Context Protocol, over standard input and output')
    .argument('[folder]', 'folder to copy into the workspace of a new IDE; or use --sandbox');
  addToolChoiceOptions(addSharedIdeOptions(command))
    .option('--socket <path>', "serve a person's own VS Code window instead, by the socket of its extension")
    .action(serveOverStdio);
}

type McpOptions = SharedIdeOptions & ServedToolOptions & { readonly socket?: string };

async function serveOverStdio(folder: string | undefined, options: McpOptions): Promise<void> {
  // A client that died has closed this, too. Writing must not fail: the sandbox has yet to be ended.
  process.stderr.on('error', () => undefined);
  const pipe = { input: process.stdin, output: reserveStdout() };
  if (options.socket !== undefined) return serveWindow(options.socket, folder, options, pipe);
  const tools = chooseServedTools(options);
  await withSharedIde(folder, options, (ide, signal) => serveStdio(ide, tools, pipe, signal));
}

/** Opens the window before it answers the client, so that a wrong path is reported at once. */
async function serveWindow(
  socket: string,
  folder: string | undefined,
  options: McpOptions,
  pipe: Pipe,
): Promise<void> {
  if (folder !== undefined || options.sandbox !== undefined)
    throw new PwpError('usage', 'mcp: --socket takes neither a folder nor --sandbox');
  const signal = interruptSignal();
  await using window = await OpenWindow.open(resolve(socket), { signal });
  const tools = chooseWindowTools(options, (name) => window.tools.has(name));
  await serveWindowStdio(window, tools, pipe, signal);
}

/** A window that is busy answers late, in milliseconds. */
const windowOpenMs = 15_000;

const wrongWindowHelp =
  'Run Programming with Pixels: Show Connection in the window: it has the path of its socket';

/** The connection to the extension in a person's own window. */
export class OpenWindow implements WindowLink, AsyncDisposable {
  readonly #peer: Peer;
  readonly #path: string;
  /** Names of the tools that the window has. */
  readonly tools: ReadonlySet<string>;

  private constructor(peer: Peer, path: string, tools: ReadonlySet<string>) {
    this.#peer = peer;
    this.#path = path;
    this.tools = tools;
  }

  /** Errors: `connect-failed` if no window listens, `other-version`, `timeout`. */
  static async open(path: string, { signal = neverAborted }: Cancellable = {}): Promise<OpenWindow> {
    using limit = deadline(`the window at ${path}`, windowOpenMs, signal);
    const peer = await connectWindowSocket(path, limit.signal);
    try {
      await greetWindow(peer, path, limit.signal);
      const { tools } = await peer.request(toolMethods.list, {}, limit.signal);
      return new OpenWindow(peer, path, new Set(tools.map(({ name }) => name)));
    } catch (error) {
      await peer.close();
      throw error;
    }
  }

  async request<M extends Method>(
    method: M,
    params: ParamsIn<M>,
    { signal }: Cancellable = {},
  ): Promise<ResultOf<M>> {
    try {
      return await this.#peer.request(method, params, signal);
    } catch (error) {
      if (!(error instanceof RpcError) || error.code !== ErrorCode.Closed) throw error;
      const message = `the window at ${this.#path} has closed or reloaded; a call that was under way may have been done`;
      throw new PwpError('window-gone', message, {
        help: `${wrongWindowHelp}. Then start this server again`,
      });
    }
  }

  introduce(client: string): void {
    // If the window is gone, the next call reports it.
    void this.#peer.request(hello, { protocol: PROTOCOL_VERSION, client }).catch(() => undefined);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#peer.close();
  }
}

async function connectWindowSocket(path: string, signal: AbortSignal): Promise<Peer> {
  try {
    return new Peer(await connectSocket(path, signal));
  } catch (error) {
    if (!(error instanceof PwpError) || error.code !== 'connect-failed') throw error;
    throw new PwpError('connect-failed', error.message, { help: wrongWindowHelp });
  }
}

/** Another version has other tools, and may not ask its person. */
async function greetWindow(peer: Peer, path: string, signal: AbortSignal): Promise<void> {
  const { server, version: theirs } = await handshake(peer, 'pwp mcp', signal).catch((error: unknown) => {
    if (!(error instanceof RpcError) || error.code !== ErrorCode.VersionMismatch) throw error;
    throw otherVersion(path, error.message);
  });
  if (server !== 'extension')
    throw new PwpError('connect-failed', `${path} is a socket of the ${server}, not of a window`, {
      help: 'For a sandbox use --sandbox <id>',
    });
  if (theirs !== programVersion)
    throw otherVersion(path, `it has version ${theirs}, this program ${programVersion}`);
}

function otherVersion(path: string, why: string): PwpError {
  return new PwpError('other-version', `the extension at ${path} is of another version: ${why}`, {
    help: 'Install the one of this package: code --install-extension dist/pwp.vsix',
  });
}
