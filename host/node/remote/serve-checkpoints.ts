import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { checkpointMethods } from '../../../bridge/protocol/index.ts';
import type { Handlers } from '../../../bridge/rpc/index.ts';
import type { CheckpointInfo } from '../checkpoint.ts';
import { serve, type Service } from './handle.ts';
import { egressThrough } from './tunnel/index.ts';

/** A node's answers about checkpoints. */
export function addCheckpoints(handlers: Handlers, { node, sandboxes, hold, peer }: Service): void {
  serve(handlers, checkpointMethods.support, async (_, signal) => {
    const { kind, criu, notes } = await node.checkpointSupport({ signal });
    return { kind, criu, notes: [...notes] };
  });
  serve(handlers, checkpointMethods.list, async () => ({ checkpoints: await node.checkpoints() }));
  serve(handlers, checkpointMethods.find, async ({ key }) => ({
    checkpoint: await node.findCheckpoint(key),
  }));
  serve(handlers, checkpointMethods.problems, async () => ({ problems: await node.checkpointProblems() }));
  serve(handlers, checkpointMethods.take, async ({ sandbox, name, key, kind }, signal) => {
    const options = { ...(name !== undefined && { name }), ...(key !== undefined && { key }) };
    return sandboxes.get(sandbox).checkpoint({ ...options, ...(kind && { kind }), signal });
  });
  serve(handlers, checkpointMethods.restore, async ({ sandbox, id }, signal) => {
    await sandboxes.get(sandbox).restore(id, { signal });
    return {};
  });
  serve(handlers, checkpointMethods.fork, async ({ id, tunnel, ...options }, signal) =>
    hold(await node.fork(id, { ...options, signal, egressFor: egressThrough(peer, tunnel) })),
  );
  serve(handlers, checkpointMethods.delete, async ({ id }) => {
    await node.deleteCheckpoint(id);
    return {};
  });
}

/** Whole checkpoints, through temporary files. */
export function addTransfers(handlers: Handlers, { node, transfers }: Service): void {
  serve(handlers, checkpointMethods.export, ({ id, stream }, signal) =>
    transfers.withFile(async (path) => {
      await node.exportCheckpoint(id, path, { signal });
      await pipeline(createReadStream(path), transfers.accept(stream, 'write', signal));
      return { bytes: (await stat(path)).size };
    }),
  );
  serve(handlers, checkpointMethods.import, ({ stream }, signal): Promise<CheckpointInfo> =>
    transfers.withFile(async (path) => {
      const target = createWriteStream(path, { mode: 0o600 });
      await pipeline(transfers.accept(stream, 'read', signal), target);
      return node.importCheckpoint(path, { signal });
    }),
  );
}
