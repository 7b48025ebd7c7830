import { dirname, join } from 'node:path';
import { madeTask, scriptThatWrites, type Entry, type Task } from '../../tasks/index.ts';
import type { OpenDataset } from '../contract.ts';
import { noData } from '../errors.ts';
import { openRecords } from '../open.ts';
import { configOf, pythonTests, taskId } from '../parts.ts';
import { about } from './about.ts';
import { filesBelow, firstOf, lackingOf } from './files.ts';
import { analysisRecord, readEither, type AnalysisRecord } from './record.ts';

const places = ['data', 'processed_data', 'DSBench/processed_data'];

/** Challenges of questions on files. Those without a question are left out, as the owners do. */
export async function openAnalysis(file: string): Promise<OpenDataset> {
  const { records, unreadable } = await readEither(file, analysisRecord);
  const asked = records.filter(({ questions }) => questions.length > 0);
  const folder = dirname(file);
  return openRecords({
    ...{ about, file, records: asked, unreadable },
    idOf: ({ id }) => id,
    taskOf: (record) => taskOfRecord(folder, record),
    lacking: await lackingOf(
      asked,
      ({ id }) => placeOf(folder, id),
      ({ id }) => [id, `data/${id}/ is missing`],
    ),
  });
}

function placeOf(data: string, id: string): Promise<string | undefined> {
  return firstOf(
    data,
    places.map((folder) => `${folder}/${id}`),
  );
}

async function taskOfRecord(data: string, record: AnalysisRecord): Promise<Task> {
  const answers = Object.fromEntries(record.questions.map((name, index) => [name, record.answers[index]]));
  const wrong = (text: string) => Object.fromEntries(record.questions.map((name) => [name, text]));
  return madeTask({
    id: taskId(about, record.id),
    path: data,
    instruction: instructionOf(record),
    config: configOf(about),
    workspace: () => workspaceOf(data, record),
    tests: await pythonTests(
      { name: 'dsbench' },
      { 'record.json': JSON.stringify({ unavailable: '', answers }) },
    ),
    solutions: [{ name: 'gold', text: inWorkspace(answers) }],
    falseSolutions: [
      { name: 'no-idea', why: 'It answers no question.', text: inWorkspace(wrong('no idea')) },
      {
        name: 'all-choices',
        why: 'It names all choices.',
        text: inWorkspace(wrong('A, B, C, D, E, F, G, H, I')),
      },
    ],
  });
}

function inWorkspace(answers: object): string {
  return `cd /workspace\n${scriptThatWrites({ 'answers.json': JSON.stringify(answers) })}`;
}

function instructionOf({ name, questions }: AnalysisRecord): string {
  const form = JSON.stringify(
    Object.fromEntries(questions.slice(0, 2).map((question) => [question, 'your answer'])),
  );
  return [
    `The folder /workspace has the files of the challenge "${name}": begin with introduction.txt. Its questions are the files ${questions.map((question) => `${question}.txt`).join(', ')}.`,
    `Answer all of them in /workspace/answers.json, an object of answers by question, such as ${form}.`,
    'Where a question has choices, answer with the letter alone; else with the value alone, with its unit where the question has one; where it asks for several named values, with an object of them.',
  ].join('\n');
}

async function workspaceOf(data: string, { id, questions }: AnalysisRecord): Promise<Entry[]> {
  const place = await placeOf(data, id);
  const files = place === undefined ? undefined : await filesBelow(place);
  if (place === undefined || !files) throw noData(about, join(data, 'data', id));
  const missing = questions.find((name) => !files.some(({ path }) => path === `${name}.txt`));
  if (missing !== undefined) throw noData(about, join(place, `${missing}.txt`));
  return files;
}
