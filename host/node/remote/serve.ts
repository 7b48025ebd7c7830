import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ErrorCode, RpcError, nodeMethods, sandboxMethods } from '../../../bridge/protocol/index.ts';
import { Peer, handshakeHandlers, type Handlers, type Transport } from '../../../bridge/rpc/index.ts';
import type { Sandbox } from '../node.ts';
import type { Seed, StreamedSeed } from '../spec.ts';
import { serve, type ServedNode, type Service } from './handle.ts';
import { OpenSandboxes } from './open-sandboxes.ts';
import { bridgeMethod } from './methods.ts';
import { addCheckpoints, addTransfers } from './serve-checkpoints.ts';
import { addLease, addQuestions } from './serve-lease.ts';
import { Transfers } from './transfers.ts';
import { egressThrough } from './tunnel/index.ts';

/**
 * Lets the other end of a connection use a node as if it were its own. Resolves when the connection is over and all
 * that ends with it has ended: freezes, and sandboxes that were started through it and are not to be kept.
 */
export async function serveNode(node: ServedNode, transport: Transport): Promise<void> {
  const sandboxes = new OpenSandboxes();
  const handlers = handshakeHandlers('node', '1');
  const hold = async (sandbox: Sandbox) => {
    const { id, image, display } = await sandboxes.hold(sandbox);
    sandbox.onService((service) => peer.notify(sandboxMethods.service, { id, service }));
    sandbox.onRefusal((refusal) => peer.notify(sandboxMethods.refusal, { id, refusal }));
    return { id, image, display };
  };
  const peer = new Peer(transport, handlers);
  const transfers = new Transfers(peer.streams);
  const service = { node, sandboxes, hold, peer, transfers };
  addNode(handlers, service);
  addDesktop(handlers, service);
  addOutside(handlers, service);
  addLease(handlers, service);
  addQuestions(handlers, service);
  addCheckpoints(handlers, service);
  addTransfers(handlers, service);
  await peer.closed;
  await sandboxes[Symbol.asyncDispose]();
  await transfers[Symbol.asyncDispose]();
}

function addNode(handlers: Handlers, { node, hold, peer, transfers }: Service): void {
  serve(handlers, nodeMethods.start, async ({ copy, seeds, stream, network, tunnel, ...spec }, signal) => {
    const sizes = seeds.map(({ bytes }) => bytes);
    const tars = await transfers.seeds(stream, sizes, signal);
    const archives = seeds.map(({ path }, index) => seedOf(path, tars[index] ?? new Uint8Array()));
    return hold(
      await node.start(
        { ...spec, seeds: archives, ...(copy && { copy }), ...(network && { network }) },
        { signal, egressFor: egressThrough(peer, tunnel) },
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

function seedOf(path: string, tar: Uint8Array | AsyncIterable<Uint8Array>): Seed | StreamedSeed {
  return tar instanceof Uint8Array ? { path, tar } : { path, tar };
}

function addDesktop(handlers: Handlers, { sandboxes, transfers }: Service): void {
  serve(handlers, sandboxMethods.ready, async ({ id }, signal) => {
    await sandboxes.get(id).ready({ signal });
    return {};
  });
  serve(handlers, sandboxMethods.input, async ({ id, commands, hold }, signal) => {
    const played = await sandboxes.get(id).input(commands, { hold, signal });
    const { executed, failure, locations } = played;
    return { executed, failure, locations: [...locations] };
  });
  serve(handlers, sandboxMethods.settle, async ({ id, ...options }, signal) => {
    const settled = await sandboxes.get(id).settle({ ...options, signal });
    return { ...settled, busy: [...settled.busy] };
  });
  serve(handlers, sandboxMethods.capture, async ({ id, stream, view: asked }, signal) => {
    const { bytes, changes, view, ...capture } = await sandboxes.get(id).capture({ view: asked, signal });
    await transfers.answer(stream, [bytes, ...(view ? [view.bytes] : [])], signal);
    const sizes = {
      bytes: bytes.byteLength,
      ...(view && { view: { ...view, bytes: view.bytes.byteLength } }),
    };
    return { ...capture, changes: [...changes], ...sizes };
  });
  serve(handlers, sandboxMethods.picture, async ({ id, stream, ...options }, signal) => {
    const { bytes, ...picture } = await sandboxes.get(id).picture({ ...options, signal });
    await transfers.answer(stream, [bytes], signal);
    return { ...picture, bytes: bytes.byteLength };
  });
  serve(handlers, sandboxMethods.update, async ({ id, stream, ...options }, signal) => {
    const { serial, parts } = await sandboxes.get(id).update({ ...options, signal });
    const bytes = parts.map((part) => part.bytes);
    await transfers.answer(stream, bytes, signal);
    return { serial, parts: parts.map((part) => ({ ...part, bytes: part.bytes.byteLength })) };
  });
  serve(handlers, sandboxMethods.call, async ({ id, method, params }, signal) => {
    const known = bridgeMethod(method);
    if (!known) throw new RpcError(ErrorCode.MethodNotFound, `unknown method ${method}`);
    return { result: await sandboxes.get(id).call(known, params, { signal }) };
  });
}

function addOutside(handlers: Handlers, { sandboxes, transfers }: Service): void {
  serve(handlers, sandboxMethods.exec, async ({ id, stream, ...command }, signal) => {
    const { stdout, stderr, ...result } = await sandboxes.get(id).exec(command, { signal });
    const [out, err] = [Buffer.from(stdout), Buffer.from(stderr)];
    await transfers.answer(stream, [out, err], signal);
    return { ...result, stdout: out.length, stderr: err.length };
  });
  serve(handlers, sandboxMethods.readFile, async ({ id, stream, path, maxBytes }, signal) => {
    const bytes = await sandboxes.get(id).readFile(path, maxBytes);
    await transfers.answer(stream, bytes ? [bytes] : [], signal);
    return { bytes: bytes && bytes.byteLength };
  });
  serve(handlers, sandboxMethods.archive, async ({ id, stream, path }, signal) => {
    const target = transfers.accept(stream, 'write', signal);
    await sandboxes.get(id).archive(path, (tar) => pipeline(Readable.from(tar), target), { signal });
    return {};
  });
  serve(handlers, sandboxMethods.hashes, async ({ id, path, ...options }, signal) => ({
    hashes: [...(await sandboxes.get(id).hashes(path, { ...options, signal }))],
  }));
  serve(handlers, sandboxMethods.unpack, async ({ id, stream, path }, signal) => {
    const tar = transfers.accept(stream, 'read', signal);
    await sandboxes.get(id).unpack({ path, tar }, { signal });
    return {};
  });
  serve(handlers, sandboxMethods.usage, ({ id }, signal) => sandboxes.get(id).usage({ signal }));
  serve(handlers, sandboxMethods.beginBatch, async ({ id }, signal) => ({
    batch: await sandboxes.keep(await sandboxes.get(id).beginBatch({ signal })),
  }));
  serve(handlers, sandboxMethods.endBatch, async ({ batch }) => {
    await sandboxes.release(batch);
    return {};
  });
  serve(handlers, sandboxMethods.freeze, async ({ id }) => ({
    freeze: await sandboxes.keep(await sandboxes.get(id).freeze()),
  }));
  serve(handlers, sandboxMethods.release, async ({ freeze }) => {
    await sandboxes.release(freeze);
    return {};
  });
  serve(handlers, sandboxMethods.stop, async ({ id }) => {
    await sandboxes.get(id).stop();
    return {};
  });
  serve(handlers, sandboxMethods.leave, async ({ id }) => {
    await sandboxes.leave(id);
    return {};
  });
}
