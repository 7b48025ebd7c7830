import assert from 'node:assert/strict';
import { execa } from 'execa';
import { projectFolder } from '../../support/cli.ts';

describe("the Python package and the owners' clients", () => {
  it('play episodes, each in an environment of its own', async () => {
    const run = execa(process.execPath, ['test/run/python.ts'], {
      ...{ cwd: projectFolder, reject: false, all: true, stdin: 'ignore' },
    });
    const { all, exitCode } = await run;
    const total = /^([1-9]\d*) passed, 0 failed$/m.exec(all);
    assert.ok(exitCode === 0 && total, all.slice(-8000));
  });
});
