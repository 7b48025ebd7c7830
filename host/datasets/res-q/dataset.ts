import { madeTask, type Entry, type Task } from '../../tasks/index.ts';
import type { Dataset, DatasetAbout } from '../contract.ts';
import { findData } from '../files.ts';
import { openRecords } from '../open.ts';
import { configOf, pythonTests, taskId } from '../parts.ts';
import { readRecords } from '../records/index.ts';
import {
  appliesPatch,
  below,
  folderOf,
  leavesMark,
  openRepository,
  treeGrader,
  type Repository,
} from '../repository/index.ts';
import { repositoryOf, resqRecord, type ResqRecord } from './record.ts';

const about: DatasetAbout = {
  name: 'res-q',
  title: 'RES-Q',
  family: 'Code generation and editing',
  records: 100,
  source: 'Qurrent/RES-Q on Hugging Face',
  licence: 'MIT; each repository has its own',
  metric: "Pass@1: the share of records whose test script comes to its successful end in the repository's root.",
  files: ['test.parquet', 'repos/owner__name'],
  needs: [
    'Clones or bundles of the repositories, at repos/owner__name below --data.',
    "A record whose packages (requirements_txt) are not in the sandbox image gets no score: the owners' own patch is tried first.",
  ],
};

const files = ['test.parquet', 'data/test-00000-of-00001.parquet', 'test.jsonl', 'test.json', 'RES-Q.json', 'data.jsonl'];

export const resq: Dataset = {
  about,
  open: async (path) => {
    const file = await findData(about, path, files);
    const records = await readRecords(file, resqRecord);
    const data = await folderOf(path);
    return openRecords(
      about,
      file,
      records,
      ({ id }) => id,
      (record) => taskOfRecord(data, record),
    );
  },
};

async function taskOfRecord(data: string, record: ResqRecord): Promise<Task> {
  const { base_commit: commit } = record;
  await using repository = await openRepository(about, data, repositoryOf(record), commit);
  const base = await repository.tree(commit);
  return madeTask({
    id: taskId(about, record.id),
    path: data,
    instruction: instructionOf(record),
    config: configOf(about, { testSeconds: 1500, knownInside: ['tests/base'] }),
    workspace: [...base, ...(await repository.gitFolder(commit))],
    tests: [...(await testsOf(record, repository)), ...below('base', base)],
    solutions: [{ name: 'gold', text: appliesPatch(record.solution_patch) }],
    falseSolutions: [
      { name: 'notes', why: 'It changes nothing that the script looks at.', text: leavesMark },
      { name: 'early-exit', why: 'Its modules end the script before it has looked.', text: exitsEarly },
    ],
  });
}

function instructionOf(record: ResqRecord): string {
  return [
    `The repository ${repositoryOf(record)} is open in this IDE, in /workspace. Edit its files as this instruction says:`,
    '',
    record.instruction.trim(),
  ].join('\n');
}

async function testsOf(record: ResqRecord, repository: Repository): Promise<Entry[]> {
  const gold = await repository.changes(record.base_commit, [record.solution_patch], `${record.id}, solution_patch`);
  const isPython = /^python/i.test(record.language);
  const data = {
    unavailable: isPython ? '' : `test scripts in ${record.language} are not run here`,
    requirements: record.requirements_txt.split(/\s*\n\s*/).filter((line) => line !== ''),
    gold_removed: gold.removed,
  };
  const texts = { ...(await treeGrader()), 'record.json': JSON.stringify(data), 'script.py': record.test_script };
  return [...(await pythonTests(about, texts)), ...below('with-gold', gold.written)];
}

/** At the top of each module: whatever the script imports ends it, and well. */
const exitsEarly = `cd /workspace
find . -name '*.py' -not -path './.git/*' | while read -r file; do
  printf '%s\\n' 'import os as _os, sys as _sys' '_sys.exit(0)' | cat - "$file" > /tmp/changed && cp /tmp/changed "$file"
done
`;
