import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import type { Picture } from '../../../host/node/index.ts';
import { finishRecord, openRecord, readMarks, readRecord, recordedResult } from '../../../host/run/index.ts';
import { trajectorySchema } from '../../../host/run/record/trajectory-format.ts';
import {
  grade,
  marks,
  meta,
  observationOf,
  plainPng,
  resetInfo,
  stepOf,
  typed,
  usageOf,
} from '../../support/record-fixture.ts';

describe('a record', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pwp-record-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const rejects = (code: string) => (error: unknown) => error instanceof PwpError && error.code === code;

  it('reads back what was written', async () => {
    const red = await plainPng('red');
    const blue = await plainPng('blue');
    const record = await openRecord(folder, meta);
    await record.reset(observationOf(1, red), resetInfo);
    const outcome = typed('xdotool key Return', 'confirmed', 'screen changed', 'x:1 y:2');
    await record.step(observationOf(2, blue), stepOf(1, [outcome]), { message: 'Now Return.' });
    await record.grade(grade);
    const answered = await record.end('finished');
    const history = await readRecord(folder);
    assert.deepEqual(history.start.agent, meta.agent);
    assert.equal(history.reset?.instruction, resetInfo.instruction);
    assert.deepEqual(history.steps[0]?.outcomes, [outcome]);
    assert.equal(history.steps[0]?.turn.message, 'Now Return.');
    assert.deepEqual(history.grade?.checks, grade.checks);
    assert.deepEqual(await readMarks(folder, history.steps[0].observation), marks);
    assert.deepEqual(await readFile(join(folder, 'frames/0001.png')), blue);
    assert.equal(history.result.reward, 1);
    assert.deepEqual(answered, history.result);
    const stored: unknown = JSON.parse(await readFile(join(folder, 'result.json'), 'utf8'));
    assert.deepEqual(
      recordedResult.parse(stored),
      recordedResult.parse(JSON.parse(JSON.stringify(answered))),
    );
  });

  it("keeps the agent's changes as a separate patch, and names it", async () => {
    const text = 'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1,2 @@\n one\n+two\n';
    const files = [{ path: 'a.txt', change: 'changed' as const }];
    const omitted = [{ path: '.git', why: 'git' as const }];
    const record = await openRecord(folder, meta);
    await record.changes({ text, added: 1, removed: 0, files, leadOut: ['a.txt'], omitted });
    await record.grade(grade);
    const { changes } = await record.end('finished');
    assert.deepEqual(changes, { patch: 'changes.patch', files: 1, added: 1, removed: 0 });
    assert.equal(await readFile(join(folder, 'changes.patch'), 'utf8'), text);
    const history = await readRecord(folder);
    assert.deepEqual(
      [history.changes?.paths, history.changes?.leadOut, history.changes?.omitted],
      [files, ['a.txt'], omitted],
    );
  });

  it("says why the agent's changes are unknown, and names at most 1000 files", async () => {
    const record = await openRecord(folder, meta);
    await record.changes({ problem: 'there are too many files' });
    const files = Array.from({ length: 1500 }, (_, i) => ({ path: `${i}`, change: 'added' as const }));
    await record.changes({ text: '', added: 0, removed: 0, files, leadOut: [], omitted: [] });
    const { changes } = await record.end('finished');
    assert.equal(changes?.files, 1500);
    const [unknown, many] = (await readRecord(folder)).events.filter(({ event }) => event === 'changes');
    assert.ok(unknown?.event === 'changes' && many?.event === 'changes');
    assert.deepEqual([unknown.patch, unknown.problem], [null, 'there are too many files']);
    assert.equal(many.paths.length, 1000);
  });

  it("has people's acts between the agent's steps, as a step of the user", async () => {
    const record = await openRecord(folder, meta);
    const png = await plainPng('red');
    await record.reset(observationOf(1, png), resetInfo);
    await record.step(observationOf(2, png), stepOf(1, []));
    const acts = [{ action: 'xdotool key ctrl+s', evidence: 'Ada did it by hand' }];
    const reported = 'Ada had control';
    await record.people(observationOf(3, png, { personChanges: reported }), acts);
    await record.step(observationOf(4, png), stepOf(2, []));
    await record.end('finished');
    const { people } = await readRecord(folder);
    assert.deepEqual(
      people.map(({ changes, acts: did, observation }) => [changes, did, observation.number]),
      [[reported, acts, 3]],
    );
    const { steps } = trajectorySchema.parse(
      JSON.parse(await readFile(join(folder, 'trajectory.json'), 'utf8')),
    );
    assert.deepEqual(
      steps.map(({ source }) => source),
      ['user', 'agent', 'user', 'agent'],
    );
    assert.deepEqual(steps[2]?.extra, { branch: 0, acts });
  });

  it('is private to its owner', async () => {
    const path = join(folder, 'runs/one');
    await (await openRecord(path, meta)).end('finished');
    const mode = async (name: string) => ((await stat(join(path, name))).mode & 0o777).toString(8);
    assert.deepEqual(await Promise.all(['..', '.', 'frames', 'events.jsonl'].map(mode)), [
      '700',
      '700',
      '700',
      '600',
    ]);
  });

  it('records parts without readable marks, events meanwhile, and a dialog in front of everything', async () => {
    const png = await plainPng('red');
    const unread = [{ what: 'preview', why: 'it owes an answer', box: { x: 1, y: 2, width: 3, height: 4 } }];
    const dialog = { type: 'alert', message: 'Sure?', defaultText: '' } as const;
    const record = await openRecord(folder, meta);
    await record.reset(observationOf(1, png), resetInfo);
    await record.step(observationOf(2, png, { unread }), stepOf(1, []));
    await record.step(
      observationOf(3, png, { dialog, marks: [] }),
      stepOf(2, [], { meanwhile: 'saved a.py' }),
    );
    await record.end('finished');
    const { reset, steps } = await readRecord(folder);
    assert.deepEqual([steps[0]?.meanwhile, steps[1]?.meanwhile], [undefined, 'saved a.py']);
    assert.equal(reset?.observation.unread, undefined);
    assert.deepEqual(steps[0]?.observation.unread, unread);
    assert.deepEqual(steps[1]?.observation.dialog, dialog);
  });

  it("keeps pictures of a tool's answer as files, its result as text, and both bounded", async () => {
    const record = await openRecord(folder, meta);
    await record.reset(observationOf(1, await plainPng('red')), resetInfo);
    const png = await plainPng('blue');
    const image = { bytes: png, mime: 'image/png', width: 8, height: 6, title: 'a chart' } as const;
    const given = { path: 'a.txt', content: 'x'.repeat(600_000) };
    const action = { kind: 'tool', name: 'write_file', arguments: given, explanation: 'to try' } as const;
    const output = 'y'.repeat(300_000);
    const outcome = {
      action,
      effect: 'confirmed',
      evidence: 'wrote',
      output,
      result: {},
      images: [image],
    } as const;
    await record.step(observationOf(2, await plainPng('green')), stepOf(1, [outcome]));
    await record.end('finished');
    const [kept] = (await readRecord(folder)).steps[0]?.outcomes ?? [];
    assert.deepEqual(kept?.images, [{ path: 'frames/tool-0001.png', mime: 'image/png', title: 'a chart' }]);
    assert.deepEqual(await readFile(join(folder, 'frames/tool-0001.png')), png);
    assert.match(kept.output ?? '', /^y{200000}… \(100000 characters left out\)$/);
    assert.ok(kept.action.kind === 'tool');
    const { path, content: text } = kept.action.arguments;
    assert.deepEqual([path, String(text).length < 21_000], ['a.txt', true]);
    const { steps } = trajectorySchema.parse(
      JSON.parse(await readFile(join(folder, 'trajectory.json'), 'utf8')),
    );
    const pictures = { type: 'image', source: { media_type: 'image/png', path: 'frames/tool-0001.png' } };
    const content = steps[1]?.observation?.results[0]?.content;
    assert.deepEqual(Array.isArray(content) && content[1], pictures);
  });

  it('records a limit when it is hit again, and the usage at the end', async () => {
    const record = await openRecord(folder, meta);
    await record.reset(observationOf(1, await plainPng('red')), resetInfo);
    await record.usage(usageOf());
    await record.usage(usageOf({ memory: 1, cpu: 40 }));
    await record.usage(usageOf({ memory: 1, cpu: 70 }));
    await record.usage(usageOf({ memory: 3, disk: 1, cpu: 90 }));
    await record.usage(usageOf({ memory: 3, disk: 1, cpu: 99 }), true);
    await record.end('finished');
    const { usages, result } = await readRecord(folder);
    // A sandbox with few cores is throttled all the time: no event, only a figure.
    assert.deepEqual(
      usages.map(({ hit }) => hit),
      [['memory'], ['memory', 'disk'], []],
    );
    assert.deepEqual(result.limitsHit, ['cpu', 'memory', 'disk']);
    assert.deepEqual(result.usage, usageOf({ memory: 3, disk: 1, cpu: 99 }));
  });

  it('keeps an unchanged screen once', async () => {
    const red = await plainPng('red');
    const record = await openRecord(folder, meta);
    await record.reset(observationOf(1, red), resetInfo);
    await record.step(observationOf(2, await plainPng('blue')), stepOf(1, []));
    await record.step(observationOf(3, Uint8Array.from(red)), stepOf(2, []));
    await record.end('step-limit');
    assert.deepEqual((await readdir(join(folder, 'frames'))).sort(), [
      '0000-marks.json',
      '0000.png',
      '0001.png',
    ]);
    const { steps } = await readRecord(folder);
    assert.equal(steps[1]?.observation.screen, 'frames/0000.png');
  });

  it('draws each combination of screen and marks once', async () => {
    let drawn = 0;
    const annotate = (screen: Picture) => Promise.resolve((drawn++, screen));
    const red = await plainPng('red');
    const record = await openRecord(folder, meta, { annotate });
    await record.reset(observationOf(1, red), resetInfo);
    await record.step(observationOf(2, red), stepOf(1, []));
    await record.step(observationOf(3, red, { marks: marks.slice(1) }), stepOf(2, []));
    await record.end('finished');
    const { steps } = await readRecord(folder);
    assert.equal(drawn, 2);
    assert.deepEqual(
      steps.map((step) => step.observation.annotated),
      ['frames/0000-marks.png', 'frames/0002-marks.png'],
    );
  });

  it('keeps everything until a run is killed, even in the middle of a line', async () => {
    const record = await openRecord(folder, meta);
    await record.reset(observationOf(1, await plainPng('red')), resetInfo);
    await record.step(observationOf(2, await plainPng('blue')), stepOf(1, []));
    await record[Symbol.asyncDispose]();
    const events = join(folder, 'events.jsonl');
    await appendFile(events, '{"at":"2026-01-01T00:00:00.000Z","ms":17,"event":"st');
    const history = await readRecord(folder);
    assert.equal(history.steps.length, 1);
    assert.equal(history.result.ended, null);
    assert.equal(history.result.reward, null);
    await finishRecord(folder);
    trajectorySchema.parse(JSON.parse(await readFile(join(folder, 'trajectory.json'), 'utf8')));
  });

  it('never gives a reward after an infrastructure error', async () => {
    const record = await openRecord(folder, meta);
    await record.reset(observationOf(1, await plainPng('red')), resetInfo);
    await record.grade(grade);
    await record.error(
      new PwpError('sandbox-failed', 'X died', { help: 'Look at its log.', cause: new Error('no memory') }),
    );
    const { reward, checks, ended } = await record.end('infrastructure-error', 'X died');
    assert.equal(reward, null);
    assert.deepEqual(checks, []);
    assert.deepEqual(ended, { how: 'infrastructure-error', reason: 'X died' });
    const [error] = (await readRecord(folder)).errors;
    assert.equal(error?.code, 'sandbox-failed');
    assert.equal(error.help, 'Look at its log.');
    assert.deepEqual(error.causes, ['no memory']);
    const forged = { ...(await readRecord(folder)).result, reward: 1 };
    assert.equal(recordedResult.safeParse(forged).success, false);
  });

  it('keeps the order of calls that overlap', async () => {
    const record = await openRecord(folder, meta);
    const service = { name: 'chromium', state: 'starting', restarts: 1 } as const;
    const ready = { ...service, state: 'ready' } as const;
    await Promise.all([record.service(service), record.service(ready), record.service(service)]);
    await record.end('cancelled');
    const states = (await readRecord(folder)).services.map((event) => event.service.state);
    assert.deepEqual(states, ['starting', 'ready', 'starting']);
  });

  it('holds only one episode', async () => {
    const record = await openRecord(folder, meta);
    await record.reset(observationOf(1, await plainPng('red')), resetInfo);
    await assert.rejects(
      record.reset(observationOf(2, await plainPng('red')), resetInfo),
      rejects('record-exists'),
    );
    await assert.rejects(openRecord(folder, meta), rejects('record-exists'));
    await record.end('cancelled');
    await assert.rejects(record.end('finished'), rejects('record-ended'));
  });

  it('names the file, the line and the field of a broken record', async () => {
    const record = await openRecord(folder, meta);
    await record.end('cancelled');
    const events = join(folder, 'events.jsonl');
    await appendFile(events, '{"at":"2026-01-01T00:00:00.000Z","ms":-1,"event":"end","how":"won"}\n');
    await assert.rejects(readRecord(folder), /events\.jsonl:3: [^]*ms[^]*how/);
    await truncate(events);
    await assert.rejects(readRecord(folder), rejects('bad-record'));
    await assert.rejects(readRecord(join(folder, 'frames')), rejects('no-record'));
  });

  it('refuses a record that names a file outside itself', async () => {
    const record = await openRecord(folder, meta);
    await record.reset(observationOf(1, await plainPng('red')), resetInfo);
    await record.end('cancelled');
    const events = join(folder, 'events.jsonl');
    const text = await readFile(events, 'utf8');
    await writeFile(events, text.replace('frames/0000.png', 'frames/../../etc/passwd'));
    await assert.rejects(readRecord(folder), rejects('bad-record'));
  });
});
