import { dirname, join } from 'node:path';
import { clip } from '../../../../bridge/text/index.ts';
import { type ArchiveEntry, makeTask, makeTextEntry, type Task } from '../../format/index.ts';
import {
  badData,
  makeRecordConfig,
  makeTaskId,
  makeWriteScript,
  noData,
  type OpenDataset,
  openRecords,
  packPythonTests,
} from '../records/index.ts';
import {
  dsbenchAbout,
  findFirst,
  findLackingRecords,
  type ModellingRecord,
  modellingRecordSchema,
  readFilesBelow,
  readListOrLines,
  readTextIfThere,
} from './dsbench-data.ts';

const submissionFile = 'submission.csv';

/** Competitions: predictions of a column, measured between a baseline and the best that can be. */
export async function openModelling(file: string): Promise<OpenDataset> {
  const { records, unreadable } = await readListOrLines(file, modellingRecordSchema);
  const folder = dirname(file);
  const answer = ({ name }: ModellingRecord) => findFirst(folder, [`data/answers/${name}/test_answer.csv`]);
  return openRecords({
    ...{ about: dsbenchAbout, file, records, unreadable },
    idOf: ({ name }) => name,
    taskOf: (record) => makeRecordTask(folder, record),
    lacking: await findLackingRecords(records, answer, ({ name }) => [
      name,
      `data/answers/${name}/test_answer.csv is missing`,
    ]),
  });
}

async function makeRecordTask(data: string, record: ModellingRecord): Promise<Task> {
  const { name } = record;
  const description = await readNeeded(data, `data/task/${name}.txt`);
  const answer = await readNeeded(data, `data/answers/${name}/test_answer.csv`);
  return makeTask({
    id: makeTaskId(dsbenchAbout, name),
    path: data,
    instruction: writeInstruction(description),
    config: makeRecordConfig(dsbenchAbout, { agentSeconds: 3600, testSeconds: 600 }),
    workspace: async () => [makeTextEntry('task.txt', description), ...(await readTrainingFiles(data, name))],
    tests: await packTests(data, name, answer),
    solutions: [{ name: 'gold', text: makeWriteScript(submissionFile, answer) }],
    falseSolutions: [
      {
        name: 'header',
        why: 'It predicts nothing.',
        text: makeWriteScript(submissionFile, answer.split('\n')[0] ?? ''),
      },
    ],
  });
}

function writeInstruction(description: string): string {
  return [
    'The folder /workspace has the data of a competition: a file to train with, a file to predict for, and a sample of what to hand in. Build a model, and write its predictions for all rows of the test file, in their order, to /workspace/submission.csv, in the form of the sample.',
    '',
    'The description of the competition, which is also in task.txt:',
    '',
    clip(description.trim(), 20_000),
  ].join('\n');
}

async function packTests(data: string, name: string, answer: string): Promise<ArchiveEntry[]> {
  const competition = competitionOf(name);
  const record = competition
    ? {
        unavailable: '',
        ...competition,
        baseline: await readPerformance(data, 'baseline', name),
        best: await readPerformance(data, 'GT', name),
      }
    : { unavailable: `${name} is measured by several columns, or by a metric that is not computed here` };
  return packPythonTests(
    { name: 'dsbench' },
    { 'record.json': JSON.stringify(record), 'test_answer.csv': answer },
  );
}

/** A performance that the owners recorded. */
async function readPerformance(data: string, whose: string, name: string): Promise<number> {
  const file = `save_performance/${whose}/${name}/result.txt`;
  const value = Number((await readNeeded(data, file)).trim());
  if (Number.isFinite(value)) return value;
  throw badData(join(data, file), 'expected a number');
}

async function readTrainingFiles(data: string, name: string): Promise<ArchiveEntry[]> {
  const files = await readFilesBelow(join(data, 'data/data_resplit', name));
  if (!files || files.length === 0) throw noData(dsbenchAbout, join(data, 'data/data_resplit', name));
  return files;
}

async function readNeeded(data: string, path: string): Promise<string> {
  const text = await readTextIfThere(join(data, path));
  if (text !== undefined) return text;
  throw noData(dsbenchAbout, join(data, path));
}

/** How a competition's predictions are measured: by one column of the file. */
interface Competition {
  readonly metric: string;
  readonly column: string;
}

/** By metric: the competitions whose owners' scripts compute it from one column, as `column: names`. */
const byMetric: Readonly<Record<string, readonly string[]>> = {
  'roc-auc': [
    'ACTION: amazon-employee-access-challenge',
    'target: cat-in-the-dat cat-in-the-dat-ii dont-overfit-ii instant-gratification playground-series-s3e12',
    'target: santander-customer-transaction-prediction tabular-playground-series-mar-2021',
    'target: tabular-playground-series-may-2022 tabular-playground-series-nov-2021',
    'HasDetections: microsoft-malware-prediction',
    'Machine failure: playground-series-s3e17',
    'smoking: playground-series-s3e24',
    'stroke: playground-series-s3e2',
    'Attrition: playground-series-s3e3',
    'Class: playground-series-s3e4',
    'booking_status: playground-series-s3e7',
    'Exited: playground-series-s4e1',
    'TARGET: santander-customer-satisfaction',
    'failure: tabular-playground-series-aug-2022',
    'claim: tabular-playground-series-sep-2021',
  ],
  accuracy: [
    'NObeyesdad: playground-series-s4e2',
    'Target: playground-series-s4e6',
    'Transported: spaceship-titanic',
    'Survived: tabular-playground-series-apr-2021 titanic',
    'Cover_Type: tabular-playground-series-dec-2021',
    'target: tabular-playground-series-feb-2022',
  ],
  rmse: [
    'target: commonlitreadabilityprize tabular-playground-series-feb-2021 tabular-playground-series-jan-2021',
    'MedHouseVal: playground-series-s3e1',
    'price: playground-series-s3e6 playground-series-s3e8',
    'Strength: playground-series-s3e9',
    'loss: tabular-playground-series-aug-2021',
  ],
  rmsle: [
    'count: bike-sharing-demand',
    'cost: playground-series-s3e11',
    'Rings: playground-series-s4e4',
    'target: santander-value-prediction-challenge',
    'revenue: tmdb-box-office-prediction',
  ],
  mae: [
    'yield: playground-series-s3e14',
    'Age: playground-series-s3e16',
    'pressure: ventilator-pressure-prediction',
  ],
  mse: ['congestion: tabular-playground-series-mar-2022'],
  'median-ae': ['Hardness: playground-series-s3e25'],
  smape: [
    'sales: demand-forecasting-kernels-only',
    'num_sold: tabular-playground-series-jan-2022 tabular-playground-series-sep-2022',
  ],
  r2: ['FloodProbability: playground-series-s4e5'],
  f1: ['target: nlp-getting-started'],
  'f1-macro': ['open_channels: liverpool-ion-switching'],
  'quadratic-kappa': [
    'quality: playground-series-s3e5',
    'score: learning-agency-lab-automated-essay-scoring-2',
  ],
  'normalized-gini': ['target: porto-seguro-safe-driver-prediction'],
};

const competitions = new Map(
  Object.entries(byMetric).flatMap(([metric, lines]) =>
    lines.flatMap((line) => {
      const [column = '', names = ''] = line.split(': ');
      return names.split(' ').map((name): [string, Competition] => [name, { metric, column }]);
    }),
  ),
);

/** Undefined where a competition is measured by several columns or by a metric that is not computed here. */
function competitionOf(name: string): Competition | undefined {
  return competitions.get(name);
}
