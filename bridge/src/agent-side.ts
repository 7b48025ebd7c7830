import { chmod, mkdir } from 'node:fs/promises';
import { ErrorCode, RpcError, agent, agentSide, desktop, dom, type Method } from '../protocol/index.ts';
import { Peer, handshakeHandlers, listenSocket, type Handlers } from '../rpc/index.ts';
import { places, readConfig, type Config } from './config.ts';
import { Supervisor, addDesktop, codeServer, lineOf } from './desktop/index.ts';
import { ExtensionRoute, addIde } from './extensions.ts';
import { writeGitConfig } from './git-config.ts';
import { openFiles } from './open-files.ts';
import { addShell } from './shell.ts';
import { BrowserTests, addTools } from './tools/index.ts';
import { Windows } from './windows.ts';

/** Methods of the desktop's side that windows of the IDE may call. The agent can call them, too. */
const asked: readonly Method[] = [dom.glance, dom.last, agent.show, agent.overlay, agent.steps];

/**
 * The side of the bridge that belongs to the agent's user: starts VS Code's server, and connects to its windows, the
 * shell and the tools that need no screen. The desktop's side and the windows connect to it.
 */
export class AgentSide {
  readonly #config: Config;
  readonly #windows = new Windows();
  readonly #route: ExtensionRoute;
  readonly #tests: BrowserTests;
  readonly #supervisor: Supervisor;
  readonly #peers = new Set<Peer>();
  /** The desktop's side; the last one that attached. */
  #desktop: Peer | undefined;

  constructor(config: Config, stack: AsyncDisposableStack, write: (line: string) => void) {
    this.#config = config;
    this.#route = new ExtensionRoute(places.extensionSockets, (window) => this.#onWindow(window));
    this.#tests = stack.use(new BrowserTests(config.env));
    this.#supervisor = stack.use(new Supervisor([codeServer(config)]));
    this.#supervisor.status.on((service) => {
      write(lineOf(service));
      for (const peer of this.#peers) peer.notify(desktop.changed, service);
    });
  }

  /** Clients are not authenticated: this side has no rights beyond the agent's. */
  async serve(socket: string): Promise<AsyncDisposable> {
    const server = await listenSocket(socket, (transport) => {
      const handlers = handshakeHandlers('bridge', process.version);
      const peer = new Peer(transport, handlers);
      this.#addHandlers(handlers, peer);
      this.#peers.add(peer);
      void peer.closed.then(() => this.#peers.delete(peer));
    });
    // The desktop's user connects to it.
    await chmod(socket, 0o666);
    return server;
  }

  #addHandlers(handlers: Handlers, peer: Peer): void {
    addDesktop(handlers, this.#supervisor.status);
    addShell(handlers, this.#config.env);
    addIde(handlers, this.#route);
    addTools(handlers, { route: this.#route, tests: this.#tests, env: this.#config.env });
    this.#windows.serve(handlers, this.#route);
    handlers.add(agentSide.attach, () => {
      this.#desktop = peer;
      return openFiles();
    });
    for (const method of asked)
      handlers.add(method, (params, signal) => this.#desktopSide(method).request(method, params, signal));
  }

  #desktopSide({ name }: Method): Peer {
    if (this.#desktop) return this.#desktop;
    throw new RpcError(ErrorCode.Unavailable, `${name}: the desktop's side of the bridge is not there`);
  }

  /** A window that comes late, as after a reload, gets all steps. */
  async #onWindow(window: Peer): Promise<void> {
    this.#windows.add(window);
    const signal = AbortSignal.timeout(followMs);
    const known = await this.#desktop?.request(agent.steps, {}, signal).catch(() => undefined);
    if (!known?.shown) return;
    await window.request(agent.follow, { ...known, whole: true }, signal).catch(() => undefined);
  }
}

/** Milliseconds to wait for a window to receive the steps; a slower one shows them later. */
const followMs = 1000;

/** @param write writes a line into the log */
export async function startAgentSide(write: (line: string) => void): Promise<AsyncDisposable> {
  for (const folder of [places.logs, places.extensionSockets, places.workspace])
    await mkdir(folder, { recursive: true });
  await writeGitConfig(write);
  await using stack = new AsyncDisposableStack();
  const side = new AgentSide(readConfig(process.env), stack, write);
  stack.use(await side.serve(places.socket));
  const owned = stack.move();
  return { [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
