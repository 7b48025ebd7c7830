import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findRecords, proofsMark, recordFiles } from '../../../host/record/index.ts';
import { indexOf } from '../../../host/view/index-of.ts';
import { ViewFolder } from '../../../host/view/folder.ts';
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

    const all = await indexOf(await ViewFolder.open(folder.path));
    assert.deepEqual(
      [all.attempts.map(({ record }) => record), all.problems.map(({ where }) => where)],
      [['runs/2026/a'], ['runs/check-1']],
    );
    const own = await indexOf(await ViewFolder.open(proofs));
    assert.deepEqual([own.attempts.length, own.problems], [1, []]);
  });
});
