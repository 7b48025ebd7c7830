import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type Docker from 'dockerode';
import { execa } from 'execa';
import { connectWebSocket } from '../../../bridge/rpc/index.ts';
import { silentProgress } from '../../../host/lib/index.ts';
import type { NodeConnector } from '../../../host/node/docker/connector.ts';
import { socketConnector, websocketConnector } from '../../../host/node/docker/connectors.ts';
import { type NodeContainer, removeContainer, startContainer } from '../../../host/node/docker/container.ts';
import { connectEngine } from '../../../host/node/docker/engine.ts';
import { ensureNodeParts, type NodeParts } from '../../../host/node/docker/node-image.ts';
import { formatOwner } from '../../../host/node/docker/labels.ts';
import { openEngine } from '../../support/docker-engine.ts';
import { never } from '../../support/node-sandbox.ts';

const port = '4300/tcp';

describe('a container whose node is reached by a WebSocket', function () {
  this.timeout(300_000);
  let engine: Docker;
  let image: NodeParts;
  before(async () => {
    await openEngine();
    engine = await connectEngine();
    image = await ensureNodeParts(engine, { languages: [], progress: silentProgress, signal: never });
  });

  const start = (...connectors: NodeConnector[]) => startContainer({ engine, image, connectors }, never);
  const end = async ({ node, folder }: NodeContainer) => {
    await node[Symbol.asyncDispose]();
    await removeContainer(engine, nameOf(folder), folder);
  };
  /** Containers and networks of this process. */
  const left = async () => {
    const filter = ['--filter', `label=pwp.owner=${await formatOwner()}`, '--format', '{{.ID}}'];
    const lists = [execa('docker', ['ps', '-a', ...filter]), execa('docker', ['network', 'ls', ...filter])];
    return (await Promise.all(lists)).map(({ stdout }) => stdout).join('');
  };

  it('listens on loopback only, with a token that the engine does not show, and has no way out', async () => {
    const started = await start(websocketConnector());
    const { container, folder } = started;
    const about = await container.inspect();
    const token = await readFile(join(folder, 'token'), 'utf8');
    const published = about.NetworkSettings.Ports[port] ?? [];
    assert.deepEqual(
      published.map(({ HostIp }) => HostIp),
      ['127.0.0.1'],
    );
    assert.ok(!JSON.stringify(about).includes(token));
    const inside = (line: string) =>
      execa('docker', ['exec', container.id, 'bash', '-c', line], { reject: false });
    assert.equal((await inside('ip route show default; ip -6 route show default')).stdout, '');
    assert.match((await inside('exec 3<>/dev/tcp/1.1.1.1/443')).stderr, /Network is unreachable/);
    assert.notEqual((await inside(`grep -rqF ${token} /run /tmp /etc /root /proc/1/environ`)).exitCode, 0);
    const host = '127.0.0.1';
    const address = { host, port: Number(published[0]?.HostPort), token: `${token}x` };
    await assert.rejects(connectWebSocket(address, never), { code: 'not-admitted' });
    await end(started);
    assert.equal(await left(), '');
  });

  it('is the fallback if the container is on another kernel or machine', async () => {
    const otherKernel: NodeConnector = {
      ...socketConnector,
      prepare: async (...args) => {
        const part = await socketConnector.prepare(...args);
        return {
          ...part,
          env: [...part.env.filter((line) => !line.startsWith('PWP_BOOT_ID=')), 'PWP_BOOT_ID=other'],
        };
      },
    };
    const otherMachine: NodeConnector = {
      ...socketConnector,
      prepare: (its, planned) =>
        socketConnector.prepare(its, { ...planned, folder: `${planned.folder}-elsewhere` }),
    };
    for (const way of [otherKernel, otherMachine]) {
      const started = await start(way, websocketConnector());
      assert.ok((await started.container.inspect()).NetworkSettings.Ports[port]);
      await end(started);
      await assert.rejects(start(way), { code: 'node-unreachable' });
    }
  });

  it('reports that its port is taken, and leaves nothing behind', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const number = (taken.address() as AddressInfo).port;
    await assert.rejects(start(websocketConnector(number)), { code: 'port-in-use' });
    taken.close();
    assert.equal(await left(), '');
    await end(await start(websocketConnector(number)));
  });

  it('does not accept another server that answers at its port', async () => {
    await assert.rejects(start({ ...websocketConnector(), connect: (...args) => strangerConnect(...args) }), {
      code: 'node-unreachable',
    });
  });
});

/** Connects as if a node with another token had the port. */
const strangerConnect: NodeConnector['connect'] = async (container, _, signal) => {
  const published = (await container.inspect()).NetworkSettings.Ports[port];
  return connectWebSocket({ host: '127.0.0.1', port: Number(published?.[0]?.HostPort), token: 'b' }, signal);
};

function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('/') + 1);
}
