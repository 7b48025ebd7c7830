import { basename } from 'node:path';
import type { Entry, Task } from '../../tasks/index.ts';
import type { DatasetAbout } from '../contract.ts';
import { pythonTests } from '../parts.ts';
import { appliesPatch, below, repositoryTask, treeGrader, type Repository } from '../repository/index.ts';
import { instructionOf } from './instruction.ts';
import { picturesOf } from './pictures.ts';
import type { SweRecord } from './record.ts';
import { whyUnavailable } from './runner.ts';
import { testFilesOf } from './test-files.ts';

export async function taskOfRecord(about: DatasetAbout, data: string, record: SweRecord): Promise<Task> {
  const pictures = await picturesOf(data, record.instance_id);
  return repositoryTask({
    at: { about, data, name: record.repo, commit: record.base_commit },
    id: record.instance_id,
    instruction: instructionOf(
      record,
      pictures.map(({ path }) => basename(path)),
    ),
    testSeconds: 2400,
    home: pictures,
    tests: (repository) => testsOf(record, repository),
    solutions: [{ name: 'gold', text: appliesPatch(record.patch) }],
    falseSolutions: [
      { name: 'all-pass', why: 'It has the test runner report every test as passed.', text: forgesPasses },
    ],
  });
}

async function testsOf(record: SweRecord, repository: Repository): Promise<Entry[]> {
  const { base_commit: base } = record;
  const tests = await repository.changes(base, [record.test_patch], `${record.instance_id}, test_patch`);
  const gold = await repository.changes(base, [record.patch], `${record.instance_id}, patch`);
  const files = testFilesOf(tests);
  const data = {
    name: record.instance_id,
    unavailable: whyUnavailable(record, files) ?? '',
    FAIL_TO_PASS: record.FAIL_TO_PASS,
    PASS_TO_PASS: record.PASS_TO_PASS,
    test_files: files,
    tests_removed: tests.removed,
    gold_paths: [...gold.written.map(({ path }) => path), ...gold.removed],
    gold_removed: gold.removed,
  };
  const grader = await treeGrader();
  return [
    ...(await pythonTests({ name: 'swe-bench' }, { ...grader, 'record.json': JSON.stringify(data) })),
    ...below('with-tests', tests.written),
    ...below('with-gold', gold.written),
  ];
}

const forgesPasses = `cd /workspace
cat >> conftest.py <<'END'


def pytest_runtest_logreport(report):
    report.outcome = "passed"
END
`;
