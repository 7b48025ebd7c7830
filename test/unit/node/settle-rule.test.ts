import assert from 'node:assert/strict';
import { BackgroundActivity } from '../../../host/node/settle/background-activity.ts';
import {
  awaitSettled,
  listBusyInside,
  listBusyOutside,
  listLastingInside,
  type OutsideLook,
  progressBarPatienceMs,
  silentWorkPatienceMs,
} from '../../../host/node/settle/settle.ts';

const start = 1000;

/** Looks at a sandbox at rest every 50 ms, each with the test's changes. */
function looks(
  untilMs: number,
  change: (sinceMs: number) => Partial<OutsideLook> = () => ({}),
): OutsideLook[] {
  const list: OutsideLook[] = [];
  for (let since = 0; since <= untilMs; since += 50) {
    list.push({
      at: start + since,
      lastDamage: undefined,
      cpuMs: since * 0.02,
      waitMs: since * 0.1,
      ...change(since),
    });
  }
  return list;
}

const keys = { pointerOnly: false };
const pointer = { pointerOnly: true };

describe('the rule of settling', () => {
  it('gives keys 250 ms and pointer motion 600 ms to change anything', () => {
    assert.deepEqual(listBusyOutside(looks(200), start, keys), ['screen']);
    assert.deepEqual(listBusyOutside(looks(250), start, keys), []);
    assert.deepEqual(listBusyOutside(looks(550), start, pointer), ['screen']);
    assert.deepEqual(listBusyOutside(looks(600), start, pointer), []);
  });

  it('waits 100 ms after the last drawing, and no grace once something was drawn', () => {
    const drawn = (at: number) => () => ({ lastDamage: start + at });
    assert.deepEqual(listBusyOutside(looks(200, drawn(150)), start, keys), ['screen']);
    assert.deepEqual(listBusyOutside(looks(250, drawn(150)), start, pointer), []);
  });

  it('ignores a drawing before the start', () => {
    const before = looks(200, () => ({ lastDamage: start - 300 }));
    assert.deepEqual(listBusyOutside(before, start, keys), ['screen']);
  });

  it('waits for the processes, over a window of 150 ms', () => {
    const working = looks(300, (since) => ({ cpuMs: since * 0.38 }));
    assert.deepEqual(listBusyOutside(working, start, keys), ['cpu 38 %']);
    const early = looks(300, (since) => ({ cpuMs: Math.min(since, 50) }));
    assert.deepEqual(listBusyOutside(early, start, keys), []);
    const quick = looks(120, () => ({ lastDamage: start }));
    assert.deepEqual(listBusyOutside(quick, start, keys), ['cpu']);
  });

  it('waits for processes that get no processor time', () => {
    const starved = looks(300, (since) => ({ cpuMs: Math.min(since, 100), waitMs: since }));
    assert.deepEqual(listBusyOutside(starved, start, keys), ['waits for a cpu']);
    const served = looks(400, (since) => ({ waitMs: Math.min(since, 250) }));
    assert.deepEqual(listBusyOutside(served, start, keys), []);
  });

  it('is busy before the first look', () => {
    assert.deepEqual(listBusyOutside([], start, keys), ['screen']);
  });

  const page = { quietMs: 5000, pauseMs: 0, busy: [], workbench: true };
  const bar = (ageMs: number) => ({ what: 'progress bar', ageMs });

  it('waits for the DOM, for progress bars, and for a page that does not answer', () => {
    assert.deepEqual(listBusyInside(page, 4000), []);
    assert.deepEqual(listBusyInside({ ...page, quietMs: 60 }, 4000), ['dom']);
    assert.deepEqual(listBusyInside({ ...page, pauseMs: 120 }, 4000), ['timer']);
    assert.deepEqual(listBusyInside({ ...page, busy: [bar(9999)] }, 4000), ['progress bar']);
    assert.deepEqual(listBusyInside(undefined, 4000), ['dom']);
  });

  it('does not wait for a long-lasting progress bar, but waits again after enough time', () => {
    const late = { ...page, busy: [bar(progressBarPatienceMs)] };
    assert.deepEqual([listBusyInside(late, 4000), listLastingInside(late, 4000)], [[], ['progress bar']]);
    assert.deepEqual([listBusyInside(late, 20_000), listLastingInside(late, 20_000)], [['progress bar'], []]);
  });
});

describe('settling', () => {
  const quiet = { quietMs: 9999, pauseMs: 0, busy: [], workbench: true };
  const display = { lastDamage: () => undefined, drawnSince: () => [] };
  const [waitMs, processes] = [() => Promise.resolve(0), () => Promise.resolve([])];
  const background = new BackgroundActivity('/nowhere/lasting.json');
  const rest = { waitMs, processes, background, now: () => performance.now() };
  const cpuMs = () => Promise.resolve(0);
  const work = () => Promise.resolve([]);
  const never = new AbortController().signal;

  it('ends when all is at rest', async () => {
    const sources = { ...rest, display, work, cpuMs, activity: () => Promise.resolve(quiet) };
    const settled = await awaitSettled({ capMs: 60_000, pointerOnly: false }, sources, never);
    assert.equal(settled.reason, 'quiet');
    assert.deepEqual(settled.busy, []);
  });

  it('treats a failing page as busy, and says so at the cap', async () => {
    const sources = {
      ...rest,
      display,
      work,
      cpuMs,
      activity: () => Promise.reject(new Error('the page is reloading')),
    };
    const settled = await awaitSettled({ capMs: 300, pointerOnly: false }, sources, never);
    assert.equal(settled.reason, 'cap');
    assert.deepEqual(settled.busy, ['dom']);
  });

  it('does not wait past the cap for a page that never answers', async () => {
    const sources = { ...rest, display, work, cpuMs, activity: () => new Promise<never>(() => undefined) };
    const settled = await awaitSettled({ capMs: 300, pointerOnly: false }, sources, never);
    assert.equal(settled.reason, 'cap');
  });

  it('asks the page only when everything outside is quiet', async () => {
    let asked = 0;
    const activity = () =>
      Promise.resolve({ ...quiet, quietMs: 0, busy: [{ what: `question ${++asked}`, ageMs: 0 }] });
    const working = { ...rest, display, work, activity, cpuMs: () => Promise.resolve(performance.now()) };
    const settled = await awaitSettled({ capMs: 400, pointerOnly: false }, working, never);
    assert.deepEqual(settled.busy, ['cpu 100 %']);
    assert.equal(asked, 0);
  });

  it('waits for silent work, but not for work that lasts', async () => {
    const began = performance.now();
    const running = (untilMs: number) => () => {
      const ageMs = performance.now() - began;
      return Promise.resolve(ageMs < untilMs ? [{ what: 'command sleep 1', ageMs }] : []);
    };
    const sources = { ...rest, display, cpuMs, activity: () => Promise.resolve(quiet) };
    const ended = await awaitSettled(
      { capMs: 60_000, pointerOnly: false },
      { ...sources, work: running(600) },
      never,
    );
    assert.equal(ended.reason, 'quiet');
    assert(ended.ms >= 500, `${ended.ms} ms`);
    const old = () => Promise.resolve([{ what: 'command npm start', ageMs: silentWorkPatienceMs + 1 }]);
    const server = await awaitSettled(
      { capMs: 60_000, pointerOnly: false },
      { ...sources, work: old },
      never,
    );
    assert.equal(server.reason, 'quiet');
    const young = () => Promise.resolve([{ what: 'task build', ageMs: 10 }]);
    const capped = await awaitSettled({ capMs: 300, pointerOnly: false }, { ...sources, work: young }, never);
    assert.deepEqual([capped.reason, capped.busy], ['cap', ['task build']]);
  });

  it("ignores an IDE that can't be asked", async () => {
    const dead = () => Promise.reject(new Error('the window is gone'));
    const sources = { ...rest, display, cpuMs, activity: () => Promise.resolve(quiet), work: dead };
    const settled = await awaitSettled({ capMs: 60_000, pointerOnly: false }, sources, never);
    assert.equal(settled.reason, 'quiet');
  });

  it('treats an IDE that answers late as busy', async () => {
    const late = () => new Promise<never>(() => undefined);
    const sources = { ...rest, display, cpuMs, activity: () => Promise.resolve(quiet), work: late };
    const settled = await awaitSettled({ capMs: 300, pointerOnly: false }, sources, never);
    assert.deepEqual([settled.reason, settled.busy], ['cap', ['extension host']]);
  });

  it("ends with its signal's reason", async () => {
    const stop = new AbortController();
    const sources = {
      ...rest,
      display,
      work,
      cpuMs,
      activity: () => Promise.resolve({ ...quiet, quietMs: 0 }),
    };
    const settling = awaitSettled({ capMs: 60_000, pointerOnly: false }, sources, stop.signal);
    stop.abort(new Error('enough'));
    await assert.rejects(settling, /enough/);
  });
});
