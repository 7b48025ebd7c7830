import { dirname, join } from 'node:path';
import { defaultWorkspace } from '../../../../bridge/protocol/index.ts';
import { type ArchiveEntry, makeTask, scriptThatWrites, type Task } from '../../format/index.ts';
import {
  makeRecordConfig,
  makeTaskId,
  noData,
  type OpenDataset,
  openRecords,
  packPythonTests,
} from '../records/index.ts';
import {
  type AnalysisRecord,
  analysisRecordSchema,
  dsbenchAbout,
  findFirst,
  findLackingRecords,
  readFilesBelow,
  readListOrLines,
} from './dsbench-data.ts';

const challengePlaces = ['data', 'processed_data', 'DSBench/processed_data'];

/** Challenges of questions on files. Those without a question are left out, as the owners do. */
export async function openAnalysis(file: string): Promise<OpenDataset> {
  const { records, unreadable } = await readListOrLines(file, analysisRecordSchema);
  const asked = records.filter(({ questions }) => questions.length > 0);
  const folder = dirname(file);
  return openRecords({
    ...{ about: dsbenchAbout, file, records: asked, unreadable },
    idOf: ({ id }) => id,
    taskOf: (record) => makeRecordTask(folder, record),
    lacking: await findLackingRecords(
      asked,
      ({ id }) => findChallenge(folder, id),
      ({ id }) => [id, `data/${id}/ is missing`],
    ),
  });
}

function findChallenge(data: string, id: string): Promise<string | undefined> {
  return findFirst(
    data,
    challengePlaces.map((folder) => `${folder}/${id}`),
  );
}

async function makeRecordTask(data: string, record: AnalysisRecord): Promise<Task> {
  const answers = Object.fromEntries(record.questions.map((name, index) => [name, record.answers[index]]));
  const wrong = (text: string) => Object.fromEntries(record.questions.map((name) => [name, text]));
  return makeTask({
    id: makeTaskId(dsbenchAbout, record.id),
    path: data,
    instruction: writeInstruction(record),
    config: makeRecordConfig(dsbenchAbout),
    workspace: () => packWorkspace(data, record),
    tests: await packPythonTests(
      { name: 'dsbench' },
      { 'record.json': JSON.stringify({ unavailable: '', answers }) },
    ),
    solutions: [{ name: 'gold', text: makeAnswerScript(answers) }],
    falseSolutions: [
      { name: 'no-idea', why: 'It answers no question.', text: makeAnswerScript(wrong('no idea')) },
      {
        name: 'all-choices',
        why: 'It names all choices.',
        text: makeAnswerScript(wrong('A, B, C, D, E, F, G, H, I')),
      },
    ],
  });
}

function makeAnswerScript(answers: object): string {
  return `cd ${defaultWorkspace}\n${scriptThatWrites({ 'answers.json': JSON.stringify(answers) })}`;
}

function writeInstruction({ name, questions }: AnalysisRecord): string {
  const form = JSON.stringify(
    Object.fromEntries(questions.slice(0, 2).map((question) => [question, 'your answer'])),
  );
  return [
    `The folder /workspace has the files of the challenge "${name}": begin with introduction.txt. Its questions are the files ${questions.map((question) => `${question}.txt`).join(', ')}.`,
    `Answer all of them in /workspace/answers.json, an object of answers by question, such as ${form}.`,
    'Where a question has choices, answer with the letter alone; else with the value alone, with its unit where the question has one; where it asks for several named values, with an object of them.',
  ].join('\n');
}

async function packWorkspace(data: string, { id, questions }: AnalysisRecord): Promise<ArchiveEntry[]> {
  const place = await findChallenge(data, id);
  const files = place === undefined ? undefined : await readFilesBelow(place);
  if (place === undefined || !files) throw noData(dsbenchAbout, join(data, 'data', id));
  const missing = questions.find((name) => !files.some(({ path }) => path === `${name}.txt`));
  if (missing !== undefined) throw noData(dsbenchAbout, join(place, `${missing}.txt`));
  return files;
}
