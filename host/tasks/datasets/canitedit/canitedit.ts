import * as z from 'zod';
import { makeTask, makeTextEntry, scriptThatWrites, type Task } from '../../format/index.ts';
import {
  type Dataset,
  type DatasetAbout,
  findData,
  makeRecordConfig,
  makeTaskId,
  openRecords,
  packPythonTests,
  readRecords,
} from '../records/index.ts';

const about: DatasetAbout = {
  name: 'canitedit',
  title: 'CanItEdit',
  family: 'Code generation and editing',
  records: 105,
  source: 'https://huggingface.co/datasets/nuprl/CanItEdit',
  licence: 'BSD-3-Clause, with a restriction on training',
  metric: 'share of programs that pass their tests after the edit',
  agentCode: 'beside',
  files: ['data/test-00000-of-00001.parquet'],
  needs: [
    '18 records use pandas, SciPy, Z3, torch and the like: --with charts (docs/languages.md) has all but torch, autograd and vLLM. A record whose own program does not run gets no score',
  ],
};

/** A record as its owners publish it. */
const canItEditRecordSchema = z.object({
  id: z.int().nonnegative(),
  full_name: z.string().min(1).describe('e.g. 10_csv_parser'),
  before: z.string().min(1),
  after: z.string().min(1),
  tests: z.string().min(1).describe('run after the program, in the same file'),
  instruction_descriptive: z.string().min(1),
});
type CanItEditRecord = z.output<typeof canItEditRecordSchema>;

const fileNames = [
  'data/test-00000-of-00001.parquet',
  'test-00000-of-00001.parquet',
  'data.jsonl',
  'data.json',
];
const answerFile = 'main.py';

export const canitedit: Dataset = {
  about,
  open: async (path) => {
    const file = await findData(about, path, fileNames);
    return openRecords({
      ...{ about, file, ...(await readRecords(file, canItEditRecordSchema)) },
      idOf: ({ full_name: id }) => id,
      taskOf: (record) => makeRecordTask(file, record),
    });
  },
};

async function makeRecordTask(file: string, record: CanItEditRecord): Promise<Task> {
  const { before, after, tests } = record;
  return makeTask({
    id: makeTaskId(about, record.full_name),
    path: file,
    instruction: writeInstruction(record),
    config: makeRecordConfig(about, {
      open: [answerFile],
      testSeconds: 180,
      knownInside: ['tests/before.py'],
    }),
    workspace: [makeTextEntry(answerFile, before)],
    tests: await packPythonTests(about, { 'before.py': before, 'after.py': after, 'own-tests.py': tests }),
    solutions: [{ name: 'gold', text: scriptThatWrites({ [answerFile]: after }) }],
    falseSolutions: [
      {
        name: 'wrong',
        why: 'It ends before the tests are run, as if all were well.',
        text: scriptThatWrites({ [answerFile]: `${after}\n\nimport os\nprint('OK')\nos._exit(0)\n` }),
      },
    ],
  });
}

function writeInstruction({ instruction_descriptive: instruction }: CanItEditRecord): string {
  return `Edit the Python program \`/workspace/${answerFile}\`, which is open in the editor, as described below, and save it. Change no more than that. Its tests are run with Python 3.

${instruction}`;
}
