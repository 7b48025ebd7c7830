import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vscodeExecutable } from '../../support/vscode/executable.ts';

describe('the VS Code that tests run in', () => {
  let base: string;
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'pwp-code-'));
    await mkdir(join(base, 'share/code/bin'), { recursive: true });
    await writeFile(join(base, 'share/code/bin/code'), '#!/bin/sh\n');
    await writeFile(join(base, 'share/code/code'), '');
    await symlink(join(base, 'share/code/bin/code'), join(base, 'code'));
  });
  afterEach(() => rm(base, { recursive: true }));

  it('is the replacement unless another one is named', () => {
    assert.match(vscodeExecutable(undefined), /test\/support\/vscode\/code$/);
  });

  it('is the program if its launcher is named', () => {
    assert.equal(vscodeExecutable(join(base, 'code')), join(base, 'share/code/code'));
    assert.equal(vscodeExecutable(join(base, 'share/code/code')), join(base, 'share/code/code'));
  });
});
