import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openTemporaryFolder } from '../../../host/lib/index.ts';
import { BackgroundActivity } from '../../../host/node/settle/background-activity.ts';
import {
  type ActivitySlice,
  describeActivity,
  findIdeSessions,
  findLastingActivity,
  idePatienceMs,
  inputAnswerMs,
  listTiles,
  measureProcessUse,
  measureSparedMs,
  mergeActivity,
  type ProcessUse,
  readProcessUse,
  selectNotAwaited,
  selectOngoing,
} from '../../../host/node/settle/lasting-activity.ts';
import { awaitSettled, type SettleSources } from '../../../host/node/settle/settle.ts';

const box = { x: 100, y: 100, width: 20, height: 20 };
const used = (cpuMs: number, own = false) => new Map([['group 7', { cpuMs, name: 'sh', own }]]);
const slice = (cpuMs: number, own = false): ActivitySlice => ({
  ms: 500,
  programs: used(cpuMs, own),
  tiles: new Set(listTiles(box)),
});

function process(pid: number, parent: number, more: Partial<ProcessUse> = {}): ProcessUse {
  return { pid, parent, group: pid, session: pid, name: 'x', cpuMs: 0, waitMs: 0, ...more };
}

describe('activity without input', () => {
  it('is what was busy in every part of a sufficiently long wait', () => {
    const found = findLastingActivity([slice(400), slice(500), slice(450), slice(450)], 9000);
    const [program] = found.programs;
    assert.deepEqual([program?.key, program?.since, program?.patient], ['group 7', 7000, false]);
    assert.equal(program?.share, 0.9);
    assert.deepEqual(found.tiles, listTiles(box));
    assert.deepEqual(describeActivity(found), ['sh (cpu 90 %)', 'drawing at 112,112']);
  });

  it('excludes what paused, and everything if the wait was too short to tell', () => {
    assert.deepEqual(findLastingActivity([slice(400), slice(0), slice(450), slice(450)], 0).programs, []);
    assert.deepEqual(findLastingActivity([slice(400), slice(400), slice(400)], 0).programs, []);
    const still = { ...slice(0), tiles: new Set<number>() };
    assert.deepEqual(findLastingActivity([slice(0), slice(0), still, slice(0)], 0).tiles, []);
  });

  it("does not count the time of an ended job as its shell's", () => {
    const found = findLastingActivity([slice(50), slice(60_000), slice(50), slice(50)], 0);
    assert.equal(found.programs[0]?.share, 0.1);
  });

  it('is waited for longer if the IDE takes a whole core: it may work for the input', () => {
    const found = findLastingActivity(
      [slice(480, true), slice(480, true), slice(480, true), slice(480, true)],
      2000,
    );
    assert.deepEqual(selectNotAwaited(found, 3000).programs, []);
    assert.equal(
      selectNotAwaited(mergeActivity(found, { ...found, tiles: [] }), idePatienceMs).programs.length,
      1,
    );
    const part = findLastingActivity(
      [slice(100, true), slice(100, true), slice(100, true), slice(100, true)],
      2000,
    );
    assert.equal(selectNotAwaited(part, 2000).programs.length, 1);
  });

  it('excuses what programs used before, and not much more', () => {
    const found = findLastingActivity([slice(100), slice(100), slice(100), slice(100)], 0);
    assert.equal(measureSparedMs(found, used(200), 1000), 200);
    assert.equal(measureSparedMs(found, used(900), 1000), 260);
    assert.equal(measureSparedMs(found, new Map(), 1000), 0);
  });

  it('is dropped if it ended before the input', () => {
    const found = findLastingActivity([slice(400), slice(400), slice(400), slice(400)], 0);
    const none = { busy: new Map<string, number>(), drawn: new Set<number>() };
    assert.deepEqual(selectOngoing(found, none), { programs: [], tiles: [] });
    assert.deepEqual(selectOngoing(found, { ...none, busy: new Map([['group 7', 0.3]]) }).programs, []);
    const busy = new Map([['group 7', 0.7]]);
    assert.deepEqual(selectOngoing(found, { ...none, busy }), { ...found, tiles: [] });
    assert.deepEqual(selectOngoing(found, { ...none, drawn: new Set(listTiles(box)) }), {
      ...found,
      programs: [],
    });
  });

  it("distinguishes the IDE's processes from programs in terminals and from those that left them", () => {
    const all = [process(1, 0), process(2, 1), process(3, 2), process(4, 3, { session: 3, group: 3 })];
    const others = [process(5, 4, { group: 6 }), process(6, 4, { session: 5, group: 6 }), process(8, 1)];
    const ide = findIdeSessions([...all, ...others]);
    assert.deepEqual([...ide], [3]);
    const after = [...all, ...others].map((use) => ({ ...use, cpuMs: 10 }));
    const keys = [...measureProcessUse([], after, ide)].map(([key, { cpuMs }]) => `${key}: ${cpuMs}`);
    const expected = ['group 1', 'group 2', 'process 3', 'process 4', 'group 6', 'group 8'];
    assert.deepEqual(
      keys,
      expected.map((key) => `${key}: ${key === 'group 6' ? 20 : 10}`),
    );
  });

  it("is read from each process's usage, without processes that are gone", async () => {
    const [own, ...rest] = await readProcessUse([globalThis.process.pid, 2 ** 22 + 1]);
    assert.deepEqual(rest, []);
    assert.equal(own?.parent, globalThis.process.ppid);
    const stat = await readFile('/proc/self/stat', 'utf8');
    assert.equal(own.group, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]));
    assert(own.cpuMs > 0);
  });
});

describe('settling while a program keeps running', () => {
  const signal = new AbortController().signal;
  const quiet = { quietMs: 9999, pauseMs: 0, busy: [], workbench: true };
  const keys = { capMs: inputAnswerMs + 2700, pointerOnly: false };

  /** A program that takes this share of a core, as long as it is above 0. */
  function sourcesOf(path: string, state: { share: number; drawn: boolean }): SettleSources {
    let [cpu, last] = [0, performance.now()];
    const spent = () => {
      const now = performance.now();
      cpu += (now - last) * state.share;
      last = now;
      return cpu;
    };
    return {
      display: {
        lastDamage: () => (state.drawn ? performance.now() : undefined),
        drawnSince: () => (state.drawn ? [{ at: performance.now(), box }] : []),
      },
      background: new BackgroundActivity(path),
      activity: () => Promise.resolve(quiet),
      work: () => Promise.resolve([]),
      cpuMs: () => Promise.resolve(spent()),
      waitMs: () => Promise.resolve(0),
      processes: () => Promise.resolve([process(7, 1, { name: 'sh', cpuMs: spent() })]),
      now: () => performance.now(),
    };
  }

  it('waits for it once, then names it, and waits again for more activity', async () => {
    await using folder = await openTemporaryFolder('lasting');
    const path = join(folder.path, 'lasting.json');
    const state = { share: 0.5, drawn: true };
    const first = sourcesOf(path, state);
    const look = (sources: SettleSources) => sources.background.look(() => Promise.resolve(sources), signal);
    await look(first);
    const waited = await awaitSettled(keys, first, signal);
    assert.deepEqual([waited.reason, waited.busy], ['cap', ['screen', 'cpu 50 %']]);
    // Another process, which knows the program from the file.
    const second = sourcesOf(path, state);
    await look(second);
    const spared = await awaitSettled(keys, second, signal);
    assert.equal(spared.reason, 'quiet', spared.busy.join());
    assert.match(spared.busy.join(), /^sh \(cpu \d+ %\),drawing at 112,112$/);
    await look(second);
    state.share = 1;
    const more = await awaitSettled({ ...keys, capMs: 900 }, second, signal);
    assert.equal(more.reason, 'cap');
    [state.share, state.drawn] = [0, false];
    await look(second);
    state.share = 0.5;
    const again = await awaitSettled({ ...keys, capMs: 900 }, second, signal);
    assert.deepEqual([again.reason, again.busy], ['cap', ['cpu 50 %']]);
  });
});
