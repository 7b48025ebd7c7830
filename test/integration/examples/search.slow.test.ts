import assert from 'node:assert/strict';
import { searchTheme } from '../../../examples/search.ts';
import { readRecord } from '../../../host/run/index.ts';
import { temporaryFolder } from '../../support/folder.ts';

describe('the example of a search', function () {
  this.timeout(300_000);

  it('finds a solution by going back to checkpoints, which the grader accepts', async () => {
    await using folder = await temporaryFolder();
    const found = await searchTheme(folder.path, AbortSignal.timeout(280_000));
    assert.equal(found.reward, 1);
    assert.deepEqual(found.path, [
      'xdotool key ctrl+k && xdotool key ctrl+t',
      "xdotool type 'Solarized Dark'",
      'xdotool key Return',
    ]);
    assert.ok(found.restores > 5);
    const { result, restores, checkpoints } = await readRecord(folder.path);
    assert.deepEqual([result.branches, restores.length], [found.restores, found.restores]);
    assert.ok(checkpoints.length >= 3);
  });
});
