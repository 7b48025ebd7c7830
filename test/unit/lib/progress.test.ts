import assert from 'node:assert/strict';
import { type Progress, scaleProgress } from '../../../host/lib/index.ts';
import { lineProgress } from '../../../host/lib/progress.ts';

describe('progress', () => {
  it('writes a line per stage with the time since the first', () => {
    const lines: string[] = [];
    let now = 5_000;
    const progress = lineProgress(
      (line) => lines.push(line),
      () => now,
    );
    progress.stage('Fetching', 0);
    now += 75_000;
    progress.stage('Compiling', 0.5);
    progress.stage('Compiling', 0.7);
    progress.done();
    assert.deepEqual(lines, ['[0:00] Fetching', '[1:15] Compiling']);
  });

  it('maps the fractions of a part into the whole', () => {
    const seen: [string, number | undefined][] = [];
    const whole: Progress = {
      stage: (name, fraction) => seen.push([name, fraction]),
      done: () => assert.fail(),
    };
    const part = scaleProgress(whole, 0.5, 0.9);
    part.stage('begins', 0);
    part.stage('ends', 1);
    part.stage('somewhere');
    part.done();
    assert.deepEqual(seen, [
      ['begins', 0.5],
      ['ends', 0.9],
      ['somewhere', undefined],
    ]);
  });
});
