import assert from 'node:assert/strict';
import { deadline, poll } from '../../../bridge/lib/index.ts';
import { connectWebSocket, listenWebSocket } from '../../../bridge/rpc/index.ts';
import { memoryPair } from '../../../bridge/rpc/transport.ts';
import type { Node } from '../../../host/node/index.ts';
import type { LocalNode } from '../../../host/node/local/local-node.ts';
import { connectRemoteNode } from '../../../host/node/remote/remote-node.ts';
import { serveNode } from '../../../host/node/remote/serve-node.ts';
import { nodeContract } from '../../support/node-contract.ts';
import { bareSpec, never, openTestNode, ownName, says } from '../../support/node-sandbox.ts';
import { tracesOf } from '../../support/node-traces.ts';
import { everything } from '../../support/slow.ts';

describe('a node', () => {
  if (everything) describe('in this process', () => nodeContract(openTestNode));
  describe('at the other end of a connection', () => nodeContract(openRemoteNode));

  if (everything) describe('at the other end of a port', () => nodeContract(openPortNode));

  it('reports to callers that the connection was cut during a call', async () => {
    await using test = await openPortNode();
    const sandbox = await test.node.start(bareSpec());
    const lost = assert.rejects(says(sandbox, 'sleep 60'), { code: 'node-lost' });
    await test.server[Symbol.asyncDispose]();
    await lost;
    await assert.rejects(test.node.start(bareSpec()), { code: 'node-lost' });
  });

  it('ends the sandboxes that a connection started and resumes those it froze when it breaks', async () => {
    await using test = await openTestNode();
    const [near, far] = memoryPair();
    const served = serveNode(test.node, far);
    const remote = await connectRemoteNode(near);
    const sandbox = await remote.start(bareSpec({ name: 'left' }));
    const other = await test.node.start(bareSpec({ name: 'other' }));
    const shared = await remote.open(other.id);
    const { hold } = await shared.lease.take({ kind: 'person', id: 'ada', name: 'Ada' });
    await shared.beginBatch();
    await shared.freeze();
    const state = async () => (await test.node.list()).find(({ id }) => id === other.id)?.state;
    assert.equal(await state(), 'paused');
    await near.close();
    await served;
    assert.equal(await state(), 'running');
    assert.equal((await other.lease.state()).last?.how, 'ended');
    await assert.rejects(other.lease.renew(hold), { code: 'control-lost' });
    await (await other.beginBatch({ signal: AbortSignal.timeout(10_000) }))[Symbol.asyncDispose]();
    assert.deepEqual(await tracesOf(sandbox.id, test.home), []);
    await assert.rejects(sandbox.readFile('/etc/hostname', 100), { code: 'node-lost' });
    await sandbox[Symbol.asyncDispose]();
  });

  it('keeps no sandbox whose caller gave up just after it started', async () => {
    await using test = await openTestNode();
    const [near, far] = memoryPair();
    const started = Promise.withResolvers<void>();
    const stop = new AbortController();
    const name = ownName('late');
    // The moment between the start over there and its arrival here.
    const node: Node = wrap(test.node, async (spec, options) => {
      const sandbox = await test.node.start(spec, options);
      stop.abort(new Error('enough'));
      started.resolve();
      return sandbox;
    });
    const served = serveNode(node, far);
    const remote = await connectRemoteNode(near);
    await assert.rejects(remote.start(bareSpec({ name }), { signal: stop.signal }), /enough/);
    await started.promise;
    using limit = deadline('the end of the sandbox', 20_000);
    const probe = async () => {
      const traces = await tracesOf(name, test.home);
      return traces.length === 0
        ? ({ done: true, value: undefined } as const)
        : ({ done: false, saw: traces.join() } as const);
    };
    await poll('nothing left', probe, { intervalMs: 20, signal: limit.signal });
    assert.deepEqual(await remote.list().then((list) => list.filter((each) => each.name === name)), []);
    await remote[Symbol.asyncDispose]();
    await served;
  });
});

/** The same node, except for how it starts sandboxes. */
function wrap(node: LocalNode, start: Node['start']): Node {
  return new Proxy(node, {
    get(target, name) {
      if (name === 'start') return start;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });
}

/** Like {@link openRemoteNode}, over a port. */
async function openPortNode() {
  const test = await openTestNode();
  const served: Promise<void>[] = [];
  const address = { host: '127.0.0.1', port: 0, token: 'secret' };
  const server = await listenWebSocket(
    address,
    (transport) => void served.push(serveNode(test.node, transport)),
  );
  const transport = await connectWebSocket({ ...address, port: server.port }, never);
  const node = await connectRemoteNode(transport);
  return {
    node,
    server,
    async [Symbol.asyncDispose]() {
      await node[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await Promise.all(served);
      await test[Symbol.asyncDispose]();
    },
  };
}

async function openRemoteNode() {
  const test = await openTestNode();
  const [near, far] = memoryPair();
  const served = serveNode(test.node, far);
  const node = await connectRemoteNode(near);
  return {
    node,
    async [Symbol.asyncDispose]() {
      await node[Symbol.asyncDispose]();
      await served;
      await test[Symbol.asyncDispose]();
    },
  };
}
