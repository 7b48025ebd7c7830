import { dom, desktop } from '../protocol/index.ts';
import type { DomReader } from '../dom/index.ts';
import { Peer, handshakeHandlers, listenSocket, type Handlers } from '../rpc/index.ts';
import type { AgentLog } from './agent.ts';
import { addDesktop, type Status } from './desktop/index.ts';
import { addIde, type ExtensionRoute } from './extensions.ts';
import { addShell } from './shell.ts';
import { addTools, type BrowserTests, type Pictures } from './tools/index.ts';

/** All that the bridge serves from. */
export interface Served {
  readonly status: Status;
  readonly reader: DomReader;
  readonly route: ExtensionRoute;
  readonly tests: BrowserTests;
  readonly pictures: Pictures;
  readonly agent: AgentLog;
  /** What the agent's commands inherit. */
  readonly env: NodeJS.ProcessEnv;
}

/** Listens on a Unix socket. Any number of clients may be connected; each hears of every change of the desktop. */
export async function serve(socket: string, served: Served): Promise<AsyncDisposable> {
  const peers = new Set<Peer>();
  const server = await listenSocket(socket, (transport) => {
    const peer = new Peer(transport, handlersFor(served));
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

function handlersFor({ status, reader, route, tests, pictures, agent, env }: Served): Handlers {
  const handlers = handshakeHandlers('bridge', process.version);
  addDesktop(handlers, status);
  addShell(handlers, env);
  addIde(handlers, route);
  addTools(handlers, { route, tests, pictures, env });
  agent.serve(handlers);
  return handlers
    .add(dom.observe, (params, signal) => reader.observe(params, signal))
    .add(dom.glance, (params, signal) => reader.glance(params, signal))
    .add(dom.last, () => ({ observation: reader.last() }))
    .add(dom.locate, (params, signal) => reader.locate(params, signal))
    .add(dom.tree, (params, signal) => reader.tree(params, signal))
    .add(dom.numbers, () => reader.numbers())
    .add(dom.renumber, (params) => reader.renumber(params))
    .add(dom.probe, (params, signal) => reader.probe(params, signal))
    .add(dom.answer, (params, signal) => reader.answer(params, signal))
    .add(dom.activity, (_, signal) => reader.activity(signal));
}
