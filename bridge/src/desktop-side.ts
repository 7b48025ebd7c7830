import { mkdir } from 'node:fs/promises';
import { DomReader, type PageScripts } from '../dom/index.ts';
import { dom } from '../protocol/index.ts';
import { Handlers } from '../rpc/index.ts';
import { AgentLink } from './agent-link.ts';
import { AgentLog } from './agent.ts';
import { desk, places, readConfig } from './config.ts';
import { Chromium, SoundServer, Supervisor, agentPart, extension, lineOf, xvfb } from './desktop/index.ts';
import { serve } from './serve.ts';
import { Pictures } from './pictures.ts';

/** Defined when the bridge is bundled. */
declare const __PWP_PAGE_SCRIPTS__: PageScripts;

/**
 * The side of the bridge that belongs to the desktop's user: brings up the X server and the browser, reads the page,
 * and serves the node over a socket that no other user inside can open.
 */
export async function startDesktopSide(write: (line: string) => void): Promise<AsyncDisposable> {
  await mkdir(desk.logs, { recursive: true });
  const config = readConfig(process.env);
  const reader = new DomReader();
  const log = new AgentLog(reader);
  const link = new AgentLink(places.socket, forAgentSide(reader, log), (peer) => log.follow(peer));
  const chromium = new Chromium(config, reader, __PWP_PAGE_SCRIPTS__);
  await using stack = new AsyncDisposableStack();
  const sound = config.audio ? new SoundServer(config) : undefined;
  const parts = [
    xvfb(config),
    ...(sound ? [sound] : []),
    agentPart(link),
    chromium,
    extension(link, chromium, write),
  ];
  const supervisor = stack.use(new Supervisor(parts));
  supervisor.status.on((service) => write(lineOf(service)));
  const pictures = new Pictures(reader, config.screen);
  const { status } = supervisor;
  stack.use(
    await serve(desk.socket, {
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
function forAgentSide(reader: DomReader, log: AgentLog): Handlers {
  return log
    .serveWindows(new Handlers())
    .add(dom.glance, (params, signal) => reader.glance(params, signal))
    .add(dom.last, (params) => ({ observation: reader.last(params) }));
}
