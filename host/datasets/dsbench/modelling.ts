import { dirname, join } from 'node:path';
import { clip } from '../../../bridge/lib/index.ts';
import { madeTask, textEntry, type Entry, type Task } from '../../tasks/index.ts';
import type { OpenDataset } from '../contract.ts';
import { writesEncoded } from '../encoded.ts';
import { badData, noData } from '../errors.ts';
import { openRecords } from '../open.ts';
import { configOf, pythonTests, taskId } from '../parts.ts';
import { about } from './about.ts';
import { competitionOf } from './competitions.ts';
import { filesBelow, firstOf, lackingOf, textOf } from './files.ts';
import { modellingRecord, readEither, type ModellingRecord } from './record.ts';

const submission = 'submission.csv';

/** Competitions: predictions of a column, measured between a baseline and the best that can be. */
export async function openModelling(file: string): Promise<OpenDataset> {
  const { records, unreadable } = await readEither(file, modellingRecord);
  const folder = dirname(file);
  const answer = ({ name }: ModellingRecord) => firstOf(folder, [`data/answers/${name}/test_answer.csv`]);
  return openRecords({
    ...{ about, file, records, unreadable },
    idOf: ({ name }) => name,
    taskOf: (record) => taskOfRecord(folder, record),
    lacking: await lackingOf(records, answer, ({ name }) => [
      name,
      `data/answers/${name}/test_answer.csv is missing`,
    ]),
  });
}

async function taskOfRecord(data: string, record: ModellingRecord): Promise<Task> {
  const { name } = record;
  const description = await needed(data, `data/task/${name}.txt`);
  const answer = await needed(data, `data/answers/${name}/test_answer.csv`);
  return madeTask({
    id: taskId(about, name),
    path: data,
    instruction: instructionOf(description),
    config: configOf(about, { agentSeconds: 3600, testSeconds: 600 }),
    workspace: async () => [textEntry('task.txt', description), ...(await trainingFiles(data, name))],
    tests: await testsOf(data, name, answer),
    solutions: [{ name: 'gold', text: writesEncoded(submission, answer) }],
    falseSolutions: [
      {
        name: 'header',
        why: 'It predicts nothing.',
        text: writesEncoded(submission, answer.split('\n')[0] ?? ''),
      },
    ],
  });
}

function instructionOf(description: string): string {
  return [
    'The folder /workspace has the data of a competition: a file to train with, a file to predict for, and a sample of what to hand in. Build a model, and write its predictions for all rows of the test file, in their order, to /workspace/submission.csv, in the form of the sample.',
    '',
    'The description of the competition, which is also in task.txt:',
    '',
    clip(description.trim(), 20_000),
  ].join('\n');
}

async function testsOf(data: string, name: string, answer: string): Promise<Entry[]> {
  const competition = competitionOf(name);
  const record = competition
    ? {
        unavailable: '',
        ...competition,
        baseline: await recorded(data, 'baseline', name),
        best: await recorded(data, 'GT', name),
      }
    : { unavailable: `${name} is measured by several columns, or by a metric that is not computed here` };
  return pythonTests(
    { name: 'dsbench' },
    { 'record.json': JSON.stringify(record), 'test_answer.csv': answer },
  );
}

/** A performance that the owners recorded. */
async function recorded(data: string, whose: string, name: string): Promise<number> {
  const file = `save_performance/${whose}/${name}/result.txt`;
  const value = Number((await needed(data, file)).trim());
  if (Number.isFinite(value)) return value;
  throw badData(join(data, file), 'expected a number');
}

async function trainingFiles(data: string, name: string): Promise<Entry[]> {
  const files = await filesBelow(join(data, 'data/data_resplit', name));
  if (!files || files.length === 0) throw noData(about, join(data, 'data/data_resplit', name));
  return files;
}

async function needed(data: string, path: string): Promise<string> {
  const text = await textOf(join(data, path));
  if (text !== undefined) return text;
  throw noData(about, join(data, path));
}
