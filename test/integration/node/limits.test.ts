import assert from 'node:assert/strict';
import { deadline, pause, poll } from '../../../bridge/lib/index.ts';
import { createLocalNode, type Sandbox } from '../../../host/node/index.ts';
import { onEveryNode, type OpenedNode } from '../../support/each-node.ts';
import { bareImage, bareSpec, bash, openTestNode, says } from '../../support/node-sandbox.ts';
import { slowIt } from '../../support/slow.ts';

const MiB = 1024 * 1024;
const small = { cpus: 0.5, memoryMb: 128, pids: 64, diskMb: 64 };

onEveryNode('the limits of a sandbox', (open) => {
  let test: OpenedNode;
  let sandbox: Sandbox;
  before(async () => (test = await open()));
  after(() => test[Symbol.asyncDispose]());
  beforeEach(async () => {
    sandbox = await test.node.start(bareSpec({ limits: small }));
  });
  afterEach(() => sandbox.stop());

  it('are reported, with nothing hit at the start', async () => {
    const usage = await sandbox.usage();
    assert.equal(usage.memoryLimitBytes, 128 * MiB);
    assert.equal(usage.pidsLimit, 64);
    assert.ok(usage.diskLimitBytes > 50 * MiB && usage.diskLimitBytes <= 64 * MiB, `${usage.diskLimitBytes}`);
    assert.ok(usage.memoryBytes > 0 && usage.pids >= 1 && usage.cpuMs > 0, JSON.stringify(usage));
    assert.deepEqual({ ...usage.hits, cpu: 0 }, { cpu: 0, memory: 0, pids: 0, disk: 0 });
    const info = (await test.node.list()).find(({ id }) => id === sandbox.id);
    assert.equal(info?.usage?.memoryLimitBytes, usage.memoryLimitBytes);
    await sandbox.stop();
    await assert.rejects(sandbox.usage(), { code: 'sandbox-stopped' });
  });

  it('end a program that takes too much memory, and report it', async () => {
    assert.equal((await bash(sandbox, 'python3 -c "b\'x\' * 1_000_000_000"')).exitCode, 137);
    assert.ok((await sandbox.usage()).hits.memory >= 1);
  });

  slowIt('count processes of an exec like earlier ones, refuse more, and report it', async () => {
    const forks = 'for i in $(seq 100); do sleep 3 & done; wait';
    assert.match((await bash(sandbox, forks, { timeoutMs: 5000 })).stderr, /temporarily unavailable/);
    assert.ok((await sandbox.usage()).hits.pids >= 1);
  });

  it('throttle a program that takes too many cores, and report it', async () => {
    const stop = new AbortController();
    // Many, because each gets little on a busy machine.
    const loops = 'for i in $(seq 16); do while :; do :; done & done; wait';
    const spec = { argv: ['bash', '-c', loops], cwd: '/', env: {}, timeoutMs: 60_000, maxOutputBytes: 100 };
    const busy = sandbox.exec(spec, { signal: stop.signal });
    using limit = deadline('being held back', 60_000);
    const probe = async () => {
      const { hits, throttledMs } = await sandbox.usage();
      return hits.cpu >= 1 && throttledMs > 0
        ? ({ done: true, value: undefined } as const)
        : ({ done: false, saw: `${hits.cpu} times, ${throttledMs} ms` } as const);
    };
    await poll('a processor that is held back', probe, { intervalMs: 100, signal: limit.signal });
    stop.abort(new Error('enough'));
    await assert.rejects(busy, /enough/);
  });

  it('end writes when the disk is full, and report it, even when space is free again', async () => {
    const { stderr } = await bash(sandbox, 'dd if=/dev/zero of=/root/big bs=1M');
    assert.match(stderr, /No space left on device/);
    const { hits, diskBytes, diskLimitBytes } = await sandbox.usage();
    assert.deepEqual([hits.disk, diskBytes > 0.9 * diskLimitBytes], [1, true]);
    await says(sandbox, 'rm /root/big; sync; echo again > /root/small');
    const after = await sandbox.usage();
    assert.deepEqual([after.hits.disk, after.diskBytes < 10 * MiB], [1, true]);
  });

  it('also bound the number of files', async () => {
    const make = 'mkdir /root/many; cd /root/many; for i in $(seq 20000); do : > $i || exit 7; done';
    assert.equal((await bash(sandbox, make)).exitCode, 7);
    assert.equal((await sandbox.usage()).hits.disk, 1);
  });

  it('leave nothing of the disk behind', async () => {
    await says(sandbox, 'head -c 30M /dev/urandom > /root/big');
    await sandbox.stop();
    assert.deepEqual(await test.traces(sandbox.id), []);
  });
});

// A Docker node has the same queue in its container; the memory it counts on can only be set here.
describe('the admission queue of a node', () => {
  it('admits what fits, and the rest in order of arrival, each as soon as there is room', async () => {
    await using test = await openTestNode();
    const waits: number[] = [];
    const options = {
      home: test.home,
      image: bareImage,
      memoryMb: 200,
      onWait: (n: number) => waits.push(n),
    };
    await using node = await createLocalNode(options);
    const first = await node.start(bareSpec());
    await node.start(bareSpec());
    const order: string[] = [];
    const third = node.start(bareSpec({ name: 'third' })).then((s) => (order.push('third'), s));
    const gone = new AbortController();
    const givesUp = node.start(bareSpec({ name: 'gone' }), { signal: gone.signal });
    const fourth = node.start(bareSpec({ name: 'fourth' })).then((s) => (order.push('fourth'), s));
    await untilWaiting(() => node.load(), 3);
    assert.deepEqual(await node.load(), { running: 2, waiting: 3, room: 0 });
    gone.abort(new Error('enough'));
    await assert.rejects(givesUp, /enough/);
    assert.equal((await node.load()).waiting, 2);
    // A copy of a running sandbox never waits: that sandbox may have to end first.
    {
      await using frozen = await first.freeze();
      void frozen;
      const copy = await node.start(bareSpec({ copy: { from: first.id, paths: ['/root'] } }));
      await copy.stop();
    }
    await first.stop();
    await using thirdSandbox = await third;
    assert.deepEqual(order, ['third']);
    await thirdSandbox.stop();
    await fourth;
    assert.deepEqual(order, ['third', 'fourth']);
    assert.ok(waits.length > 0 && waits.every((n) => n >= 1 && n <= 3));
  });

  it('rejects all waiting starts when the node closes', async () => {
    await using test = await openTestNode();
    const node = await createLocalNode({ home: test.home, image: bareImage, memoryMb: 100 });
    await node.start(bareSpec());
    const waiting = assert.rejects(node.start(bareSpec()), { code: 'node-closed' });
    await untilWaiting(() => node.load(), 1);
    await node[Symbol.asyncDispose]();
    await waiting;
  });
});

onEveryNode('the room on a node', (open) => {
  it("is the number of sandboxes that fit into the machine's memory", async () => {
    await using test = await open();
    const { running, waiting, room } = await test.node.load();
    assert.deepEqual([running, waiting], [0, 0]);
    assert.ok(Number.isInteger(room) && room >= 0);
    await test.node.start(bareSpec());
    assert.equal((await test.node.load()).running, 1);
  });
});

async function untilWaiting(load: () => Promise<{ waiting: number }>, count: number): Promise<void> {
  using limit = deadline('waiting in line', 20_000);
  const probe = async () => {
    const { waiting } = await load();
    if (waiting === count) return { done: true, value: undefined } as const;
    return { done: false, saw: `${waiting} wait` } as const;
  };
  await poll('the line', probe, { intervalMs: 20, signal: limit.signal });
  await pause(50);
}
