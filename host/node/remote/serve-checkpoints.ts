import { checkpointMethods } from '../../../bridge/protocol/index.ts';
import type { Handlers } from '../../../bridge/rpc/index.ts';
import type { CheckpointInfo } from '../checkpoint.ts';
import type { WireFiles } from './files.ts';
import { serve, type Service } from './handle.ts';
import { egressThrough } from './tunnel/index.ts';

/** What a node answers about checkpoints. */
export function addCheckpoints(handlers: Handlers, { node, holdings, hold, channels }: Service): void {
  serve(handlers, checkpointMethods.support, async (_, signal) => {
    const { kind, criu, notes } = await node.checkpointSupport({ signal });
    return { kind, criu, notes: [...notes] };
  });
  serve(handlers, checkpointMethods.list, async () => ({ checkpoints: await node.checkpoints() }));
  serve(handlers, checkpointMethods.take, async ({ sandbox, name, key, kind }, signal) => {
    const options = { ...(name !== undefined && { name }), ...(key !== undefined && { key }) };
    return holdings.get(sandbox).checkpoint({ ...options, ...(kind && { kind }), signal });
  });
  serve(handlers, checkpointMethods.restore, async ({ sandbox, id }, signal) => {
    await holdings.get(sandbox).restore(id, { signal });
    return {};
  });
  serve(handlers, checkpointMethods.fork, async ({ id, tunnel, ...options }, signal) =>
    hold(await node.fork(id, { ...options, signal, exitFor: egressThrough(channels, tunnel) })),
  );
  serve(handlers, checkpointMethods.delete, async ({ id }) => {
    await node.deleteCheckpoint(id);
    return {};
  });
}

/** Whole checkpoints, through files that belong to the connection. */
export function addTransfers(handlers: Handlers, { node }: Service, files: WireFiles): void {
  serve(handlers, checkpointMethods.export, async ({ id }, signal) => {
    const file = await files.create();
    try {
      await node.exportCheckpoint(id, files.path(file), { signal });
      return { file, bytes: await files.size(file) };
    } catch (error) {
      await files.close(file);
      throw error;
    }
  });
  serve(handlers, checkpointMethods.readFile, async ({ file, offset }) => ({
    base64: (await files.read(file, offset)).toString('base64'),
  }));
  serve(handlers, checkpointMethods.openFile, async () => ({ file: await files.create() }));
  serve(handlers, checkpointMethods.writeFile, async ({ file, base64 }) => {
    await files.append(file, Buffer.from(base64, 'base64'));
    return {};
  });
  serve(handlers, checkpointMethods.import, ({ file }, signal): Promise<CheckpointInfo> =>
    node.importCheckpoint(files.path(file), { signal }),
  );
  serve(handlers, checkpointMethods.closeFile, async ({ file }) => {
    await files.close(file);
    return {};
  });
}
