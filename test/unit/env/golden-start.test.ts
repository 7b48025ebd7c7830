import assert from 'node:assert/strict';
import { setImmediate as tick } from 'node:timers/promises';
import { PwpError } from '../../../bridge/lib/index.ts';
import { defaultDisplay, defaultLimits, type Node, type SandboxSpec } from '../../../host/node/index.ts';
import { BootTurns } from '../../../host/run/environment/boot-turns.ts';
import { SandboxStarter } from '../../../host/run/environment/golden-start.ts';

const never = new AbortController().signal;
const spec: SandboxSpec = {
  ...{ name: 'one', role: 'ide', seeds: [], keep: false },
  ...{ display: defaultDisplay, limits: defaultLimits },
};

interface MadeUp {
  /** Checkpoints with the key of all sandboxes, the youngest last; those that begin with `bad` can't be restored. */
  readonly stored?: string[];
  /** The number of boots that fail. */
  readonly failures?: number;
  /** Whether no checkpoint can be taken, as where a program is traced. */
  readonly takesNone?: boolean;
  /** Awaited by each boot. */
  readonly gate?: Promise<void>;
}

/** A node with made-up sandboxes, and what it has done. */
function makeUpNode({ stored = [], failures = 0, takesNone = false, gate }: MadeUp) {
  const log: string[] = [];
  let failed = 0;
  const sandbox = {
    ready: () => tick(),
    call: () => tick(),
    settle: () => tick(),
    stop: () => tick(),
    checkpoint: async () => {
      await tick();
      if (takesNone) throw new PwpError('checkpoint-failed', 'it is traced');
      const id = `good-${stored.length}`;
      stored.push(id);
      return { id };
    },
  };
  const node = {
    kind: 'local',
    checkpointSupport: () => Promise.resolve({ kind: 'live' }),
    image: () => Promise.resolve('image'),
    lifetime: () => Promise.resolve('boot'),
    findCheckpoint: async () => {
      const id = stored.at(-1);
      await tick();
      return id === undefined ? null : { id };
    },
    start: async () => {
      log.push('boot');
      await gate;
      await tick();
      if (failed++ < failures) throw new PwpError('sandbox-failed', 'it does not boot');
      return sandbox;
    },
    fork: async (id: string) => {
      log.push(`restore ${id}`);
      await tick();
      if (id.startsWith('bad')) throw new PwpError('restore-failed', 'it is bad');
      return sandbox;
    },
    // In use by another: it stays.
    deleteCheckpoint: () => Promise.reject(new PwpError('checkpoint-in-use', 'it is in use')),
  };
  // As on a machine with many cores, where only the golden key keeps two from booting at once.
  const options = {
    node: node as unknown as Node,
    cold: false,
    bootMs: 60_000,
    warm: 0,
    turns: new BootTurns(8),
  };
  return { log, start: (signal = never) => new SandboxStarter(options).start(spec, signal) };
}

describe('an initial state that many start from at once', () => {
  const times = [1, 2, 3, 4, 5, 6];

  it('is booted by the first, and restored by the others', async () => {
    const { log, start } = makeUpNode({});
    const started = await Promise.all(times.map(() => start()));
    assert.deepEqual(log, ['boot', ...times.slice(1).map(() => 'restore good-0')]);
    assert.deepEqual(
      started.map(({ from, checkpoint }) => [from, checkpoint]),
      times.map((n) => [n === 1 ? 'cold' : 'golden', 'good-0']),
    );
  });

  it('is booted again by others if the first boot fails', async () => {
    const { start } = makeUpNode({ failures: 1 });
    const ends = await Promise.allSettled(times.map(() => start()));
    assert.deepEqual(
      ends.map(({ status }) => status),
      times.map((n) => (n === 1 ? 'rejected' : 'fulfilled')),
    );
  });

  it('is booted by each if no checkpoint can be taken of it', async () => {
    const { log, start } = makeUpNode({ takesNone: true });
    const started = await Promise.all(times.map(() => start()));
    assert.deepEqual(
      log,
      times.map(() => 'boot'),
    );
    assert.ok(started.every(({ notes }) => notes.join().includes('it is traced')));
  });

  it('is booted once if its checkpoint turns out to be bad, even if that stays', async () => {
    const { log, start } = makeUpNode({ stored: ['bad'] });
    const started = await Promise.all(times.map(() => start()));
    assert.equal(log.filter((line) => line === 'boot').length, 1);
    assert.ok(started.every(({ checkpoint }) => checkpoint === 'good-1'));
    assert.match(started[0]?.notes.join() ?? '', /bad can't be used/);
  });

  it('is not waited for by a caller that gives up', async () => {
    const { promise: gate, resolve } = Promise.withResolvers<void>();
    const { start } = makeUpNode({ gate });
    const first = start();
    const stop = new AbortController();
    const second = start(stop.signal);
    const third = start();
    await tick();
    stop.abort(new Error('enough'));
    await assert.rejects(second, /enough/);
    resolve();
    assert.deepEqual([(await first).from, (await third).from], ['cold', 'golden']);
  });
});

describe('the turns to boot', () => {
  it('are a fixed number at a time', async () => {
    const turns = new BootTurns(2);
    const order: string[] = [];
    const boot = async (name: string) => {
      const turn = await turns.boot(never);
      order.push(name);
      return turn;
    };
    const one = await boot('one');
    const two = await boot('two');
    const [three, four] = [boot('three'), boot('four')];
    await tick();
    assert.deepEqual(order, ['one', 'two']);
    two[Symbol.dispose]();
    two[Symbol.dispose]();
    const third = await three;
    await tick();
    assert.deepEqual(order, ['one', 'two', 'three']);
    one[Symbol.dispose]();
    (await four)[Symbol.dispose]();
    third[Symbol.dispose]();
    assert.deepEqual(order, ['one', 'two', 'three', 'four']);
  });

  it('are not waited for once the signal fires', async () => {
    const turns = new BootTurns(1);
    using first = await turns.boot(never);
    void first;
    const stop = new AbortController();
    const waiting = turns.boot(stop.signal);
    stop.abort(new Error('stopped'));
    await assert.rejects(waiting, /stopped/);
  });
});
