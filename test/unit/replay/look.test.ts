import assert from 'node:assert/strict';
import { excuseLateScreen } from '../../../host/run/replay/compare-state.ts';

const screen = { what: 'screen', pixels: 9, box: { x: 1, y: 2, width: 3, height: 3 } } as const;
const files = { what: 'files', paths: ['/workspace/a'] } as const;

describe('the comparison of a state', () => {
  it('reports differences of screen and files', () => {
    const found = { differences: [screen, files], notCompared: [] };
    assert.deepEqual(excuseLateScreen(found, false), { ...found, notes: [] });
  });

  it('counts a restored screen as the recorded one, and notes what changed since', () => {
    const { differences, notes } = excuseLateScreen({ differences: [screen, files], notCompared: [] }, true);
    assert.deepEqual(differences, [files]);
    assert.deepEqual(notes, [
      'as recorded when it was restored; since then screen: 9 pixels in 3x3 at (1, 2)',
    ]);
  });
});
