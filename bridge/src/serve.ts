import type { DomReader } from '../dom/index.ts';
import {
  ErrorCode,
  RpcError,
  desktop,
  dom,
  ide,
  shell,
  sound as soundMethods,
  workspace,
  type Method,
} from '../protocol/index.ts';
import { Peer, handshakeHandlers, listenSocket, type Handlers } from '../rpc/index.ts';
import type { AgentLink } from './agent-link.ts';
import type { AgentLog } from './agent.ts';
import {
  addDesktop,
  addReopen,
  addXdotool,
  logTail,
  type IdeWindow,
  type ReadLog,
  type SoundServer,
  type Status,
} from './desktop/index.ts';
import type { Pictures } from './pictures.ts';

/** The parts that the desktop's side serves. */
export interface Served {
  readonly status: Status;
  readonly window: Pick<IdeWindow, 'reload'>;
  readonly reader: DomReader;
  readonly link: AgentLink;
  readonly pictures: Pictures;
  readonly agent: AgentLog;
  /** Undefined in a sandbox without sound. */
  readonly sound: SoundServer | undefined;
  /** The environment that programs of the desktop inherit. */
  readonly env: NodeJS.ProcessEnv;
}

/** Listens on a Unix socket. Any number of clients may connect; each is notified of every change of the desktop. */
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

function handlersFor({ status, window, reader, link, pictures, agent, sound, env }: Served): Handlers {
  const handlers = handshakeHandlers('bridge', process.version);
  addDesktop(handlers, status, logsOf(link));
  addXdotool(handlers, env);
  addReopen(handlers, status, window);
  for (const method of [shell.run, workspace.takeIn, ...Object.values(ide)] as Method[])
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
function logsOf(link: AgentLink): ReadLog {
  return async (service, maxBytes, signal) =>
    service === 'code-server'
      ? (await link.request(desktop.log, { service, maxBytes }, signal)).text
      : logTail(service, maxBytes);
}
