import { resolve } from 'node:path';
import { isFile } from '../../../lib/index.ts';
import { type Dataset, noData, type OpenDataset, readDataText } from '../records/index.ts';
import { openAnalysis } from './dsbench-analysis.ts';
import { dsbenchAbout, findFirst } from './dsbench-data.ts';
import { openModelling } from './dsbench-modelling.ts';

/** Both parts, as far as they are there: as in the owners' repository, or one part alone. */
export const dsbench: Dataset = {
  about: dsbenchAbout,
  open: async (path) => {
    const parts = await openParts(resolve(path));
    const [first, ...others] = parts;
    if (!first) throw noData(dsbenchAbout, `data.json of data_analysis or data_modeling in ${resolve(path)}`);
    return joinParts(first, others);
  },
};

async function openParts(path: string): Promise<OpenDataset[]> {
  if (await isFile(path)) return [await openPart(path)];
  const files = await Promise.all([
    findFirst(path, ['data_analysis/data.json']),
    findFirst(path, ['data_modeling/data.json']),
    findFirst(path, ['data.json', 'data.jsonl']),
  ]);
  return Promise.all(files.filter((file) => file !== undefined).map(openPart));
}

/** Only records of the analysis part have questions. */
async function openPart(file: string): Promise<OpenDataset> {
  const text = await readDataText(file);
  return text.includes('"questions"') ? openAnalysis(file) : openModelling(file);
}

function joinParts(first: OpenDataset, others: readonly OpenDataset[]): OpenDataset {
  const all = [first, ...others];
  return {
    ids: all.flatMap(({ ids }) => ids),
    lacking: new Map(all.flatMap(({ lacking }) => [...(lacking ?? [])])),
    groups: all.map(({ ids }) => ids),
    load: (id) => (all.find(({ ids }) => ids.includes(id)) ?? first).load(id),
  };
}
