import { access, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { makeTask, scriptThatWrites, type Task } from '../../format/index.ts';
import {
  badData,
  type Dataset,
  type DatasetAbout,
  findData,
  makeRecordConfig,
  makeTaskId,
  noData,
  type OpenDataset,
  openRecords,
  packPythonTests,
  readDataText,
  readPngEntry,
  readRecords,
} from '../records/index.ts';

const about: DatasetAbout = {
  name: 'chartmimic',
  title: 'ChartMimic',
  family: 'Multimodal code synthesis',
  records: 1200,
  source: 'https://huggingface.co/datasets/ChartMimic/ChartMimic',
  licence: 'Apache-2.0',
  metric:
    'mean of the low-level score (mean of the F1 of texts, layout, chart types and colours; 0 for a script that fails) and of the high-level score, which GPT-4V gives',
  agentCode: 'apart',
  files: [
    'test.jsonl with ori_500/ and customized_500/, or direct_600/: <name>.py and <name>.png of each chart',
  ],
  needs: [
    'GPT-4V as the judge of the high-level score. Without it this score is unavailable, and the score is the low-level one.',
    'SciPy, pandas, NetworkX, matplotlib-venn or seaborn for about one chart in twelve: --with charts (docs/languages.md). A chart whose reference needs what the image does not have, e.g. squarify, gets no score.',
  ],
};

const fileNames = ['test.jsonl', 'direct_600', 'ori_500', '.'];
const answerFile = 'graph.py';
const pictureFile = 'image.png';

export const chartmimic: Dataset = {
  about,
  open: async (path) => openCharts(await findData(about, path, fileNames)),
};

async function openCharts(place: string): Promise<OpenDataset> {
  const isFile = (await stat(place)).isFile();
  const { charts, unreadable } = await (isFile ? readChartList(place) : readChartFolder(place));
  return openRecords({
    ...{ about, file: place, records: charts, unreadable, lacking: await findLackingCharts(charts) },
    idOf: ({ id }) => id,
    taskOf: (chart) => makeRecordTask(place, chart),
  });
}

async function makeRecordTask(place: string, chart: Chart): Promise<Task> {
  const script = await readDataText(chart.script);
  // As the official metric: graphs have no grid worth comparing.
  const record = JSON.stringify({ plainGrid: basename(chart.script).startsWith('graph') });
  return makeTask({
    id: makeTaskId(about, chart.id),
    path: place,
    instruction: writeInstruction(chart.wishes, script),
    config: makeRecordConfig(about, { testSeconds: 600, open: [pictureFile] }),
    workspace: [await readPngEntry(pictureFile, chart.picture)],
    tests: await packPythonTests(about, { 'reference.py': script, 'record.json': record }),
    solutions: [{ name: 'gold', text: scriptThatWrites({ [answerFile]: script }) }],
    falseSolutions: [
      {
        name: 'wrong',
        why: 'It draws other words and no chart.',
        text: scriptThatWrites({ [answerFile]: emptyFigureScript }),
      },
      {
        name: 'fails',
        why: 'It draws the chart and then fails.',
        text: scriptThatWrites({ [answerFile]: `${script}\nraise SystemExit(1)\n` }),
      },
    ],
  });
}

const emptyFigureScript = "import matplotlib.pyplot as plt\nplt.figure().text(0.5, 0.5, 'Ѫ')\n";

interface OpenedCharts {
  readonly charts: readonly Chart[];
  /** Records that can't be read: why, by their place. */
  readonly unreadable: ReadonlyMap<string, string>;
}

/** The charts of `test.jsonl`. Errors: `bad-data`, `no-data`. */
async function readChartList(file: string): Promise<OpenedCharts> {
  const { records, unreadable } = await readRecords(file, chartmimicRecordSchema);
  return { charts: records.map((record) => toChart(dirname(file), record)), unreadable };
}

function toChart(folder: string, record: z.output<typeof chartmimicRecordSchema>): Chart {
  const isDirect = record.Task === 'Direct Mimic';
  return {
    id: `${isDirect ? 'direct' : 'customized'}/${record.ExampleID}`,
    wishes: isDirect ? null : record.Instruction,
    picture: resolveBelow(folder, record.InputFigure),
    script: resolveBelow(folder, record.GroundTruthFigureCode),
  };
}

/** The owners' paths begin in several places, and all end in folder and file. */
function resolveBelow(folder: string, path: string): string {
  const parts = path.split('/').slice(-2);
  if (parts.includes('..')) throw badData(folder, `expected a path below it, found ${path}`);
  return join(folder, ...parts);
}

/** The charts of a folder of scripts and pictures, all to be copied. Errors: `bad-data`, `no-data`. */
async function readChartFolder(folder: string): Promise<OpenedCharts> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw badData(folder, 'expected a folder of charts', cause);
  });
  const charts = names
    .filter((name) => name.endsWith('.py'))
    .map((name) => name.slice(0, -'.py'.length))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .map((name) => ({
      id: `direct/${name}`,
      wishes: null,
      picture: join(folder, `${name}.png`),
      script: join(folder, `${name}.py`),
    }));
  if (charts.length === 0) throw noData(about, join(folder, '<name>.py'));
  return { charts, unreadable: new Map() };
}

/** Charts without one of their files: which is missing, by their id. */
async function findLackingCharts(charts: readonly Chart[]): Promise<ReadonlyMap<string, string>> {
  const lacking = new Map<string, string>();
  for (const { id, picture, script } of charts)
    for (const file of [picture, script])
      await access(file).catch(() => lacking.set(id, `${file} is missing`));
  return lacking;
}

const chartPath = z.string().min(1).max(1000);

/** A line of `test.jsonl`, as its owners publish it. Paths are relative to the file; only their last two parts count. */
const chartmimicRecordSchema = z.object({
  Task: z.enum(['Direct Mimic', 'Customized Mimic']),
  ExampleID: z.string().regex(/^\w+$/, 'expected letters, digits and underscores').describe('e.g. bar_12'),
  Instruction: z.string().min(1),
  InputFigure: chartPath
    .regex(/\.png$/, 'expected the path of a PNG')
    .describe('the chart that the agent sees'),
  GroundTruthFigureCode: chartPath
    .regex(/\.py$/, 'expected the path of a Python file')
    .describe('the script that draws what is expected'),
});

/** A chart to draw. */
interface Chart {
  /** Unique, e.g. `direct/bar_12`. */
  readonly id: string;
  /** Text of the record's own; null where the task is just to copy the chart. */
  readonly wishes: string | null;
  /** Absolute paths. */
  readonly picture: string;
  readonly script: string;
}

const answerPlace =
  'Save it as `/workspace/graph.py`. It is run with Python 3 and Matplotlib, and must end without an error; the figure that is current at its end is looked at.';

/**
 * @param wishes the record's own text
 * @param script the reference, which names the size of the figure
 */
function writeInstruction(wishes: string | null, script: string): string {
  if (wishes !== null)
    return `The file \`/workspace/image.png\`, which is open in the editor, is a chart. Write a Python script that draws another one in its style, as asked below. ${answerPlace}\n\n${wishes.trim()}`;
  return `The file \`/workspace/image.png\`, which is open in the editor, is a chart that was drawn with Matplotlib. Write a Python script that draws the same chart: the same kinds of plots, arrangement, texts, data and colours. ${readFigureSize(script)}${answerPlace}`;
}

function readFigureSize(script: string): string {
  const [, width, height] = /figsize\s*=\s*\(\s*([\d.]+)\s*,\s*([\d.]+)\s*,?\s*\)/.exec(script) ?? [];
  return width === undefined || height === undefined ? '' : `Use \`figsize=(${width}, ${height})\`. `;
}
