import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { writeIndex, writeReport } from '../../../host/doors/report/index.ts';
import { openRecord, placeInStudy, readRecord, readStudy, streamRecord } from '../../../host/run/index.ts';
import { readResult } from '../../../host/run/record/episode-record.ts';
import { compareScreen } from '../../../host/run/replay/compare-state.ts';
import { meta, observationOf, plainPng, resetInfo } from '../../support/record-fixture.ts';
import { ground, type Ground, withstand } from './attack.ts';

const on = "another user's record";

describe("another user's record", () => {
  const lay = async (at: Ground): Promise<string> => {
    const folder = join(at.path, 'record');
    const record = await openRecord(folder, meta);
    await record.reset(observationOf(1, await plainPng('red')), resetInfo);
    const files = [{ path: 'a', change: 'changed' as const }];
    await record.changes({ text: '+a\n', added: 1, removed: 0, files, leadOut: [], omitted: [] });
    await record.end('finished');
    return folder;
  };
  const screenOf = async (folder: string) => (await readRecord(folder)).reset?.observation.screen ?? '';
  const report = async (folder: string) => readFile(await writeReport(folder), 'utf8');

  const attack = (
    what: string,
    change: (at: Ground, folder: string) => Promise<unknown>,
    read: (folder: string) => Promise<unknown>,
    expected?: 'harmless',
  ) =>
    it(`does no harm if ${what}`, async () => {
      await using at = await ground();
      const folder = await lay(at);
      await change(at, folder);
      await withstand(on, what, () => read(folder), expected);
    });

  attack(
    'changes.patch is a link to a file of the host',
    (at) => at.link('record/changes.patch', join(at.outside, 'secret')),
    report,
    'harmless',
  );
  attack('changes.patch is a pipe', (at) => at.pipe('record/changes.patch'), report, 'harmless');
  attack('events.jsonl is a pipe', (at) => at.pipe('record/events.jsonl'), report);
  attack(
    'events.jsonl is a link to a file of the host',
    (at) => at.link('record/events.jsonl', join(at.outside, 'secret')),
    report,
  );
  attack('result.json is a pipe', (at) => at.pipe('record/result.json'), readResult, 'harmless');
  attack('frames is a link to a folder of the host', (at) => at.link('record/frames', at.outside), report);
  const streamed = async (folder: string) => {
    const lines: unknown[] = [];
    for await (const line of streamRecord(folder)) lines.push(line);
    return lines;
  };
  attack('a stream of its events would be a pipe', (at) => at.pipe('record/events.jsonl'), streamed);

  const pictures: Record<string, (png: Uint8Array) => Promise<Uint8Array>> = {
    'is not a picture': () => Promise.resolve(Buffer.from('no picture')),
    'is empty': () => Promise.resolve(Buffer.alloc(0)),
    'is cut off': (png) => Promise.resolve(png.subarray(0, 50)),
    'claims four billion pixels': (png) => {
      const bytes = Buffer.from(png);
      bytes.writeUInt32BE(65_535, 16);
      bytes.writeUInt32BE(65_535, 20);
      return Promise.resolve(bytes);
    },
    'unpacks to more pixels than any screen': () =>
      sharp({ create: { width: 6500, height: 6500, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
    'is a program that names a file of the host': () =>
      Promise.resolve(
        Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="/etc/passwd"/></svg>'),
      ),
  };
  for (const [what, make] of Object.entries(pictures)) {
    const put = async (at: Ground, folder: string) => {
      const name = join('record', await screenOf(folder));
      await at.folder.write({ [name]: await make(await plainPng('red')) });
    };
    attack(`a frame ${what}`, put, report);
    attack(`a frame that is replayed ${what}`, put, async (folder) => {
      const { reset } = await readRecord(folder);
      if (!reset) return;
      const { observation } = reset;
      await compareScreen(
        { folder, observation, state: null, firstState: undefined },
        await plainPng('blue'),
      );
    });
  }
  attack('a frame is a pipe', async (at, folder) => at.pipe(join('record', await screenOf(folder))), report);
  attack(
    'an event names a frame outside it',
    async (at, folder) => {
      const screen = await screenOf(folder);
      const text = await readFile(join(folder, 'events.jsonl'), 'utf8');
      await at.folder.write({ 'record/events.jsonl': text.replace(screen, '../../outside/secret.png') });
    },
    report,
  );
  attack(
    'a record in a list of many has a bad picture',
    async (at, folder) => at.folder.write({ [join('record', await screenOf(folder))]: 'no picture' }),
    (folder) => writeIndex(join(folder, '..')),
    'harmless',
  );
  attack(
    'one of its lines is nested too deeply',
    (_, folder) => appendFile(join(folder, 'events.jsonl'), `${'['.repeat(200_000)}\n`),
    report,
  );
});

describe("another user's study", () => {
  it('does no harm if its files are pipes or links', async () => {
    await using at = await ground({ 'study/attempts/t/a/1/x': '' });
    await at.pipe('study/attempts/t/a/1/attempt.json');
    await at.link('study/study.json', join(at.outside, 'secret'));
    const read = async () => {
      const study = await readStudy(join(at.path, 'study'));
      const found: unknown[] = [study.problems];
      for await (const attempt of study.attempts()) found.push(attempt);
      return found;
    };
    await withstand("another user's study", 'attempt.json is a pipe, study.json a link', read, 'harmless');
    const place = () => placeInStudy(join(at.path, 'study/attempts/t/a/1/try-1'));
    await withstand("another user's study", 'the place of a record is asked for', place, 'harmless');
  });
});
