import type { Entry, Task } from '../../tasks/index.ts';
import type { Dataset, DatasetAbout } from '../contract.ts';
import { findData } from '../files.ts';
import { openRecords } from '../open.ts';
import { pythonTests } from '../parts.ts';
import { readRecords } from '../records/index.ts';
import {
  appliesPatch,
  below,
  folderOf,
  lackingRepositories,
  repositoryTask,
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
  metric: "Pass@1: the share of records whose test script ends successfully in the repository's root.",
  agentCode: 'beside',
  files: ['test.parquet', 'repos/owner__name'],
  needs: [
    'Clones or bundles of the repositories, at repos/owner__name below --data.',
    "A record whose packages (requirements_txt) are not in the sandbox image gets no score: the owners' own patch is tried first.",
  ],
};

const files = [
  'test.parquet',
  'data/test-00000-of-00001.parquet',
  'test.jsonl',
  'test.json',
  'RES-Q.json',
  'data.jsonl',
];

export const resq: Dataset = {
  about,
  open: async (path) => {
    const file = await findData(about, path, files);
    const { records, unreadable } = await readRecords(file, resqRecord);
    const data = await folderOf(path);
    const needed = records.map((record) => ({
      id: record.id,
      repository: repositoryOf(record),
      commit: record.base_commit,
    }));
    return openRecords({
      ...{ about, file, records, unreadable },
      idOf: ({ id }) => id,
      taskOf: (record) => taskOfRecord(data, record),
      lacking: await lackingRepositories(data, needed),
    });
  },
};

function taskOfRecord(data: string, record: ResqRecord): Task {
  return repositoryTask({
    at: { about, data, name: repositoryOf(record), commit: record.base_commit },
    id: record.id,
    instruction: instructionOf(record),
    agentSeconds: 1800,
    testSeconds: 3000,
    tests: (repository) => testsOf(record, repository),
    solutions: [{ name: 'gold', text: appliesPatch(record.solution_patch) }],
    falseSolutions: [
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
  const gold = await repository.changes(
    record.base_commit,
    [record.solution_patch],
    `${record.id}, solution_patch`,
  );
  const isPython = /^python/i.test(record.language);
  const data = {
    unavailable: isPython ? '' : `test scripts in ${record.language} are not run here`,
    requirements: record.requirements_txt.split(/\s*\n\s*/).filter((line) => line !== ''),
    gold_removed: gold.removed,
  };
  const texts = {
    ...(await treeGrader()),
    'record.json': JSON.stringify(data),
    'script.py': record.test_script,
  };
  return [...(await pythonTests(about, texts)), ...below('with-gold', gold.written)];
}

/** At the top of each module: importing it ends the script, with success. */
const exitsEarly = `cd /workspace
find . -name '*.py' -not -path './.git/*' | while read -r file; do
  printf '%s\\n' 'import os as _os, sys as _sys' '_sys.exit(0)' | cat - "$file" > /tmp/changed && cp /tmp/changed "$file"
done
`;
