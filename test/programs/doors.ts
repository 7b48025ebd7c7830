import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { raceSignal } from '../../bridge/lib/index.ts';
import { Handlers, listenSocket, listenWebSocket, Peer } from '../../bridge/rpc/index.ts';
import { makeCertificate } from '../../host/doors/serve/certificate.ts';
import { inspectRoutes, pairRoutes } from '../../host/doors/serve/live/live-routes.ts';
import { McpSessions } from '../../host/doors/serve/mcp/client-connection.ts';
import { chooseServedTools } from '../../host/doors/serve/mcp/served-tools.ts';
import { SharedIde } from '../../host/doors/serve/mcp/shared-ide.ts';
import { openServer } from '../../host/doors/serve/server.ts';
import { viewRoutes } from '../../host/doors/view/view-routes.ts';
import { Gallery } from '../../host/node/gallery/gallery.ts';
import { EgressPolicy } from '../../host/node/network/egress-policy.ts';
import { EgressProxy } from '../../host/node/network/egress-proxy.ts';
import type { Egress } from '../../host/node/network/egress.ts';
import type { Door } from '../support/doors.ts';

// Opens every server of this project, with its real routes, on the loopback interface; prints their addresses as a line
// of JSON, and serves until its input ends. `doors.ts <folder>`

const [folder = ''] = process.argv.slice(2);
const token = 'a-token-that-only-its-owner-has';
const host = '127.0.0.1';
const never = () => new Promise<never>(() => undefined);
const ide = {
  title: 'doors',
  open: (within: AbortSignal) => raceSignal(never(), within),
  hasEnded: () => Promise.resolve(false),
};
const serve = (transport: ConstructorParameters<typeof Peer>[0]) => void new Peer(transport, new Handlers());

await using owned = new AsyncDisposableStack();
const tls = await makeCertificate(host);
const sessions = owned.use(new McpSessions(new SharedIde(never()), chooseServedTools({})));
const pages = {
  view: [await viewRoutes(folder), null],
  'inspect --web': [inspectRoutes(ide), null],
  'pair over TLS': [pairRoutes({ ...ide, person: 'A person' }), tls],
  pair: [pairRoutes({ ...ide, person: 'A person' }), null],
  'MCP over HTTP': [sessions.routes, null],
} as const;
const doors: Door[] = [];
for (const [name, [routes, certificate]] of Object.entries(pages)) {
  const server = owned.use(await openServer(routes, 0, { token, place: { host, tls: certificate } }));
  doors.push({ name, port: portOf(server.origin), tls: certificate !== null, token });
}
const node = owned.use(await listenWebSocket({ host, port: 0, token }, serve));
doors.push({ name: "the Docker node's socket", port: node.port, tls: false, token });
const gallery = new Gallery(() => Promise.resolve(new Map()));
doors.push({ name: 'the gallery', port: await accepting(gallery), tls: false, token: null });
const proxy = new EgressProxy(new EgressPolicy({ mode: 'allowlist', hosts: ['example.com'] }, {}));
doors.push({ name: 'the proxy of an allowlist', port: await accepting(proxy), tls: false, token: null });
const socket = owned.use(await listenSocket(`${folder}/door.sock`, serve));
doors.push({ name: 'a Unix socket', path: socket.path, tls: false, token: null });

console.log(JSON.stringify(doors));
process.stdin.resume();
await once(process.stdin, 'end');

function portOf(origin: string): number {
  return Number(new URL(origin).port);
}

/** Hands connections over as the listener inside a sandbox does. */
async function accepting(egress: Egress): Promise<number> {
  const server = createServer((client) => egress.accept(client));
  server.listen(0, host);
  await once(server, 'listening');
  owned.defer(async () => {
    await egress[Symbol.asyncDispose]();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
