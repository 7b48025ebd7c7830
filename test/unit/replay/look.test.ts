import assert from 'node:assert/strict';
import { lookedAt } from '../../../host/replay/look.ts';

const screen = { what: 'screen', pixels: 9, box: { x: 1, y: 2, width: 3, height: 3 } } as const;
const files = { what: 'files', paths: ['/workspace/a'] } as const;

describe('what a state is found to be', () => {
  it('is another one where screen or files are others', () => {
    const found = { differences: [screen, files], notCompared: [] };
    assert.deepEqual(lookedAt(found, false), { ...found, notes: [] });
  });

  it('is the screen as it was restored, beside what has come since', () => {
    const { differences, notes } = lookedAt({ differences: [screen, files], notCompared: [] }, true);
    assert.deepEqual(differences, [files]);
    assert.deepEqual(notes, [
      'as recorded when it was restored; since then screen: 9 pixels in 3x3 at (1, 2)',
    ]);
  });
});
