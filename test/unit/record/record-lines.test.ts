import assert from 'node:assert/strict';
import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises';
import { openRecord, readExchanges, readRecord, type RecordEvent } from '../../../host/run/index.ts';
import { formatEvent, readHead, RecordLines } from '../../../host/run/record/record-lines.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { attemptFolder, writeMadeUpStudy } from '../../support/made-up-study.ts';
import { grade, meta, observationOf, plainPng, resetInfo, stepOf } from '../../support/record-fixture.ts';

function line(step: number): string {
  const checkpoint = { id: 'x'.repeat((step * 37) % 500), name: null, parent: null, kind: 'live' } as const;
  const event = { event: 'checkpoint', step, checkpoint: { ...checkpoint, frozenMs: 1, bytes: 1 } } as const;
  return `${formatEvent({ at: '2026-01-01T00:00:00.000Z', ms: step, ...event })}\n`;
}

describe('the lines of a growing record', () => {
  let folder: TemporaryFolder;
  before(async () => {
    folder = await temporaryFolder();
  });
  after(() => folder[Symbol.asyncDispose]());

  it('are found once for many simultaneous readers', async () => {
    const path = folder.file('events.jsonl');
    await writeFile(path, line(1));
    const lines = await RecordLines.open(path);
    for (let step = 2; step <= 200; step += 9) {
      const more = Array.from({ length: 9 }, (_, i) => line(step + i)).join('');
      // The end of the last line is written while it is read.
      const half = more.length - 20;
      await appendFile(path, more.slice(0, half));
      const looks = Array.from({ length: 5 }, () => lines.refresh());
      await Promise.all([appendFile(path, more.slice(half)), ...looks]);
      await Promise.all([lines.refresh(), lines.refresh()]);
    }
    const steps = lines.places.map(({ step }) => step);
    assert.deepEqual(
      steps,
      steps.map((_, i) => i + 1),
    );
    assert.deepEqual(
      lines.places.map(({ number }) => number),
      steps,
    );
    for await (const [{ step }, text] of lines.texts(lines.places))
      assert.equal(`${text}\n`, line(step ?? 0));
  });

  it('are those of the file that replaced it', async () => {
    const path = folder.file('other.jsonl');
    await writeFile(path, line(1) + line(2));
    const lines = await RecordLines.open(path);
    await truncate(path, 0);
    await Promise.all([lines.refresh(), lines.refresh()]);
    await appendFile(path, line(7));
    await Promise.all([lines.refresh(), lines.refresh()]);
    assert.deepEqual(
      lines.places.map(({ step }) => step),
      [7],
    );
  });

  it('are found around a line that is longer than a block', async () => {
    const path = folder.file('long.jsonl');
    const long = `${'x'.repeat(9 * 1024 * 1024)}\n`;
    await writeFile(path, line(1) + long + line(2));
    const { places } = await RecordLines.open(path);
    assert.deepEqual(
      places.map(({ kind, step, length }) => [kind, step, length]),
      [
        ['checkpoint', 1, line(1).length - 1],
        [null, null, long.length - 1],
        ['checkpoint', 2, line(2).length - 1],
      ],
    );
  });
});

describe('the head of a line', () => {
  let folder: TemporaryFolder;
  before(async () => {
    folder = await temporaryFolder();
  });
  after(() => folder[Symbol.asyncDispose]());

  const check = (event: RecordEvent) => {
    const step = 'step' in event ? event.step : null;
    const reversed = Object.fromEntries(Object.entries(event).toReversed()) as RecordEvent;
    for (const one of [event, reversed])
      assert.deepEqual(readHead(Buffer.from(formatEvent(one))), { kind: event.event, ms: event.ms, step });
  };

  it('is that of its event, as episodes and tests write it', async () => {
    const record = await openRecord(folder.file('episode'), meta);
    const png = await plainPng('red');
    await record.reset(observationOf(1, png), resetInfo);
    await record.step(observationOf(2, png), stepOf(1, []));
    const back = { checkpoint: 'c', step: 1, branch: 1, restoreMs: 1 };
    await record.restore(observationOf(3, png), back);
    await record.restore(observationOf(4, png), { ...back, step: null });
    await record.state(1, { files: null, editor: null }, png);
    await record.people(observationOf(5, png), []);
    await record.message({ from: 'Ada', text: '\ud83d' });
    await record.grade(grade);
    await record.end('finished');
    const { events } = await readRecord(folder.file('episode'));
    assert.equal(events.length, 10);
    events.forEach(check);
    await writeMadeUpStudy(folder.file('study'), { isOver: ({ number }) => number === 1 });
    const name = { family: 'alpha', task: 8, agent: 'ace', number: 1 } as const;
    (await readRecord(folder.file(`study/${attemptFolder(name)}/try-1`))).events.forEach(check);
  });
});

describe('the lines of a model’s turns', () => {
  it('leave out what the line before has, and are read in full', async () => {
    await using folder = await temporaryFolder();
    const record = await openRecord(folder.path, meta);
    const requests = [
      { model: 'm', messages: ['a'] },
      { model: 'm', messages: ['a', 'b', { c: 1 }] },
      { model: 'm', messages: ['a', 'x'] },
      'no object',
      { model: 'm', messages: ['a', 'x'] },
    ];
    const rest = { url: 'u', status: 200, response: {}, tries: [], dropped: { pictures: 0, turns: 0 } };
    for (const [i, request] of requests.entries())
      await record.exchange(i + 1, { ...rest, request, images: [] });
    assert.match(await readFile(folder.file('exchanges.jsonl'), 'utf8'), /\[\{"as_before":1\},"b",/);
    const read = await readExchanges(folder.path);
    assert.deepEqual(
      read,
      requests.map((request, i) => ({ ...rest, step: i + 1, request })),
    );
    await record.end('cancelled');
  });
});
