import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ViewFolder } from '../../../host/doors/view/view-folder.ts';
import { readViewIndex } from '../../../host/doors/view/view-index.ts';
import { findRecords, proofsMark, recordFiles } from '../../../host/run/index.ts';
import { temporaryFolder } from '../../support/folder.ts';

describe('records that prove tasks', () => {
  it('are skipped, unless their folder is named', async () => {
    await using folder = await temporaryFolder();
    const [proof, result] = ['runs/check-1/vscode/a/null-1', 'runs/2026/a'].map((path) => folder.file(path));
    assert.ok(proof !== undefined && result !== undefined);
    for (const path of [proof, result]) {
      await mkdir(path, { recursive: true });
      await writeFile(join(path, recordFiles.events), '');
    }
    const proofs = folder.file('runs/check-1');
    await writeFile(join(proofs, proofsMark), '');

    assert.deepEqual(await findRecords(folder.path), [result]);
    assert.deepEqual(await findRecords(proofs), [proof]);

    const all = await readViewIndex(await ViewFolder.open(folder.path));
    assert.deepEqual(
      [all.attempts.map(({ record }) => record), all.problems.map(({ where }) => where)],
      [['runs/2026/a'], ['runs/check-1']],
    );
    const own = await readViewIndex(await ViewFolder.open(proofs));
    assert.deepEqual([own.attempts.length, own.problems], [1, []]);
  });
});
