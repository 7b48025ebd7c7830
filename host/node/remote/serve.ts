import type * as z from 'zod';
import { ErrorCode, RpcError, nodeMethods, sandboxMethods } from '../../../bridge/protocol/index.ts';
import { Peer, handshakeHandlers, type Handlers, type Transport } from '../../../bridge/rpc/index.ts';
import type { Sandbox } from '../node.ts';
import type { Picture } from '../picture.ts';
import { Downloads } from './downloads.ts';
import { WireFiles } from './files.ts';
import { serve, type ServedNode, type Service } from './handle.ts';
import { Holdings } from './holdings.ts';
import { bridgeMethod } from './methods.ts';
import { addCheckpoints, addTransfers } from './serve-checkpoints.ts';
import { Channels, egressThrough } from './tunnel/index.ts';
import { Uploads } from './uploads.ts';

/**
 * Lets the other end of a connection use a node as if it were its own. Resolves when the connection is over and all
 * that ends with it has ended: freezes, and sandboxes that were started through it and are not to be kept.
 */
export async function serveNode(node: ServedNode, transport: Transport): Promise<void> {
  const holdings = new Holdings();
  const handlers = handshakeHandlers('node', '1');
  const hold = async (sandbox: Sandbox) => {
    const { id, image, display } = await holdings.hold(sandbox);
    sandbox.onService((service) => peer.notify(sandboxMethods.service, { id, service }));
    sandbox.onRefusal((refusal) => peer.notify(sandboxMethods.refusal, { id, refusal }));
    return { id, image, display };
  };
  const files = new WireFiles();
  const peer = new Peer(transport, handlers);
  const service = { node, holdings, hold, channels: new Channels(peer), downloads: new Downloads() };
  addNode(handlers, service);
  addDownloads(handlers, service);
  addDesktop(handlers, service);
  addOutside(handlers, service);
  addCheckpoints(handlers, service);
  addTransfers(handlers, service, files);
  await peer.closed;
  await holdings[Symbol.asyncDispose]();
  await files[Symbol.asyncDispose]();
}

function addNode(handlers: Handlers, { node, hold, channels }: Service): void {
  const uploads = new Uploads();
  serve(handlers, nodeMethods.upload, ({ upload, base64 }) => ({
    size: uploads.add(upload, Buffer.from(base64, 'base64')),
  }));
  serve(handlers, nodeMethods.start, async ({ copy, seeds, network, tunnel, ...spec }, signal) => {
    const archives = seeds.map(({ path, upload }) => ({ path, tar: uploads.take(upload) }));
    return hold(
      await node.start(
        { ...spec, seeds: archives, ...(copy && { copy }), ...(network && { network }) },
        { signal, exitFor: egressThrough(channels, tunnel) },
      ),
    );
  });
  serve(handlers, nodeMethods.image, async (_, signal) => ({ image: await node.image({ signal }) }));
  serve(handlers, nodeMethods.open, async ({ id }, signal) => hold(await node.open(id, { signal })));
  serve(handlers, nodeMethods.list, async () => ({ sandboxes: await node.list() }));
  serve(handlers, nodeMethods.load, () => node.load());
  serve(handlers, nodeMethods.stop, async ({ id }) => {
    await node.stop(id);
    return {};
  });
  serve(handlers, nodeMethods.sweep, async () => ({ removed: [...(await node.sweep()).removed] }));
}

function addDownloads(handlers: Handlers, { downloads }: Service): void {
  serve(handlers, nodeMethods.download, ({ download, at }) => ({
    base64: downloads.piece(download, at).toString('base64'),
  }));
  serve(handlers, nodeMethods.forget, ({ download }) => {
    downloads.forget(download);
    return {};
  });
}

function addDesktop(handlers: Handlers, { holdings, downloads }: Service): void {
  serve(handlers, sandboxMethods.ready, async ({ id }, signal) => {
    await holdings.get(id).ready({ signal });
    return {};
  });
  serve(handlers, sandboxMethods.input, async ({ id, commands }, signal) => {
    const { executed, failure, locations } = await holdings.get(id).input(commands, { signal });
    return { executed, failure, locations: [...locations] };
  });
  serve(handlers, sandboxMethods.settle, async ({ id, ...options }, signal) => {
    const settled = await holdings.get(id).settle({ ...options, signal });
    return { ...settled, busy: [...settled.busy] };
  });
  serve(handlers, sandboxMethods.capture, async ({ id, view: asked }, signal) => {
    const { png, changes, view, ...capture } = await holdings.get(id).capture({ view: asked, signal });
    const pictures = { png: downloads.add(png), ...(view && { view: offerPicture(view, downloads) }) };
    return { ...capture, changes: [...changes], ...pictures };
  });
  serve(handlers, sandboxMethods.picture, async ({ id, ...options }, signal) =>
    offerPicture(await holdings.get(id).picture({ ...options, signal }), downloads),
  );
  serve(handlers, sandboxMethods.call, async ({ id, method, params }, signal) => {
    const known = bridgeMethod(method);
    if (!known) throw new RpcError(ErrorCode.MethodNotFound, `unknown method ${method}`);
    return { result: await holdings.get(id).call(known, params, { signal }) };
  });
}

function offerPicture(
  { bytes, ...picture }: Picture,
  downloads: Downloads,
): z.input<typeof sandboxMethods.picture.result> {
  return { ...picture, content: downloads.add(bytes) };
}

function addOutside(handlers: Handlers, { holdings, downloads }: Service): void {
  serve(handlers, sandboxMethods.exec, async ({ id, ...command }, signal) => {
    const { stdout, stderr, ...result } = await holdings.get(id).exec(command, { signal });
    const offer = (text: string) => downloads.add(Buffer.from(text));
    return { ...result, stdout: offer(stdout), stderr: offer(stderr) };
  });
  serve(handlers, sandboxMethods.readFile, async ({ id, path, maxBytes }) => {
    const bytes = await holdings.get(id).readFile(path, maxBytes);
    return { content: bytes && downloads.add(bytes) };
  });
  serve(handlers, sandboxMethods.usage, ({ id }, signal) => holdings.get(id).usage({ signal }));
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
