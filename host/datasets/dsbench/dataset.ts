import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Dataset, OpenDataset } from '../contract.ts';
import { noData } from '../errors.ts';
import { readText } from '../records/index.ts';
import { about } from './about.ts';
import { openAnalysis } from './analysis.ts';
import { firstOf } from './files.ts';
import { openModelling } from './modelling.ts';

/** Both parts, as far as they are there: as in the owners' repository, or one part alone. */
export const dsbench: Dataset = {
  about,
  open: async (path) => {
    const parts = await partsOf(resolve(path));
    const [first, ...others] = parts;
    if (!first) throw noData(about, `data.json of data_analysis or data_modeling in ${resolve(path)}`);
    return joined(first, others);
  },
};

async function partsOf(path: string): Promise<OpenDataset[]> {
  if ((await stat(path).catch(() => undefined))?.isFile()) return [await openPart(path)];
  const files = await Promise.all([
    firstOf(path, ['data_analysis/data.json']),
    firstOf(path, ['data_modeling/data.json']),
    firstOf(path, ['data.json', 'data.jsonl']),
  ]);
  return Promise.all(files.filter((file) => file !== undefined).map(openPart));
}

/** Only records of the analysis part have questions. */
async function openPart(file: string): Promise<OpenDataset> {
  const text = await readText(file);
  return text.includes('"questions"') ? openAnalysis(file) : openModelling(file);
}

function joined(first: OpenDataset, others: readonly OpenDataset[]): OpenDataset {
  const all = [first, ...others];
  return {
    ids: all.flatMap(({ ids }) => ids),
    lacking: new Map(all.flatMap(({ lacking }) => [...(lacking ?? [])])),
    groups: all.map(({ ids }) => ids),
    load: (id) => (all.find(({ ids }) => ids.includes(id)) ?? first).load(id),
  };
}
