import { chmod, mkdir, readFile } from 'node:fs/promises';
import * as z from 'zod';
import { PwpError } from '../lib/index.ts';
import {
  agent,
  agentSide,
  desktop,
  dom,
  ErrorCode,
  type Method,
  type ParamsOut,
  RpcError,
} from '../protocol/index.ts';
import { type Handlers, handshakeHandlers, listenSocket, Peer } from '../rpc/index.ts';
import { agentPaths, type BridgeConfig, type ProgramSurroundings, readBridgeConfig } from './config.ts';
import { codeServerPart, formatPartState, serveDesktopState, Supervisor } from './desktop/index.ts';
import { ExtensionRoute, serveIdeMethods } from './extension-route.ts';
import { ImageEnvironment } from './image-environment.ts';
import { serveShell } from './shell.ts';
import { BrowserTests, serveTools } from './tools/index.ts';

/** Methods of the desktop's side that windows of the IDE may call. The agent can call them, too. */
const windowMethods: readonly Method[] = [dom.glance, dom.last, agent.show, agent.overlay, agent.steps];

/**
 * The side of the bridge that belongs to the agent's user: starts VS Code's server, and connects to its windows, the
 * shell and the tools that need no screen. The desktop's side and the windows connect to it.
 */
class AgentSide {
  readonly #surroundings: ProgramSurroundings;
  readonly #windows = new IdeWindows();
  readonly #route: ExtensionRoute;
  readonly #tests: BrowserTests;
  readonly #supervisor: Supervisor;
  readonly #peers = new Set<Peer>();
  /** The desktop's side; the last one that attached. */
  #desktop: Peer | undefined;

  constructor(
    { config, image }: { readonly config: BridgeConfig; readonly image: ImageEnvironment | undefined },
    stack: AsyncDisposableStack,
    write: (line: string) => void,
  ) {
    const { workspace, env } = config;
    this.#surroundings = { workspace, env: () => image?.ofCommands() ?? Promise.resolve(env) };
    this.#route = new ExtensionRoute(agentPaths.extensionSockets, (window) => this.#onWindow(window));
    this.#tests = stack.use(new BrowserTests(env));
    this.#supervisor = stack.use(
      new Supervisor([codeServerPart({ workspace, env: image?.ofPrograms ?? env })]),
    );
    this.#supervisor.status.on((service) => {
      write(formatPartState(service));
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
    serveDesktopState(handlers, this.#supervisor.status);
    serveShell(handlers, this.#surroundings);
    serveIdeMethods(handlers, this.#route);
    serveTools(handlers, { route: this.#route, tests: this.#tests, surroundings: this.#surroundings });
    this.#windows.serve(handlers, this.#route);
    handlers.add(agentSide.attach, () => {
      this.#desktop = peer;
      return readInitialFiles();
    });
    for (const method of windowMethods)
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
  const config = readBridgeConfig(process.env);
  for (const folder of [agentPaths.logs, agentPaths.extensionSockets, config.workspace])
    await mkdir(folder, { recursive: true });
  await using stack = new AsyncDisposableStack();
  const image = await ImageEnvironment.read(config.env, write);
  const side = new AgentSide({ config, image }, stack, write);
  stack.use(await side.serve(agentPaths.socket));
  const owned = stack.move();
  return { [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** The windows of the IDE that were connected to, as the desktop's side counts them. */
class IdeWindows {
  readonly #known = new Map<number, Peer>();
  #count = 0;

  /** Called for every window that a connection is made to. */
  add(window: Peer): void {
    const number = ++this.#count;
    this.#known.set(number, window);
    void window.closed.then(() => this.#known.delete(number));
  }

  /**
   * Reports steps to all of them, and returns whether the view is open in one. One that does not accept it, such as one
   * with an older extension, is left out; it may draw it later.
   */
  async follow(update: ParamsOut<typeof agent.follow>, signal: AbortSignal): Promise<{ visible: boolean }> {
    const answers = await Promise.all(
      [...this.#known.values()].map((window) =>
        window.request(agent.follow, update, signal).catch(() => ({ visible: true })),
      ),
    );
    return { visible: answers.some(({ visible }) => visible) };
  }

  serve(handlers: Handlers, route: ExtensionRoute): void {
    handlers
      .add(agentSide.window, async ({ notBefore }, signal) => {
        route.notBefore = notBefore;
        const peer = await route.peer(signal);
        const window = [...this.#known].find(([, one]) => one === peer)?.[0];
        if (window !== undefined) return { window };
        throw new RpcError(ErrorCode.Unavailable, 'the window is gone');
      })
      .add(agentSide.windowEnd, async ({ window }) => {
        await this.#known.get(window)?.closed;
        return {};
      })
      .add(agent.follow, (update, signal) => this.follow(update, signal));
  }
}

/** The files that the window shows when it opens; written beside the IDE's profile when the sandbox was created. */
const startFile = z.strictObject({
  open: z
    .array(z.string().startsWith('/').max(4096))
    .max(50)
    .default([])
    .describe('files, as absolute paths'),
});

/** Errors: `internal`. */
async function readInitialFiles(): Promise<{ open: string[] }> {
  let text: string;
  try {
    text = await readFile(agentPaths.start, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return { open: [] };
    throw cause;
  }
  const checked = startFile.safeParse(JSON.parse(text));
  if (checked.success) return checked.data;
  throw new PwpError('internal', `${agentPaths.start}: ${z.prettifyError(checked.error)}`);
}
