import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Checkpoint } from '../../../host/ide/index.ts';
import { defaultDisplay, defaultLimits } from '../../../host/node/index.ts';
import { loadReport } from '../../../host/read/report/report-data.ts';
import { renderReport } from '../../../host/doors/report/write-report.ts';
import { openRecord, readRecord } from '../../../host/run/index.ts';
import { trajectorySchema } from '../../../host/run/record/trajectory-format.ts';
import {
  grade,
  meta,
  observationOf,
  plainPng,
  resetInfo,
  stepOf,
  typed,
} from '../../support/record-fixture.ts';

const checkpoint: Checkpoint = {
  id: 'ck-00000001',
  name: 'before the edit',
  parent: null,
  kind: 'live',
  role: 'ide',
  image: 'i',
  root: null,
  key: null,
  display: defaultDisplay,
  limits: defaultLimits,
  network: { mode: 'no-network' },
  workspace: '/workspace',
  origin: null,
  kept: false,
  takenAt: '2026-01-01T00:00:00.000Z',
  frozenMs: 580,
  bytes: 600_000_000,
  state: 'hot',
  step: 1,
};

describe('a record with branches', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pwp-branches-'));
    const [red, blue] = await Promise.all([plainPng('red'), plainPng('blue')]);
    const key = [typed('xdotool key a', 'confirmed', 'screen changed')];
    const forkedFrom = { session: 'another', checkpoint: 'ck-00000000', step: 4 };
    const record = await openRecord(folder, { ...meta, forkedFrom });
    await record.reset(observationOf(1, red), { ...resetInfo, from: 'fork', checkpoint: 'ck-00000000' });
    await record.step(observationOf(2, red), stepOf(1, key));
    await record.checkpoint(checkpoint);
    await record.step(observationOf(3, blue), stepOf(2, key));
    const info = { checkpoint: checkpoint.id, step: 1, branch: 1, restoreMs: 900 };
    await record.restore(observationOf(4, red), info);
    await record.step(observationOf(5, blue), stepOf(3, key));
    await record.restore(observationOf(6, red), {
      ...info,
      checkpoint: 'ck-0000000f',
      step: null,
      branch: 2,
    });
    await record.grade(grade);
    await record.end('finished');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('keeps events in chronological order', async () => {
    const { course, checkpoints, result, start, reset } = await readRecord(folder);
    assert.deepEqual(
      course.map((event) =>
        event.event === 'restore' ? `branch ${event.branch}` : event.event === 'step' && event.step,
      ),
      [1, 2, 'branch 1', 3, 'branch 2'],
    );
    assert.deepEqual([checkpoints[0]?.step, checkpoints[0]?.checkpoint.name], [1, 'before the edit']);
    assert.deepEqual([result.steps, result.branches, result.forkedFrom], [3, 2, start.forkedFrom]);
    assert.equal(reset?.from, 'fork');
  });

  it('is a valid trajectory whose branches follow one another', async () => {
    const text = await readFile(join(folder, 'trajectory.json'), 'utf8');
    const { steps, extra } = trajectorySchema.parse(JSON.parse(text));
    assert.deepEqual(
      steps.map(({ source, extra: more }) => [source, more?.['branch'] ?? null]),
      [
        ['user', null],
        ['agent', 0],
        ['agent', 0],
        ['system', 1],
        ['agent', 1],
        ['system', 2],
      ],
    );
    assert.match(JSON.stringify(steps[3]?.message), /ck-00000001, as it was after step 1/);
    assert.deepEqual(extra?.['forked_from'], { session: 'another', checkpoint: 'ck-00000000', step: 4 });
  });

  it('shows in the report where each branch began', async () => {
    const html = await renderReport(await loadReport(folder));
    for (const text of ['Back to step 1', 'Back to ck-0000000f', 'id="branch-2"', '2 besides the first']) {
      assert.ok(html.includes(text), text);
    }
  });
});
