import { ErrorCode, RpcError, nodeMethods, sandboxMethods } from '../../../bridge/protocol/index.ts';
import { Peer, greetedHandlers, type Handlers, type Transport } from '../../../bridge/rpc/index.ts';
import type { Node, Sandbox } from '../node.ts';
import { WireFiles } from './files.ts';
import { serve, type Service } from './handle.ts';
import { Holdings } from './holdings.ts';
import { bridgeMethod } from './methods.ts';
import { addCheckpoints, addTransfers } from './serve-checkpoints.ts';
import { Uploads } from './uploads.ts';

/**
 * Lets the other end of a connection use a node as if it were its own. Resolves when the connection is over and all
 * that ends with it has ended: freezes, and sandboxes that were started through it and are not to be kept.
 */
export async function serveNode(node: Node, transport: Transport): Promise<void> {
  const holdings = new Holdings();
  const handlers = greetedHandlers('node', '1');
  const hold = async (sandbox: Sandbox) => {
    const { id, image, display } = await holdings.hold(sandbox);
    sandbox.onService((service) => peer.notify(sandboxMethods.service, { id, service }));
    sandbox.onRefusal((refusal) => peer.notify(sandboxMethods.refusal, { id, refusal }));
    return { id, image, display };
  };
  const service: Service = { node, holdings, hold };
  addNode(handlers, service);
  addDesktop(handlers, holdings);
  addOutside(handlers, holdings);
  addCheckpoints(handlers, service);
  const files = new WireFiles();
  addTransfers(handlers, service, files);
  const peer = new Peer(transport, handlers);
  await peer.closed;
  await holdings[Symbol.asyncDispose]();
  await files[Symbol.asyncDispose]();
}

function addNode(handlers: Handlers, { node, hold }: Service): void {
  const uploads = new Uploads();
  serve(handlers, nodeMethods.upload, ({ upload, base64 }) => ({
    size: uploads.add(upload, Buffer.from(base64, 'base64')),
  }));
  serve(handlers, nodeMethods.start, async ({ copy, seeds, network, ...spec }, signal) => {
    const archives = seeds.map(({ path, upload }) => ({ path, tar: uploads.take(upload) }));
    return hold(
      await node.start(
        { ...spec, seeds: archives, ...(copy && { copy }), ...(network && { network }) },
        signal,
      ),
    );
  });
  serve(handlers, nodeMethods.image, async (_, signal) => ({ image: await node.image(signal) }));
  serve(handlers, nodeMethods.open, async ({ id }, signal) => hold(await node.open(id, signal)));
  serve(handlers, nodeMethods.list, async () => ({ sandboxes: await node.list() }));
  serve(handlers, nodeMethods.load, () => node.load());
  serve(handlers, nodeMethods.stop, async ({ id }) => {
    await node.stop(id);
    return {};
  });
  serve(handlers, nodeMethods.sweep, async () => ({ removed: [...(await node.sweep()).removed] }));
}

function addDesktop(handlers: Handlers, holdings: Holdings): void {
  serve(handlers, sandboxMethods.ready, async ({ id }, signal) => {
    await holdings.get(id).ready(signal);
    return {};
  });
  serve(handlers, sandboxMethods.input, async ({ id, commands }, signal) => {
    const { executed, failure, locations } = await holdings.get(id).input(commands, signal);
    return { executed, failure, locations: [...locations] };
  });
  serve(handlers, sandboxMethods.settle, async ({ id, ...options }, signal) => {
    const settled = await holdings.get(id).settle(options, signal);
    return { ...settled, busy: [...settled.busy] };
  });
  serve(handlers, sandboxMethods.capture, async ({ id }, signal) => {
    const { png, ...capture } = await holdings.get(id).capture(signal);
    return { ...capture, png: Buffer.from(png).toString('base64') };
  });
  serve(handlers, sandboxMethods.call, async ({ id, method, params }, signal) => {
    const known = bridgeMethod(method);
    if (!known) throw new RpcError(ErrorCode.MethodNotFound, `unknown method ${method}`);
    return { result: await holdings.get(id).call(known, params, signal) };
  });
}

function addOutside(handlers: Handlers, holdings: Holdings): void {
  serve(handlers, sandboxMethods.exec, ({ id, ...command }, signal) =>
    holdings.get(id).exec(command, signal),
  );
  serve(handlers, sandboxMethods.readFile, async ({ id, path, maxBytes }) => {
    const bytes = await holdings.get(id).readFile(path, maxBytes);
    return { base64: bytes && Buffer.from(bytes).toString('base64') };
  });
  serve(handlers, sandboxMethods.usage, ({ id }, signal) => holdings.get(id).usage(signal));
  serve(handlers, sandboxMethods.freeze, async ({ id }) => ({ lease: await holdings.freeze(id) }));
  serve(handlers, sandboxMethods.release, async ({ lease }) => {
    await holdings.release(lease);
    return {};
  });
  serve(handlers, sandboxMethods.stop, async ({ id }) => {
    await holdings.get(id).stop();
    return {};
  });
  serve(handlers, sandboxMethods.leave, async ({ id }) => {
    await holdings.leave(id);
    return {};
  });
}
