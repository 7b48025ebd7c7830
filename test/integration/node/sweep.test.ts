import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { identifyThisProcess, readBootId } from '../../../host/lib/index.ts';
import {
  createSandboxRecord,
  findSandboxRecord,
  resolveSandboxPaths,
  runcRoot,
  type SandboxRecord,
  writeSandboxRecord,
} from '../../../host/node/container/sandbox-record.ts';
import { createLocalNode, defaultLimits } from '../../../host/node/index.ts';
import { bareImage, bareSpec, openTestNode, says, type TestNode } from '../../support/node-sandbox.ts';
import { tracesOf } from '../../support/node-traces.ts';

/** Another host in a separate process: its sandboxes' ids, and how to end it. */
async function startHolder(home: string, ...kinds: ('keep' | 'mine')[]) {
  const program = fileURLToPath(new URL('../../programs/node-holder.ts', import.meta.url));
  const child = spawn(process.execPath, [program, home, ...kinds], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    ids: JSON.parse(line.toString()) as string[],
    async end(signal: NodeJS.Signals) {
      // Signals the whole process group, as a terminal does.
      process.kill(-(child.pid ?? 0), signal);
      return (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    },
  };
}

describe('a sandbox that a host leaves behind', () => {
  let test: TestNode;
  beforeEach(async () => (test = await openTestNode()));
  afterEach(() => test[Symbol.asyncDispose]());

  /** Other hosts may work and sweep on this machine: only the presence of our own sandboxes counts. */
  const swept = async () => (await test.node.sweep()).removed;

  it('remains after SIGTERM or Ctrl-C only if it is kept', async () => {
    for (const [signal, code] of [
      ['SIGTERM', 143],
      ['SIGINT', 130],
    ] as const) {
      const holder = await startHolder(test.home, 'mine', 'keep');
      const [mine = '', kept = ''] = holder.ids;
      assert.deepEqual(await holder.end(signal), [code, null]);
      assert.deepEqual(await tracesOf(mine, test.home), []);
      const info = (await test.node.list()).find(({ id }) => id === kept);
      assert.deepEqual([info?.state, info?.owner.alive], ['running', false]);
      assert.ok(!(await swept()).includes(kept));
      assert.equal(await says(await test.node.open(kept), 'echo alive'), 'alive');
      await test.node.stop(kept);
      assert.deepEqual(await tracesOf(kept, test.home), []);
    }
  });

  it('is removed by the next host after kill -9, unless it is kept', async () => {
    const holder = await startHolder(test.home, 'mine', 'mine', 'keep');
    const [first = '', second = '', kept = ''] = holder.ids;
    await holder.end('SIGKILL');
    await using next = await createLocalNode({ home: test.home, image: bareImage });
    assert.deepEqual([...(await tracesOf(first, test.home)), ...(await tracesOf(second, test.home))], []);
    assert.ok((await next.list()).some(({ id }) => id === kept));
    await next.stop(kept);
  });

  it('continues if the runc of a killed checkpoint freezes it only afterwards', async () => {
    const holder = await startHolder(test.home, 'keep');
    const [kept = ''] = holder.ids;
    await holder.end('SIGKILL');
    const record = await findSandboxRecord(kept);
    const note = { pid: process.pid, startTime: '1', purpose: 'checkpoint' };
    await writeFile(resolveSandboxPaths(record).turn, JSON.stringify(note));
    // As on a busy machine, where a program takes a while to start.
    const late = ['-c', 'sleep 1; exec runc "$@"', 'sh', '--root', runcRoot, 'pause', kept];
    const orphan = spawn('sh', late, { stdio: 'ignore' });
    const ended = once(orphan, 'exit');
    await swept();
    assert.deepEqual(await ended, [0, null]);
    assert.equal((await test.node.list()).find(({ id }) => id === kept)?.state, 'running');
    assert.equal(await says(await test.node.open(kept), 'echo alive'), 'alive');
    await test.node.stop(kept);
  });

  it('is not one that another living host uses', async () => {
    await using sandbox = await test.node.start(bareSpec());
    const holder = await startHolder(test.home, 'mine');
    const [other = ''] = holder.ids;
    const removed = await swept();
    assert.ok(!removed.includes(sandbox.id) && !removed.includes(other));
    assert.equal(await says(sandbox, 'echo alive'), 'alive');
    assert.equal(await says(await test.node.open(other), 'echo alive'), 'alive');
    await holder.end('SIGTERM');
  });

  it('is removed if it was only half made', async () => {
    const record = await makeRecord(test.home);
    // A process with that id is alive, but it started at another time: ids are reused.
    await createSandboxRecord({ ...record, keep: true, owner: { pid: process.pid, startTime: '1' } });
    await mkdir(join(resolveSandboxPaths(record).upper, 'x'), { recursive: true });
    await test.node.sweep();
    assert.deepEqual(await tracesOf(record.id, test.home), []);
  });

  it('is removed if it is of an earlier boot, kept or not', async () => {
    const record = await makeRecord(test.home);
    await createSandboxRecord(record);
    assert.ok(!(await swept()).includes(record.id));
    await writeSandboxRecord({ ...record, phase: 'running', keep: true, bootId: 'an earlier one' });
    await test.node.sweep();
    assert.deepEqual(await tracesOf(record.id, test.home), []);
  });

  it('is removed if its record was lost', async () => {
    const sandbox = await test.node.start(bareSpec());
    await rm(join('/run/pwp', sandbox.id, 'sandbox.json'));
    await test.node.sweep();
    assert.deepEqual(await tracesOf(sandbox.id, test.home), []);
  });

  it('is left alone if its record is of an unknown version', async () => {
    const record = await makeRecord(test.home);
    await createSandboxRecord({ ...record, owner: { pid: process.pid, startTime: '1' } });
    await writeFile(resolveSandboxPaths(record).record, '{"version": "of the future"}');
    assert.ok(!(await swept()).includes(record.id));
    await rm(resolveSandboxPaths(record).run, { recursive: true });
  });
});

async function makeRecord(home: string): Promise<SandboxRecord> {
  const id = `test-${Math.floor(Math.random() * 0xffffffff)
    .toString(16)
    .padStart(8, '0')}`;
  const [owner, boot] = await Promise.all([identifyThisProcess(), readBootId()]);
  const display = { width: 640, height: 480 };
  const startedAt = new Date().toISOString();
  return {
    id,
    name: 'test',
    role: 'bare',
    owner,
    bootId: boot,
    phase: 'making',
    keep: false,
    display,
    image: 'x',
    root: null,
    layers: [],
    limits: defaultLimits,
    network: { mode: 'no-network' },
    workspace: '/workspace',
    checkpoint: null,
    origin: null,
    startedAt,
    home,
  };
}
