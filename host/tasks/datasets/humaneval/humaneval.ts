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
  name: 'humaneval',
  title: 'HumanEval',
  family: 'Code generation and editing',
  records: 164,
  source: 'https://github.com/openai/human-eval/tree/master/data',
  licence: 'MIT',
  metric: 'share of functions that pass their test, each in a fresh process within 3 s',
  agentCode: 'apart',
  files: ['HumanEval.jsonl.gz'],
  needs: [],
};

const fileNames = ['HumanEval.jsonl.gz', 'HumanEval.jsonl', 'HumanEval.parquet'];
const answerFile = 'solution.py';

export const humaneval: Dataset = {
  about,
  open: async (path) => {
    const file = await findData(about, path, fileNames);
    return openRecords({
      ...{ about, file, ...(await readRecords(file, humanevalRecordSchema)) },
      idOf: ({ task_id: id }) => id,
      taskOf: (record) => makeRecordTask(file, record),
    });
  },
};

async function makeRecordTask(file: string, record: HumanevalRecord): Promise<Task> {
  const { prompt, canonical_solution: solution, entry_point: name, test } = record;
  const data = {
    'prompt.py': prompt,
    'record.json': JSON.stringify({ entry_point: name, test, canonical_solution: solution }),
  };
  return makeTask({
    id: makeTaskId(about, record.task_id),
    path: file,
    instruction: writeInstruction(name),
    config: makeRecordConfig(about, { open: [answerFile], knownInside: ['tests/prompt.py'] }),
    workspace: [makeTextEntry(answerFile, prompt)],
    tests: await packPythonTests(about, data),
    solutions: [{ name: 'gold', text: scriptThatWrites({ [answerFile]: prompt + solution }) }],
    falseSolutions: [
      {
        name: 'wrong',
        why: 'It always returns the same words.',
        text: scriptThatWrites({ [answerFile]: `${prompt}    return 'not what was asked for'\n` }),
      },
    ],
  });
}

function writeInstruction(name: string): string {
  return `The file \`/workspace/${answerFile}\`, which is open in the editor, has the signature of the Python function \`${name}\` and a docstring that says what it does. Write its body, so that it does that for all arguments, and save the file. Keep the name and the parameters. You may add imports and functions of your own. The function is tested with Python 3 and its standard library.`;
}

/** A record as its owners publish it. */
const humanevalRecordSchema = z.object({
  task_id: z.string().min(1).describe('e.g. HumanEval/0'),
  prompt: z.string().min(1).describe('imports, signature and docstring'),
  canonical_solution: z.string().min(1).describe('body of the function'),
  test: z.string().min(1).describe('defines check(candidate)'),
  entry_point: z.string().regex(/^[A-Za-z_]\w*$/, 'expected the name of a function'),
});
type HumanevalRecord = z.output<typeof humanevalRecordSchema>;
