import { mkdir } from 'node:fs/promises';
import { DomReader, type PageScripts } from '../dom/index.ts';
import { deadline } from '../lib/index.ts';
import {
  agent,
  type AgentStep,
  desktop,
  dom,
  ErrorCode,
  ide,
  limits,
  type Method,
  RpcError,
  shell,
  sound as soundMethods,
  workspaceMethods,
} from '../protocol/index.ts';
import { Handlers, handshakeHandlers, listenSocket, Peer } from '../rpc/index.ts';
import { AgentSideConnection } from './agent-connection.ts';
import { agentPaths, desktopPaths, readBridgeConfig } from './config.ts';
import {
  agentSidePart,
  Chromium,
  displayPart,
  extensionPart,
  formatPartState,
  type IdeWindow,
  type PartStates,
  readLogTail,
  type ReadPartLog,
  serveDesktopState,
  serveReopen,
  serveXdotool,
  SoundServer,
  Supervisor,
} from './desktop/index.ts';
import { ScreenPictures } from './screen-pictures.ts';

/** Defined when the bridge is bundled. */
declare const __PWP_PAGE_SCRIPTS__: PageScripts;

/**
 * The side of the bridge that belongs to the desktop's user: brings up the X server and the browser, reads the page,
 * and serves the node over a socket that no other user inside can open.
 */
export async function startDesktopSide(write: (line: string) => void): Promise<AsyncDisposable> {
  await mkdir(desktopPaths.logs, { recursive: true });
  const config = readBridgeConfig(process.env);
  const reader = new DomReader();
  const log = new AgentStepLog(reader);
  const link = new AgentSideConnection(agentPaths.socket, createAgentSideHandlers(reader, log), (peer) =>
    log.follow(peer),
  );
  const chromium = new Chromium(config, reader, __PWP_PAGE_SCRIPTS__);
  await using stack = new AsyncDisposableStack();
  const sound = config.audio ? new SoundServer(config) : undefined;
  const parts = [
    displayPart(config),
    ...(sound ? [sound] : []),
    agentSidePart(link),
    chromium,
    extensionPart(link, chromium, write),
  ];
  const supervisor = stack.use(new Supervisor(parts));
  supervisor.status.on((service) => write(formatPartState(service)));
  const pictures = new ScreenPictures(reader, config.screen);
  const { status } = supervisor;
  stack.use(
    await serveDesktopSide(desktopPaths.socket, {
      status,
      window: chromium,
      reader,
      link,
      pictures,
      agent: log,
      sound,
      env: config.env,
    }),
  );
  const owned = stack.move();
  return { [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Methods for windows of the IDE, and so for the agent: none of them plays input or answers for the page. */
function createAgentSideHandlers(reader: DomReader, log: AgentStepLog): Handlers {
  return log
    .serveWindows(new Handlers())
    .add(dom.glance, (params, signal) => reader.glance(params, signal))
    .add(dom.last, (params) => ({ observation: reader.last(params) }));
}

/** The parts that the desktop's side serves. */
interface DesktopSideParts {
  readonly status: PartStates;
  readonly window: Pick<IdeWindow, 'reload'>;
  readonly reader: DomReader;
  readonly link: AgentSideConnection;
  readonly pictures: ScreenPictures;
  readonly agent: AgentStepLog;
  /** Undefined in a sandbox without sound. */
  readonly sound: SoundServer | undefined;
  /** The environment that programs of the desktop inherit. */
  readonly env: NodeJS.ProcessEnv;
}

/** Listens on a Unix socket. Any number of clients may connect; each is notified of every change of the desktop. */
async function serveDesktopSide(socket: string, served: DesktopSideParts): Promise<AsyncDisposable> {
  const peers = new Set<Peer>();
  const server = await listenSocket(socket, (transport) => {
    const peer = new Peer(transport, createHandlers(served));
    peers.add(peer);
    void peer.closed.then(() => peers.delete(peer));
  });
  const listening = served.status.on((service) => {
    for (const peer of peers) peer.notify(desktop.changed, service);
  });
  return {
    async [Symbol.asyncDispose]() {
      listening[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

function createHandlers({
  status,
  window,
  reader,
  link,
  pictures,
  agent,
  sound,
  env,
}: DesktopSideParts): Handlers {
  const handlers = handshakeHandlers('bridge', process.version);
  serveDesktopState(handlers, status, createLogReader(link));
  serveXdotool(handlers, env);
  serveReopen(handlers, status, window);
  for (const method of [shell.run, workspaceMethods.takeIn, ...Object.values(ide)] as Method[])
    handlers.add(method, (params, signal) => link.request(method, params, signal));
  pictures.serve(handlers, link);
  agent.serve(handlers);
  return handlers
    .add(soundMethods.read, (params, signal) => {
      if (sound) return sound.read(params, signal);
      throw new RpcError(ErrorCode.Unavailable, 'this sandbox has no sound: it was not started with it');
    })
    .add(dom.observe, (params, signal) => reader.observe(params, signal))
    .add(dom.glance, (params, signal) => reader.glance(params, signal))
    .add(dom.last, (params) => ({ observation: reader.last(params) }))
    .add(dom.locate, (params, signal) => reader.locate(params, signal))
    .add(dom.tree, (params, signal) => reader.tree(params, signal))
    .add(dom.text, (params, signal) => reader.text(params, signal))
    .add(dom.under, (params, signal) => reader.under(params, signal))
    .add(dom.numbers, () => reader.numbers())
    .add(dom.renumber, (params) => reader.renumber(params))
    .add(dom.probe, (params, signal) => reader.probe(params, signal))
    .add(dom.answer, (params, signal) => reader.answer(params, signal))
    .add(dom.activity, (_, signal) => reader.activity(signal))
    .add(dom.command, ({ method, params }, signal) => reader.command(method, params, signal));
}

/** The log of code-server is with the agent's side: this user may not even read it. */
function createLogReader(link: AgentSideConnection): ReadPartLog {
  return async (service, maxBytes, signal) =>
    service === 'code-server'
      ? (await link.request(desktop.log, { service, maxBytes }, signal)).text
      : readLogTail(service, maxBytes);
}

/** Milliseconds to wait for a window to receive a step; a slower one shows it later. */
const followMs = 1000;

/** The last steps made in this sandbox, and whether people are shown them. */
export class AgentStepLog {
  readonly #reader: DomReader;
  readonly #windows = new Set<Peer>();
  #steps: readonly AgentStep[] = [];
  #shown = false;
  #overlay = false;

  constructor(reader: DomReader) {
    this.#reader = reader;
  }

  /** A window that comes late, as after a reload, gets all steps. */
  async follow(window: Peer): Promise<void> {
    this.#windows.add(window);
    void window.closed.then(() => this.#windows.delete(window));
    if (this.#shown) await this.#sendAll([window]);
  }

  serve(handlers: Handlers): Handlers {
    return this.serveWindows(handlers).add(agent.report, ({ step }, signal) => this.#add(step, signal));
  }

  /** Requests of people in a window. */
  serveWindows(handlers: Handlers): Handlers {
    return handlers
      .add(agent.steps, () => ({ steps: [...this.#steps], shown: this.#shown }))
      .add(agent.show, ({ shown }) => this.#show(shown))
      .add(agent.overlay, ({ on }, signal) => this.#draw(on, signal));
  }

  /** A hidden view costs its windows nothing: they get no message. */
  async #add(step: AgentStep, signal: AbortSignal): Promise<{ drawn: boolean }> {
    this.#steps = [...this.#steps, step].slice(-limits.agentSteps);
    const visible =
      this.#shown && (await showInWindows([...this.#windows], { steps: [step], whole: false, shown: true }));
    // A page that is being replaced has no marks: the next step draws them again.
    if (this.#overlay) await this.#reader.draw(true, signal).catch(() => 0);
    return { drawn: visible || this.#overlay };
  }

  async #show(shown: boolean): Promise<{ shown: boolean }> {
    this.#shown = shown;
    await this.#sendAll([...this.#windows]);
    return { shown };
  }

  async #draw(on: boolean, signal: AbortSignal): Promise<{ on: boolean; marks: number }> {
    this.#overlay = on;
    return { on, marks: await this.#reader.draw(on, signal) };
  }

  async #sendAll(windows: readonly Peer[]): Promise<void> {
    await showInWindows(windows, { steps: [...this.#steps], whole: true, shown: this.#shown });
  }
}

/**
 * Returns whether the view is open in one of them. A window that does not accept it, such as one with an older
 * extension, is not the agent's problem; it may draw it later.
 */
async function showInWindows(
  windows: readonly Peer[],
  update: { steps: AgentStep[]; whole: boolean; shown: boolean },
): Promise<boolean> {
  using limit = deadline('agent.follow', followMs);
  const answers = await Promise.all(
    windows.map((window) =>
      window.request(agent.follow, update, limit.signal).catch(() => ({ visible: true })),
    ),
  );
  return answers.some(({ visible }) => visible);
}
