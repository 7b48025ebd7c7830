import { madeTask, scriptThatWrites, textEntry, type Task } from '../../tasks/index.ts';
import type { Dataset, DatasetAbout } from '../contract.ts';
import { findData } from '../files.ts';
import { openRecords } from '../open.ts';
import { configOf, pythonTests, taskId } from '../parts.ts';
import { readRecords } from '../records/index.ts';
import { humanevalRecord, type HumanevalRecord } from './record.ts';

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

const names = ['HumanEval.jsonl.gz', 'HumanEval.jsonl', 'HumanEval.parquet'];
const answer = 'solution.py';

export const humaneval: Dataset = {
  about,
  open: async (path) => {
    const file = await findData(about, path, names);
    return openRecords({
      ...{ about, file, ...(await readRecords(file, humanevalRecord)) },
      idOf: ({ task_id: id }) => id,
      taskOf: (record) => taskOf(file, record),
    });
  },
};

async function taskOf(file: string, record: HumanevalRecord): Promise<Task> {
  const { prompt, canonical_solution: solution, entry_point: name, test } = record;
  const data = {
    'prompt.py': prompt,
    'record.json': JSON.stringify({ entry_point: name, test, canonical_solution: solution }),
  };
  return madeTask({
    id: taskId(about, record.task_id),
    path: file,
    instruction: instructionOf(name),
    config: configOf(about, { open: [answer], knownInside: ['tests/prompt.py'] }),
    workspace: [textEntry(answer, prompt)],
    tests: await pythonTests(about, data),
    solutions: [{ name: 'gold', text: scriptThatWrites({ [answer]: prompt + solution }) }],
    falseSolutions: [
      {
        name: 'wrong',
        why: 'It always returns the same words.',
        text: scriptThatWrites({ [answer]: `${prompt}    return 'not what was asked for'\n` }),
      },
    ],
  });
}

function instructionOf(name: string): string {
  return `The file \`/workspace/${answer}\`, which is open in the editor, has the signature of the Python function \`${name}\` and a docstring that says what it does. Write its body, so that it does that for all arguments, and save the file. Keep the name and the parameters. You may add imports and functions of your own. The function is tested with Python 3 and its standard library.`;
}
