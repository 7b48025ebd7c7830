import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  agent,
  checkpointMethods,
  desktop,
  dom,
  ErrorCode,
  type Event,
  ide,
  leaseMethods,
  type Method,
  nodeMethods,
  type ParamsOut,
  questionMethods,
  RpcError,
  sandboxMethods,
  shell,
  sound,
  toolMethods,
  workspaceMethods,
} from '../../../bridge/protocol/index.ts';
import { type Handlers, handshakeHandlers, Peer, type Transport } from '../../../bridge/rpc/index.ts';
import type { CheckpointInfo } from '../checkpoint.ts';
import type { LeaseState, OpenQuestions } from '../lease.ts';
import type { Sandbox } from '../node.ts';
import type { Seed, StreamedSeed } from '../sandbox-spec.ts';
import { ByteTransfers } from './byte-transfers.ts';
import { createTunnelEgress } from './egress-tunnel.ts';
import { addNodeHandler, HeldSandboxes, type NodeService, type ServedNode } from './node-service.ts';

/**
 * Lets the other end of a connection use a node as if it were its own. Resolves when the connection is over and all
 * that ends with it has ended: freezes, and sandboxes that were started through it and are not to be kept.
 */
export async function serveNode(node: ServedNode, transport: Transport): Promise<void> {
  const sandboxes = new HeldSandboxes();
  const handlers = handshakeHandlers('node', '1');
  const hold = async (sandbox: Sandbox) => {
    const { id, image, display } = await sandboxes.hold(sandbox);
    sandbox.onService((service) => peer.notify(sandboxMethods.service, { id, service }));
    sandbox.onRefusal((refusal) => peer.notify(sandboxMethods.refusal, { id, refusal }));
    return { id, image, display };
  };
  const peer = new Peer(transport, handlers);
  const transfers = new ByteTransfers(peer.streams);
  const service = { node, sandboxes, hold, peer, transfers };
  addNodeHandlers(handlers, service);
  addDesktopHandlers(handlers, service);
  addOutsideHandlers(handlers, service);
  addLeaseHandlers(handlers, service);
  addQuestionHandlers(handlers, service);
  addCheckpointHandlers(handlers, service);
  addTransferHandlers(handlers, service);
  await peer.closed;
  await sandboxes[Symbol.asyncDispose]();
  await transfers[Symbol.asyncDispose]();
}

function addNodeHandlers(handlers: Handlers, { node, hold, peer, transfers }: NodeService): void {
  addNodeHandler(
    handlers,
    nodeMethods.start,
    async ({ copy, seeds, stream, network, tunnel, ...spec }, signal) => {
      const sizes = seeds.map(({ bytes }) => bytes);
      const tars = await transfers.seeds(stream, sizes, signal);
      const archives = seeds.map(({ path }, index) => toSeed(path, tars[index] ?? new Uint8Array()));
      return hold(
        await node.start(
          { ...spec, seeds: archives, ...(copy && { copy }), ...(network && { network }) },
          { signal, egressFor: createTunnelEgress(peer, tunnel) },
        ),
      );
    },
  );
  addNodeHandler(handlers, nodeMethods.image, async (_, signal) => ({ image: await node.image({ signal }) }));
  addNodeHandler(handlers, nodeMethods.open, async ({ id }, signal) => hold(await node.open(id, { signal })));
  addNodeHandler(handlers, nodeMethods.list, async () => ({ sandboxes: await node.list() }));
  addNodeHandler(handlers, nodeMethods.load, () => node.load());
  addNodeHandler(handlers, nodeMethods.stop, async ({ id }) => {
    await node.stop(id);
    return {};
  });
  addNodeHandler(handlers, nodeMethods.sweep, async () => ({ removed: [...(await node.sweep()).removed] }));
}

function toSeed(path: string, tar: Uint8Array | AsyncIterable<Uint8Array>): Seed | StreamedSeed {
  return tar instanceof Uint8Array ? { path, tar } : { path, tar };
}

function addDesktopHandlers(handlers: Handlers, { sandboxes, transfers }: NodeService): void {
  addNodeHandler(handlers, sandboxMethods.ready, async ({ id }, signal) => {
    await sandboxes.get(id).ready({ signal });
    return {};
  });
  addNodeHandler(handlers, sandboxMethods.input, async ({ id, commands, hold }, signal) => {
    const played = await sandboxes.get(id).input(commands, { hold, signal });
    const { executed, failure, locations } = played;
    return { executed, failure, locations: [...locations] };
  });
  addNodeHandler(handlers, sandboxMethods.settle, async ({ id, ...options }, signal) => {
    const settled = await sandboxes.get(id).settle({ ...options, signal });
    return { ...settled, busy: [...settled.busy] };
  });
  addNodeHandler(handlers, sandboxMethods.capture, async ({ id, stream, view: asked }, signal) => {
    const { bytes, changes, view, ...capture } = await sandboxes.get(id).capture({ view: asked, signal });
    await transfers.answer(stream, [bytes, ...(view ? [view.bytes] : [])], signal);
    const sizes = {
      bytes: bytes.byteLength,
      ...(view && { view: { ...view, bytes: view.bytes.byteLength } }),
    };
    return { ...capture, changes: [...changes], ...sizes };
  });
  addNodeHandler(handlers, sandboxMethods.picture, async ({ id, stream, ...options }, signal) => {
    const { bytes, ...picture } = await sandboxes.get(id).picture({ ...options, signal });
    await transfers.answer(stream, [bytes], signal);
    return { ...picture, bytes: bytes.byteLength };
  });
  addNodeHandler(handlers, sandboxMethods.update, async ({ id, stream, ...options }, signal) => {
    const { serial, parts } = await sandboxes.get(id).update({ ...options, signal });
    const bytes = parts.map((part) => part.bytes);
    await transfers.answer(stream, bytes, signal);
    return { serial, parts: parts.map((part) => ({ ...part, bytes: part.bytes.byteLength })) };
  });
  addNodeHandler(handlers, sandboxMethods.call, async ({ id, method, params }, signal) => {
    const known = findBridgeMethod(method);
    if (!known) throw new RpcError(ErrorCode.MethodNotFound, `unknown method ${method}`);
    return { result: await sandboxes.get(id).call(known, params, { signal }) };
  });
}

function addOutsideHandlers(handlers: Handlers, { sandboxes, transfers }: NodeService): void {
  addNodeHandler(handlers, sandboxMethods.exec, async ({ id, stream, ...command }, signal) => {
    const { stdout, stderr, ...result } = await sandboxes.get(id).exec(command, { signal });
    const [out, err] = [Buffer.from(stdout), Buffer.from(stderr)];
    await transfers.answer(stream, [out, err], signal);
    return { ...result, stdout: out.length, stderr: err.length };
  });
  addNodeHandler(handlers, sandboxMethods.readFile, async ({ id, stream, path, maxBytes }, signal) => {
    const bytes = await sandboxes.get(id).readFile(path, maxBytes);
    await transfers.answer(stream, bytes ? [bytes] : [], signal);
    return { bytes: bytes && bytes.byteLength };
  });
  addNodeHandler(handlers, sandboxMethods.archive, async ({ id, stream, path }, signal) => {
    const target = transfers.accept(stream, 'write', signal);
    await sandboxes.get(id).archive(path, (tar) => pipeline(Readable.from(tar), target), { signal });
    return {};
  });
  addNodeHandler(handlers, sandboxMethods.hashes, async ({ id, path, ...options }, signal) => ({
    hashes: [...(await sandboxes.get(id).hashes(path, { ...options, signal }))],
  }));
  addNodeHandler(handlers, sandboxMethods.unpack, async ({ id, stream, path }, signal) => {
    const tar = transfers.accept(stream, 'read', signal);
    await sandboxes.get(id).unpack({ path, tar }, { signal });
    return {};
  });
  addNodeHandler(handlers, sandboxMethods.usage, ({ id }, signal) => sandboxes.get(id).usage({ signal }));
  addNodeHandler(handlers, sandboxMethods.beginBatch, async ({ id }, signal) => ({
    batch: await sandboxes.keep(await sandboxes.get(id).beginBatch({ signal })),
  }));
  addNodeHandler(handlers, sandboxMethods.endBatch, async ({ batch }) => {
    await sandboxes.release(batch);
    return {};
  });
  addNodeHandler(handlers, sandboxMethods.freeze, async ({ id }) => ({
    freeze: await sandboxes.keep(await sandboxes.get(id).freeze()),
  }));
  addNodeHandler(handlers, sandboxMethods.release, async ({ freeze }) => {
    await sandboxes.release(freeze);
    return {};
  });
  addNodeHandler(handlers, sandboxMethods.stop, async ({ id }) => {
    await sandboxes.get(id).stop();
    return {};
  });
  addNodeHandler(handlers, sandboxMethods.leave, async ({ id }) => {
    await sandboxes.leave(id);
    return {};
  });
}

/** A node's answers about checkpoints. */
function addCheckpointHandlers(handlers: Handlers, { node, sandboxes, hold, peer }: NodeService): void {
  addNodeHandler(handlers, checkpointMethods.support, async (_, signal) => {
    const { kind, criu, notes } = await node.checkpointSupport({ signal });
    return { kind, criu, notes: [...notes] };
  });
  addNodeHandler(handlers, checkpointMethods.list, async () => ({ checkpoints: await node.checkpoints() }));
  addNodeHandler(handlers, checkpointMethods.find, async ({ key }) => ({
    checkpoint: await node.findCheckpoint(key),
  }));
  addNodeHandler(handlers, checkpointMethods.problems, async () => ({
    problems: await node.checkpointProblems(),
  }));
  addNodeHandler(handlers, checkpointMethods.take, async ({ sandbox, name, key, kind }, signal) => {
    const options = { ...(name !== undefined && { name }), ...(key !== undefined && { key }) };
    return sandboxes.get(sandbox).checkpoint({ ...options, ...(kind && { kind }), signal });
  });
  addNodeHandler(handlers, checkpointMethods.restore, async ({ sandbox, id }, signal) => {
    await sandboxes.get(sandbox).restore(id, { signal });
    return {};
  });
  addNodeHandler(handlers, checkpointMethods.fork, async ({ id, tunnel, ...options }, signal) =>
    hold(await node.fork(id, { ...options, signal, egressFor: createTunnelEgress(peer, tunnel) })),
  );
  addNodeHandler(handlers, checkpointMethods.delete, async ({ id }) => {
    await node.deleteCheckpoint(id);
    return {};
  });
}

/** Whole checkpoints, through temporary files. */
function addTransferHandlers(handlers: Handlers, { node, transfers }: NodeService): void {
  addNodeHandler(handlers, checkpointMethods.export, ({ id, stream }, signal) =>
    transfers.withFile(async (path) => {
      await node.exportCheckpoint(id, path, { signal });
      await pipeline(createReadStream(path), transfers.accept(stream, 'write', signal));
      return { bytes: (await stat(path)).size };
    }),
  );
  addNodeHandler(handlers, checkpointMethods.import, ({ stream }, signal): Promise<CheckpointInfo> =>
    transfers.withFile(async (path) => {
      const target = createWriteStream(path, { mode: 0o600 });
      await pipeline(transfers.accept(stream, 'read', signal), target);
      return node.importCheckpoint(path, { signal });
    }),
  );
}

/** A node's answers about who may act. */
function addLeaseHandlers(handlers: Handlers, { sandboxes }: NodeService): void {
  const of = ({ sandbox }: ParamsOut<typeof leaseMethods.state>) => sandboxes.get(sandbox).lease;
  addNodeHandler(handlers, leaseMethods.state, async (params, signal) =>
    toWireLease(await of(params).state({ signal })),
  );
  addNodeHandler(handlers, leaseMethods.changed, async (params, signal) =>
    toWireLease(await of(params).changed(params.revision, { signal })),
  );
  addNodeHandler(handlers, leaseMethods.take, async ({ sandbox, person, ...options }, signal) => {
    const { hold, state } = await of({ sandbox }).take(person, { ...options, signal });
    return { hold, state: toWireLease(state) };
  });
  addNodeHandler(handlers, leaseMethods.renew, (params, signal) =>
    answerWhenDone(of(params).renew(params.hold, { signal })),
  );
  addNodeHandler(handlers, leaseMethods.letWatch, (params, signal) =>
    answerWhenDone(of(params).letWatch(params.hold, params.on, { signal })),
  );
  addNodeHandler(handlers, leaseMethods.giveBack, (params, signal) =>
    answerWhenDone(of(params).giveBack(params.hold, { signal })),
  );
  addNodeHandler(handlers, leaseMethods.revoke, (params, signal) =>
    answerWhenDone(of(params).revoke(params.by, { signal })),
  );
  addNodeHandler(handlers, leaseMethods.request, (params, signal) =>
    answerWhenDone(of(params).request(params.by, params.why, { signal })),
  );
  addNodeHandler(handlers, leaseMethods.withdraw, (params, signal) =>
    answerWhenDone(of(params).withdraw(params.by, { signal })),
  );
  addNodeHandler(handlers, leaseMethods.looked, (params, signal) =>
    answerWhenDone(of(params).looked(params.turn, { signal })),
  );
}

/** A node's answers about the questions of agents. */
function addQuestionHandlers(handlers: Handlers, { sandboxes }: NodeService): void {
  const of = (id: string) => sandboxes.get(id).questions;
  addNodeHandler(handlers, questionMethods.open, async ({ sandbox }, signal) =>
    toWireQuestions(await of(sandbox).open({ signal })),
  );
  addNodeHandler(handlers, questionMethods.changed, async ({ sandbox, revision }, signal) =>
    toWireQuestions(await of(sandbox).changed(revision, { signal })),
  );
  addNodeHandler(handlers, questionMethods.ask, ({ sandbox, question, timeoutMs }, signal) =>
    of(sandbox).ask(question, { timeoutMs, signal }),
  );
  addNodeHandler(handlers, questionMethods.answer, ({ sandbox, id, answer }, signal) =>
    answerWhenDone(of(sandbox).answer(id, answer, { signal })),
  );
}

function toWireLease(state: LeaseState) {
  return { ...state, requests: [...state.requests] };
}

function toWireQuestions({ revision, questions }: OpenQuestions) {
  return { revision, questions: [...questions] };
}

async function answerWhenDone(work: Promise<void>): Promise<Record<string, never>> {
  await work;
  return {};
}

/** The methods of the bridge, by name: a node passes them on. */
const bridgeMethods = new Map<string, Method>(
  [agent, desktop, dom, ide, shell, sound, toolMethods, workspaceMethods]
    .flatMap((group) => Object.values<Method | Event>(group))
    .filter((entry) => 'name' in entry)
    .map((method) => [method.name, method]),
);

/** Undefined for a name that is not a method of the bridge. */
function findBridgeMethod(name: string): Method | undefined {
  return bridgeMethods.get(name);
}
