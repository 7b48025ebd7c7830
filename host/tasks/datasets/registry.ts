import { PwpError } from '../../../bridge/lib/index.ts';
import { bird } from './bird/index.ts';
import { canitedit } from './canitedit/index.ts';
import { chartmimic } from './chartmimic/index.ts';
import { design2code } from './design2code/index.ts';
import { dsbench } from './dsbench/index.ts';
import { gymAnything } from './gym-anything/index.ts';
import { harbor } from './harbor/index.ts';
import { humaneval } from './humaneval/index.ts';
import { ideBenchDataset } from './ide-bench/index.ts';
import { intercodeCtf } from './intercode-ctf/index.ts';
import { minictx } from './minictx/index.ts';
import { pwpFolder } from './pwp-folder/index.ts';
import { confineDataset, type Dataset } from './records/index.ts';
import { resq } from './res-q/index.ts';
import { sweBench } from './swe-bench/index.ts';
import { swtBench } from './swt-bench/index.ts';

/** Collections of tasks of any kind, in formats of their own. */
const taskCollections: readonly Dataset[] = [ideBenchDataset, harbor, pwpFolder, gymAnything];

/** All datasets, in the order of PwP-Bench's families; then the collections. */
const unconfinedDatasets: readonly Dataset[] = [
  humaneval,
  ...sweBench,
  resq,
  canitedit,
  swtBench,
  design2code,
  chartmimic,
  dsbench,
  intercodeCtf,
  bird,
  minictx,
  ...taskCollections,
];

/** None of them reads anything outside of what its user named. */
export const datasets: readonly Dataset[] = unconfinedDatasets.map(confineDataset);

/** The dataset of this name. Errors: `no-such-dataset`. */
export function findDataset(name: string): Dataset {
  const found = datasets.find(({ about }) => about.name === name);
  if (found) return found;
  throw new PwpError('no-such-dataset', `there is no dataset ${name}`, {
    help: `There are ${datasets.map(({ about }) => about.name).join(', ')}.`,
  });
}
