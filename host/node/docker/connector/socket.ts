import { join } from 'node:path';
import { connectSocket } from '../../../../bridge/rpc/index.ts';
import { bootId } from '../../../lib/index.ts';
import type { Connector } from './connector.ts';

const inside = '/run/pwp-node';

/** By a Unix socket in a folder of this machine, where the engine is on the same kernel. The container has no network. */
export const socketConnector: Connector = {
  kind: 'socket',
  async prepare(_, { folder }) {
    // Not by the user's name: a number need not have one.
    const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
    const settings = {
      SOCKET: `${inside}/node.sock`,
      SOCKET_UID: uid,
      SOCKET_GID: gid,
      BOOT_ID: await bootId(),
    };
    return {
      env: Object.entries(settings).map(([name, value]) => `PWP_${name}=${value}`),
      // Not by `Binds`, which makes a folder that is missing: where it is, the engine is on another machine.
      mounts: [{ Type: 'bind', Source: folder, Target: inside }],
      ports: {},
      networkMode: 'none',
    };
  },
  equip: () => Promise.resolve(),
  connect: (_, folder, signal) => connectSocket(join(folder, 'node.sock'), signal),
  forget: () => Promise.resolve(),
};
