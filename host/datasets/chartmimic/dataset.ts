import { basename } from 'node:path';
import { stat } from 'node:fs/promises';
import { madeTask, scriptThatWrites, type Task } from '../../tasks/index.ts';
import type { Dataset, OpenDataset } from '../contract.ts';
import { findData } from '../files.ts';
import { openRecords } from '../open.ts';
import { configOf, pythonTests, taskId } from '../parts.ts';
import { pngEntry, readText } from '../records/index.ts';
import { about } from './about.ts';
import { chartsOfFolder, chartsOfList, lackingCharts } from './charts.ts';
import { instructionOf } from './instruction.ts';
import type { Chart } from './record.ts';

const names = ['test.jsonl', 'direct_600', 'ori_500', '.'];
const answer = 'graph.py';
const picture = 'image.png';

export const chartmimic: Dataset = {
  about,
  open: async (path) => openCharts(await findData(about, path, names)),
};

async function openCharts(place: string): Promise<OpenDataset> {
  const isFile = (await stat(place)).isFile();
  const { charts, unreadable } = await (isFile ? chartsOfList(place) : chartsOfFolder(place));
  return openRecords({
    ...{ about, file: place, records: charts, unreadable, lacking: await lackingCharts(charts) },
    idOf: ({ id }) => id,
    taskOf: (chart) => taskOf(place, chart),
  });
}

async function taskOf(place: string, chart: Chart): Promise<Task> {
  const script = await readText(chart.script);
  // As the official metric: graphs have no grid worth comparing.
  const record = JSON.stringify({ plainGrid: basename(chart.script).startsWith('graph') });
  return madeTask({
    id: taskId(about, chart.id),
    path: place,
    instruction: instructionOf(chart.wishes, script),
    config: configOf(about, { testSeconds: 600, open: [picture] }),
    workspace: [await pngEntry(picture, chart.picture)],
    tests: await pythonTests(about, { 'reference.py': script, 'record.json': record }),
    solutions: [{ name: 'gold', text: scriptThatWrites({ [answer]: script }) }],
    falseSolutions: [
      {
        name: 'wrong',
        why: 'It draws other words and no chart.',
        text: scriptThatWrites({ [answer]: emptyFigure }),
      },
      {
        name: 'fails',
        why: 'It draws the chart and then fails.',
        text: scriptThatWrites({ [answer]: `${script}\nraise SystemExit(1)\n` }),
      },
    ],
  });
}

const emptyFigure = "import matplotlib.pyplot as plt\nplt.figure().text(0.5, 0.5, 'Ѫ')\n";
