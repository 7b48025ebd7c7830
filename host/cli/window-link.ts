import { PwpError, deadline, neverAborted, type Cancellable } from '../../bridge/lib/index.ts';
import {
  ErrorCode,
  PROTOCOL_VERSION,
  RpcError,
  hello,
  toolMethods,
  type Method,
  type ParamsIn,
  type ResultOf,
} from '../../bridge/protocol/index.ts';
import { Peer, connectSocket, handshake } from '../../bridge/rpc/index.ts';
import { version } from '../lib/index.ts';
import type { WindowLink } from '../serve/index.ts';

/** A window that is busy answers late, in milliseconds. */
const openMs = 15_000;

const another = 'Run Programming with Pixels: Show Connection in the window: it has the path of its socket';

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
    using limit = deadline(`the window at ${path}`, openMs, signal);
    const peer = await connect(path, limit.signal);
    try {
      await greet(peer, path, limit.signal);
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
      throw new PwpError('window-gone', message, { help: `${another}. Then start this server again` });
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

async function connect(path: string, signal: AbortSignal): Promise<Peer> {
  try {
    return new Peer(await connectSocket(path, signal));
  } catch (error) {
    if (!(error instanceof PwpError) || error.code !== 'connect-failed') throw error;
    throw new PwpError('connect-failed', error.message, { help: another });
  }
}

/** Another version has other tools, and may not ask its person. */
async function greet(peer: Peer, path: string, signal: AbortSignal): Promise<void> {
  const { server, version: theirs } = await handshake(peer, 'pwp mcp', signal).catch((error: unknown) => {
    if (!(error instanceof RpcError) || error.code !== ErrorCode.VersionMismatch) throw error;
    throw otherVersion(path, error.message);
  });
  if (server !== 'extension')
    throw new PwpError('connect-failed', `${path} is a socket of the ${server}, not of a window`, {
      help: 'For a sandbox use --sandbox <id>',
    });
  if (theirs !== version) throw otherVersion(path, `it has version ${theirs}, this program ${version}`);
}

function otherVersion(path: string, why: string): PwpError {
  return new PwpError('other-version', `the extension at ${path} is of another version: ${why}`, {
    help: 'Install the one of this package: code --install-extension dist/pwp.vsix',
  });
}
