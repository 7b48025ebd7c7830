import { join } from 'node:path';
import { defaultWorkspace } from '../../../../bridge/protocol/index.ts';
import { type ArchiveEntry, moveEntriesBelow, type Task } from '../../format/index.ts';
import { type Dataset, type DatasetAbout, packPythonTests, readData } from '../records/index.ts';
import {
  findRepositoriesFolder,
  makePatchScript,
  makeRepositoryTask,
  readTreeGrader,
  type UserRepository,
} from '../repository/index.ts';
import { openSweRecords, type SweRecord } from '../swe-bench/index.ts';
import { explainUnavailableTests, listTestFiles } from './pytest-records.ts';

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

const fileNames = [
  'test.parquet',
  'data/test-00000-of-00001.parquet',
  'test.jsonl',
  'test.json',
  'test.jsonl.gz',
];
const filterFiles = ['filter_cases_lite.txt', 'dataset/filter_cases_lite.txt'];

/** Records of SWE-bench, without those that the owners filter out. */
export const swtBench: Dataset = {
  about,
  open: async (path) => {
    const filtered = await readFilteredIds(await findRepositoriesFolder(path).catch(() => path));
    const missing = `${filterFiles[0]} is not beside the records: all records are taken, although the owners leave some out`;
    return openSweRecords({
      about,
      files: fileNames,
      path,
      taskOf: makeRecordTask,
      isIn: ({ instance_id: id }) => !filtered?.has(id),
      notes: filtered ? [] : [missing],
    });
  },
};

/** Undefined where the user does not keep the owners' list beside the records. */
async function readFilteredIds(data: string): Promise<ReadonlySet<string> | undefined> {
  const read = filterFiles.map((name) => readData(join(data, name)).then(String, () => undefined));
  const texts = (await Promise.all(read)).filter((text) => text !== undefined);
  return texts.length > 0 ? new Set(texts.join('\n').split(/\s+/)) : undefined;
}

function makeRecordTask(data: string, record: SweRecord): Task {
  return makeRepositoryTask({
    at: { about, data, name: record.repo, commit: record.base_commit },
    id: record.instance_id,
    instruction: writeInstruction(record),
    testSeconds: 4000,
    tests: (repository) => packTests(record, repository),
    solutions: [{ name: 'gold', text: makePatchScript(record.test_patch) }],
    falseSolutions: [
      {
        name: 'always-fails',
        why: 'Its test fails with the fix, too.',
        text: makeTestScript('assert 1 == 2'),
      },
      {
        name: 'always-passes',
        why: 'Its test passes without the fix.',
        text: makeTestScript('assert 1 == 1'),
      },
    ],
  });
}

function writeInstruction(record: SweRecord): string {
  return [
    `The repository ${record.repo} is open in this IDE, in /workspace. A problem of it is reported below. Write tests that reproduce it: they fail as long as the problem is there, and pass once it is solved.`,
    'Add them to the test files of the repository, or write new ones whose names begin with `test_`. Do not solve the problem: changes of the code that has it are left out. The tests that are there should still pass.',
    '',
    'The problem, as it was reported:',
    '',
    record.problem_statement.trim(),
  ].join('\n');
}

async function packTests(record: SweRecord, repository: UserRepository): Promise<ArchiveEntry[]> {
  const { base_commit: base, instance_id: id } = record;
  const tests = await repository.changes(base, [record.test_patch], `${id}, test_patch`);
  const gold = await repository.changes(base, [record.patch], `${id}, patch`);
  const testFiles = listTestFiles(tests);
  const goldPaths = [...gold.written.map(({ path }) => path), ...gold.removed];
  const { removed, added } = readPatchLines(record.patch);
  const data = {
    unavailable: explainUnavailableTests(record, testFiles) ?? '',
    test_files: [...testFiles, ...tests.removed],
    tests_removed: tests.removed,
    gold_paths: goldPaths,
    gold_removed: gold.removed,
    traced: goldPaths.filter((path) => path.endsWith('.py')),
    removed_lines: removed,
    added_lines: added,
  };
  const texts = { ...(await readTreeGrader()), 'record.json': JSON.stringify(data) };
  return [
    ...(await packPythonTests(about, texts)),
    ...moveEntriesBelow('with-tests', tests.written),
    ...moveEntriesBelow('with-gold', gold.written),
  ];
}

function makeTestScript(body: string): string {
  return `cd ${defaultWorkspace}\nprintf 'def test_problem():\\n    ${body}\\n' > test_of_the_problem.py\n`;
}

/** Lines of one side of a patch: path and number from 1. */
type PatchLine = readonly [path: string, number: number];

interface PatchLines {
  /** Lines of the files as they were. */
  readonly removed: readonly PatchLine[];
  /** Lines of the files as they are afterwards. */
  readonly added: readonly PatchLine[];
}

/** The lines that a unified diff removes and adds. */
export function readPatchLines(patch: string): PatchLines {
  const removed: PatchLine[] = [];
  const added: PatchLine[] = [];
  let [before, after] = ['', ''];
  let at = { old: 0, now: 0, oldEnd: 0, nowEnd: 0 };
  for (const line of patch.split('\n')) {
    const inHunk = at.old < at.oldEnd || at.now < at.nowEnd;
    if (!inHunk) {
      before = readPatchPath(line, '--- ') ?? before;
      after = readPatchPath(line, '+++ ') ?? after;
      at = readHunk(line) ?? at;
    } else if (line.startsWith('-')) removed.push([before, at.old++]);
    else if (line.startsWith('+')) added.push([after, at.now++]);
    else if (!line.startsWith('\\')) at = { ...at, old: at.old + 1, now: at.now + 1 };
  }
  return { removed, added };
}

function readPatchPath(line: string, mark: string): string | undefined {
  return line.startsWith(mark)
    ? line
        .slice(mark.length)
        .split('\t')[0]
        ?.replace(/^[ab]\//, '')
    : undefined;
}

function readHunk(line: string) {
  const [, old, oldCount = '1', now, nowCount = '1'] =
    /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
  if (old === undefined || now === undefined) return undefined;
  const [from, to] = [Number(old), Number(now)];
  return { old: from, now: to, oldEnd: from + Number(oldCount), nowEnd: to + Number(nowCount) };
}
