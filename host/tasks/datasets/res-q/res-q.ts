import * as z from 'zod';
import { defaultWorkspace } from '../../../../bridge/protocol/index.ts';
import { type ArchiveEntry, moveEntriesBelow, type Task } from '../../format/index.ts';
import {
  type Dataset,
  type DatasetAbout,
  findData,
  openRecords,
  packPythonTests,
  readRecords,
} from '../records/index.ts';
import {
  findLackingRepositories,
  findRepositoriesFolder,
  makePatchScript,
  makeRepositoryTask,
  readTreeGrader,
  type UserRepository,
} from '../repository/index.ts';

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

const fileNames = [
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
    const file = await findData(about, path, fileNames);
    const { records, unreadable } = await readRecords(file, resqRecordSchema);
    const data = await findRepositoriesFolder(path);
    const needed = records.map((record) => ({
      id: record.id,
      repository: readRepositoryName(record),
      commit: record.base_commit,
    }));
    return openRecords({
      ...{ about, file, records, unreadable },
      idOf: ({ id }) => id,
      taskOf: (record) => makeRecordTask(data, record),
      lacking: await findLackingRepositories(data, needed),
    });
  },
};

function makeRecordTask(data: string, record: ResqRecord): Task {
  return makeRepositoryTask({
    at: { about, data, name: readRepositoryName(record), commit: record.base_commit },
    id: record.id,
    instruction: writeInstruction(record),
    agentSeconds: 1800,
    testSeconds: 3000,
    tests: (repository) => packTests(record, repository),
    solutions: [{ name: 'gold', text: makePatchScript(record.solution_patch) }],
    falseSolutions: [
      { name: 'early-exit', why: 'Its modules end the script before it has looked.', text: earlyExitScript },
    ],
  });
}

function writeInstruction(record: ResqRecord): string {
  return [
    `The repository ${readRepositoryName(record)} is open in this IDE, in /workspace. Edit its files as this instruction says:`,
    '',
    record.instruction.trim(),
  ].join('\n');
}

async function packTests(record: ResqRecord, repository: UserRepository): Promise<ArchiveEntry[]> {
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
    ...(await readTreeGrader()),
    'record.json': JSON.stringify(data),
    'script.py': record.test_script,
  };
  return [...(await packPythonTests(about, texts)), ...moveEntriesBelow('with-gold', gold.written)];
}

/** At the top of each module: importing it ends the script, with success. */
const earlyExitScript = `cd ${defaultWorkspace}
find . -name '*.py' -not -path './.git/*' | while read -r file; do
  printf '%s\\n' 'import os as _os, sys as _sys' '_sys.exit(0)' | cat - "$file" > /tmp/changed && cp /tmp/changed "$file"
done
`;

/** As the owners' harness has it. */
const resqRecordSchema = z.looseObject({
  id: z.string().min(1),
  repo_url: z
    .string()
    .regex(/^(?:https?|git|ssh):\/\/[^/]+\/[\w.-]+\/[\w.-]+\/?$/, 'expected the address of a repository'),
  instruction: z.string().min(1),
  base_commit: z.string().regex(/^[0-9a-f]{7,64}$/, 'expected a commit'),
  test_script: z.string().min(1),
  testbed_environment: z.string().describe('e.g. python3.11'),
  requirements_txt: z
    .string()
    .nullish()
    .transform((text) => text ?? ''),
  solution_patch: z.string().min(1),
  language: z.string(),
});

type ResqRecord = z.output<typeof resqRecordSchema>;

/** `owner/name` of its repository. */
function readRepositoryName({ repo_url: url }: ResqRecord): string {
  const [, owner = '', name = ''] = /([^/]+)\/([^/]+?)(?:\.git)?\/?$/.exec(url) ?? [];
  return `${owner}/${name}`;
}
