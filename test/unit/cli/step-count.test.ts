import assert from 'node:assert/strict';
import { countStep, forgetSteps, readStepCount } from '../../../host/doors/cli/copied-folder.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';

describe('the count of steps from the command line', () => {
  let home: TemporaryFolder;
  const usual = process.env['PWP_HOME'];
  beforeEach(async () => {
    home = await temporaryFolder();
    process.env['PWP_HOME'] = home.path;
  });
  afterEach(async () => {
    if (usual === undefined) delete process.env['PWP_HOME'];
    else process.env['PWP_HOME'] = usual;
    await home[Symbol.asyncDispose]();
  });

  it('continues for each sandbox across processes, until the sandbox is gone', async () => {
    await Promise.all([countStep('one-1'), countStep('one-1'), countStep('two-2')]);
    assert.deepEqual(await Promise.all(['one-1', 'two-2', 'three-3'].map(readStepCount)), [2, 1, 0]);
    await forgetSteps('one-1');
    assert.equal(await readStepCount('one-1'), 0);
  });
});
