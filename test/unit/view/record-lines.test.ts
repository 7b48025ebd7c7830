import assert from 'node:assert/strict';
import { appendFile, truncate, writeFile } from 'node:fs/promises';
import { RecordLines } from '../../../host/doors/view/record-lines.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';

function line(step: number): string {
  const words = 'x'.repeat((step * 37) % 500);
  return `{"at":"2026-01-01T00:00:00.000Z","ms":${step},"event":"step","step":${step},"words":"${words}"}\n`;
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
    const steps = lines.places.map((place) => Number(place.step));
    assert.deepEqual(
      steps,
      steps.map((_, i) => i + 1),
    );
    assert.deepEqual(
      lines.places.map(({ number }) => number),
      steps,
    );
    for await (const [place, text] of lines.texts(lines.places))
      assert.equal(`${text}\n`, line(Number(place.step)));
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
      ['7'],
    );
  });
});
