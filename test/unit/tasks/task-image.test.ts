import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { makeSandboxSpec } from '../../../host/run/environment/environment-options.ts';
import { chooseImage, chooseTasks, isImageTask, type Task } from '../../../host/tasks/index.ts';
import { temporaryFolder } from '../../support/folder.ts';

const record = {
  repo: 'pwp/ledger',
  instance_id: 'pwp__ledger-1',
  base_commit: 'abc1234',
  patch: 'diff --git a/a b/a\n',
  test_patch: 'diff',
  problem_statement: 'The balance ignores the sign.',
  FAIL_TO_PASS: ['tests/test_book.py::test_spending'],
  PASS_TO_PASS: [],
};
const gradable = { eval_script: 'true', eval_type: 'pass_and_fail', log_parser: 'parse_log_pytest' };
const image = 'pwp/sweb.eval.x86_64.pwp_1776_ledger-1:latest';
const root = { image, digest: `sha256:${'a'.repeat(64)}`, workspace: '/elsewhere', home: '/root' };

async function openRecord(fields: object) {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('test.json'), JSON.stringify([{ ...record, ...fields }]));
  return await chooseTasks({ names: ['swe-bench-verified'], data: folder.file('test.json') });
}

async function openTask(fields: object): Promise<Task> {
  const { tasks } = await openRecord(fields);
  assert.ok(tasks[0]);
  return tasks[0];
}

describe('the image of a task', () => {
  it('is its own, another one, or none', async () => {
    const task = await openTask({ ...gradable, image });
    assert.equal(chooseImage(task), image);
    assert.equal(chooseImage(task, 'none'), undefined);
    assert.equal(chooseImage(task, '/roots/{id}'), '/roots/pwp__ledger-1');
  });

  it('of a record of SWE-bench has its workspace, so that no clone is needed', async () => {
    const { inImage } = await openTask({ ...gradable, image });
    assert.ok(inImage && isImageTask(inImage));
    const spec = await makeSandboxSpec(inImage, { root });
    assert.equal(spec.workspace, '/testbed');
    assert.deepEqual(
      spec.seeds.map(({ path }) => path),
      ['/ide'],
    );
    assert.match((await inImage.solutions())[0]?.text ?? '', /base64 -d \| git apply/);
  });

  it('is missing for records that have no image or no script: they need a clone', async () => {
    for (const fields of [gradable, { image }, { ...gradable, image: null }])
      await assert.rejects(openRecord(fields), {
        code: 'no-data',
        message: /pwp__ledger-1: the repository pwp\/ledger, a clone or bundle of it/,
      });
  });
});
