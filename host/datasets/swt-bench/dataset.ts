import { join } from 'node:path';
import type { Entry, Task } from '../../tasks/index.ts';
import type { Dataset, DatasetAbout } from '../contract.ts';
import { pythonTests } from '../parts.ts';
import { readData } from '../place.ts';
import {
  appliesPatch,
  below,
  folderOf,
  repositoryTask,
  treeGrader,
  type Repository,
} from '../repository/index.ts';
import { openSweRecords, testFilesOf, whyUnavailable, type SweRecord } from '../swe-bench/index.ts';
import { changedLines } from './lines.ts';

const about: DatasetAbout = {
  name: 'swt-bench',
  title: 'SWT-Bench',
  family: 'Code generation and editing',
  records: 276,
  source: 'princeton-nlp/SWE-bench_Lite on Hugging Face; the filters at logic-star-ai/swt-bench on GitHub',
  licence: 'MIT (code); each repository has its own',
  metric:
    "The mean of six metrics, as PwP-Bench has it: applicability, success (the written tests fail without the owners' fix and pass with it, and no new test fails with it, which is SWT-Bench's own score), F→X, F→P, P→P and the coverage delta. Each is a check.",
  agentCode: 'beside',
  files: ['test.parquet', 'filter_cases_lite.txt', 'repos/owner__name'],
  needs: [
    'Clones or bundles of the repositories, at repos/owner__name below --data.',
    "Tests run here where pytest and the sandbox image's own packages suffice.",
  ],
};

const files = [
  'test.parquet',
  'data/test-00000-of-00001.parquet',
  'test.jsonl',
  'test.json',
  'test.jsonl.gz',
];
const filters = ['filter_cases_lite.txt', 'dataset/filter_cases_lite.txt'];

/** Records of SWE-bench, without those that the owners filter out. */
export const swtBench: Dataset = {
  about,
  open: async (path) => {
    const filtered = await filteredIds(await folderOf(path).catch(() => path));
    const missing = `${filters[0]} is not beside the records: all records are taken, although the owners leave some out`;
    return openSweRecords({
      about,
      files,
      path,
      taskOf: taskOfRecord,
      isIn: ({ instance_id: id }) => !filtered?.has(id),
      notes: filtered ? [] : [missing],
    });
  },
};

/** Undefined where the user does not keep the owners' list beside the records. */
async function filteredIds(data: string): Promise<ReadonlySet<string> | undefined> {
  const read = filters.map((name) => readData(join(data, name)).then(String, () => undefined));
  const texts = (await Promise.all(read)).filter((text) => text !== undefined);
  return texts.length > 0 ? new Set(texts.join('\n').split(/\s+/)) : undefined;
}

function taskOfRecord(data: string, record: SweRecord): Task {
  return repositoryTask({
    at: { about, data, name: record.repo, commit: record.base_commit },
    id: record.instance_id,
    instruction: instructionOf(record),
    testSeconds: 4000,
    tests: (repository) => testsOf(record, repository),
    solutions: [{ name: 'gold', text: appliesPatch(record.test_patch) }],
    falseSolutions: [
      { name: 'always-fails', why: 'Its test fails with the fix, too.', text: writesTest('assert 1 == 2') },
      { name: 'always-passes', why: 'Its test passes without the fix.', text: writesTest('assert 1 == 1') },
    ],
  });
}

function instructionOf(record: SweRecord): string {
  return [
    `The repository ${record.repo} is open in this IDE, in /workspace. A problem of it is reported below. Write tests that reproduce it: they fail as long as the problem is there, and pass once it is solved.`,
    'Add them to the test files of the repository, or write new ones whose names begin with `test_`. Do not solve the problem: changes of the code that has it are left out. The tests that are there should still pass.',
    '',
    'The problem, as it was reported:',
    '',
    record.problem_statement.trim(),
  ].join('\n');
}

async function testsOf(record: SweRecord, repository: Repository): Promise<Entry[]> {
  const { base_commit: base, instance_id: id } = record;
  const tests = await repository.changes(base, [record.test_patch], `${id}, test_patch`);
  const gold = await repository.changes(base, [record.patch], `${id}, patch`);
  const testFiles = testFilesOf(tests);
  const goldPaths = [...gold.written.map(({ path }) => path), ...gold.removed];
  const { removed, added } = changedLines(record.patch);
  const data = {
    unavailable: whyUnavailable(record, testFiles) ?? '',
    test_files: [...testFiles, ...tests.removed],
    tests_removed: tests.removed,
    gold_paths: goldPaths,
    gold_removed: gold.removed,
    traced: goldPaths.filter((path) => path.endsWith('.py')),
    removed_lines: removed,
    added_lines: added,
  };
  const texts = { ...(await treeGrader()), 'record.json': JSON.stringify(data) };
  return [
    ...(await pythonTests(about, texts)),
    ...below('with-tests', tests.written),
    ...below('with-gold', gold.written),
  ];
}

function writesTest(body: string): string {
  return `cd /workspace\nprintf 'def test_problem():\\n    ${body}\\n' > test_of_the_problem.py\n`;
}
