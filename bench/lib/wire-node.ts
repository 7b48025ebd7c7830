import { PwpError } from '../../bridge/lib/index.ts';
import { listenSocket, listenWebSocket, type Transport } from '../../bridge/rpc/index.ts';
import { createLocalNode, type Node } from '../../host/node/index.ts';
import { serveNode } from '../../host/node/remote/serve-node.ts';

/**
 * A local node for the bench of the wire, which refuses sandboxes with seeds once the seeds have arrived. Prints its
 * port, and its CPU time in seconds on request; ends with its parent.   node wire-node.ts <socket> <token>
 */
const [socket = '', token = ''] = process.argv.slice(2);
const node = await createLocalNode({});
const start: Node['start'] = (spec, ...rest) => {
  const bytes = spec.seeds.reduce(
    (sum, { tar }) => sum + (tar instanceof Uint8Array ? tar.byteLength : 0),
    0,
  );
  if (bytes > 0) throw new PwpError('bad-seed', `${bytes} bytes`);
  return node.start(spec, ...rest);
};
const served = new Proxy(node, {
  get(target, name) {
    if (name === 'start') return start;
    const value: unknown = Reflect.get(target, name);
    return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
  },
});

const accept = (transport: Transport) => void serveNode(served, transport);
const unix = await listenSocket(socket, accept);
const tcp = await listenWebSocket({ host: '127.0.0.1', port: 0, token }, accept);
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.((user + system) / 1e6);
});
process.once('disconnect', () => void end());
process.send?.(tcp.port);

async function end(): Promise<void> {
  await unix[Symbol.asyncDispose]();
  await tcp[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
}
