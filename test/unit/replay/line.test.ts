import assert from 'node:assert/strict';
import type { Checkpoint } from '../../../host/ide/index.ts';
import { defaultDisplay, defaultLimits } from '../../../host/node/index.ts';
import { type EpisodeHistory, openRecord, readRecord } from '../../../host/run/index.ts';
import { filesAt } from '../../../host/run/record/recorded-state.ts';
import { findPath } from '../../../host/run/replay/episode-path.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { meta, observationOf, plainPng, resetInfo, stepOf, typed } from '../../support/record-fixture.ts';

const key = [typed('xdotool key a', 'confirmed', 'screen changed')];

describe('the path to a step', () => {
  it("is all steps of an episode without branches, with the agent's observation before each", async () => {
    await using made = await branched();
    const { moments, from, first } = findPath(made.history, 2);
    assert.deepEqual([moments.map(({ step }) => step), from], [[1, 2], null]);
    assert.deepEqual(
      moments.map(({ before }) => before.number),
      [1, 2],
    );
    assert.equal(first.observation.number, 1);
  });

  it('leaves out the steps of an abandoned branch, and takes marks from the observation after the restore', async () => {
    await using made = await branched();
    const { moments } = findPath(made.history, 3);
    assert.deepEqual(
      moments.map(({ step, before }) => [step, before.number]),
      [
        [1, 1],
        [3, 4],
      ],
    );
  });

  it('has the live checkpoints taken on it, the last first', async () => {
    await using made = await branched();
    assert.deepEqual(findPath(made.history, 3).saved, [
      { id: 'ck-00000003', step: 3, after: 2 },
      { id: 'ck-00000001', step: 1, after: 1 },
    ]);
  });

  it("has people's acts between the steps, with the state that they left", async () => {
    await using made = await branched();
    const { moments } = findPath(made.history, 4);
    assert.deepEqual(
      moments.map(({ event, step }) => `${event.event} ${step}`),
      ['step 1', 'step 3', 'people 3', 'step 4'],
    );
    assert.equal(moments[2]?.state?.files?.digest, 'by hand');
  });

  it('marks steps during which people had control, so that their observation is mixed', async () => {
    await using folder = await temporaryFolder();
    const png = await plainPng('red');
    const record = await openRecord(folder.path, meta);
    const seen = (number: number) => observationOf(number, png);
    const byHand = [{ action: 'xdotool key b', evidence: 'Ada did it by hand' }];
    await record.reset(seen(1), resetInfo);
    await record.step(seen(2), stepOf(1, key));
    // In the middle of step 2, and given back before its end.
    await record.step(seen(3), stepOf(2, key));
    await record.people(seen(3), byHand);
    await record.state(2, printOf('both', {}), null);
    // In the middle of step 3, and not yet given back at its end.
    await record.step(seen(3), stepOf(3, key));
    await record.people(seen(4), byHand);
    await record.step(seen(5), stepOf(4, key));
    await record.end('finished');
    const { moments } = findPath(await readRecord(folder.path), 4);
    assert.deepEqual(
      moments.map(({ event, step, isMixed, state }) => [event.event, step, isMixed, state?.files?.digest]),
      [
        ['step', 1, false, undefined],
        ['step', 2, true, undefined],
        ['people', 2, false, 'both'],
        ['step', 3, true, undefined],
        ['people', 3, false, undefined],
        ['step', 4, false, undefined],
      ],
    );
  });

  it('begins at a checkpoint of another episode if that was restored', async () => {
    await using made = await branched();
    const { from, moments } = findPath(made.history, 5);
    assert.deepEqual([from, moments.map(({ step }) => step)], ['ck-0000000f', [5]]);
  });

  it('reports a step that does not exist', async () => {
    await using made = await branched();
    assert.throws(() => findPath(made.history, 9), { code: 'usage', message: /has no step 9/ });
  });
});

describe('the files of a recorded state', () => {
  it('are those of the first state with the changes since', async () => {
    await using made = await branched();
    const states = made.history.events.filter((event) => event.event === 'state');
    const [first, second] = states;
    assert.deepEqual(second?.files?.changed, { '/workspace/b': null, '/workspace/c': '3' });
    assert.deepEqual(
      [...(second ? (filesAt(second, first) ?? []) : [])],
      [
        ['/workspace/a', '1'],
        ['/workspace/c', '3'],
      ],
    );
  });
});

/** Steps 1 and 2; back to 1; 3, people, 4; back to a checkpoint of another episode; 5. */
async function branched(): Promise<{ history: EpisodeHistory } & AsyncDisposable> {
  const folder = await temporaryFolder();
  const png = await plainPng('red');
  const record = await openRecord(folder.path, meta);
  let number = 0;
  const seen = () => observationOf((number += 1), png);
  await record.reset(seen(), resetInfo);
  await record.state(0, printOf('start', { '/workspace/a': '1', '/workspace/b': '2' }), null);
  await record.step(seen(), stepOf(1, key));
  await record.state(1, printOf('one', { '/workspace/a': '1', '/workspace/c': '3' }), null);
  await record.checkpoint(checkpointOf(1));
  await record.step(seen(), stepOf(2, key));
  const restore = { step: 1, branch: 1, restoreMs: 1 };
  await record.restore(seen(), { ...restore, checkpoint: 'ck-00000001' });
  await record.step(seen(), stepOf(3, key));
  await record.checkpoint({ ...checkpointOf(3), id: 'ck-disk', kind: 'disk' });
  await record.checkpoint(checkpointOf(3));
  await record.people(seen(), [{ action: 'xdotool key b', evidence: 'Ada did it by hand' }]);
  await record.state(3, printOf('by hand', {}), null);
  await record.step(seen(), stepOf(4, key));
  await record.restore(seen(), { ...restore, checkpoint: 'ck-0000000f', step: null, branch: 2 });
  await record.step(seen(), stepOf(5, key));
  await record.end('finished');
  return {
    history: await readRecord(folder.path),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

function printOf(digest: string, files: Readonly<Record<string, string>>) {
  return { files: { digest, entries: new Map(Object.entries(files)) }, editor: null };
}

function checkpointOf(step: number): Checkpoint {
  return {
    ...{
      id: `ck-0000000${step}`,
      name: null,
      parent: null,
      kind: 'live',
      role: 'ide',
      image: 'i',
      root: null,
      key: null,
    },
    ...{ display: defaultDisplay, limits: defaultLimits, network: { mode: 'no-network' }, origin: null },
    ...{
      workspace: '/workspace',
      kept: false,
      takenAt: '2026-01-01T00:00:00.000Z',
      frozenMs: 580,
      bytes: 1,
      state: 'hot',
      step,
    },
  };
}
