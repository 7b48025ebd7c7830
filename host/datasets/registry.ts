import { PwpError } from '../../bridge/lib/index.ts';
import type { Dataset } from './contract.ts';
import { bird } from './bird/index.ts';
import { canitedit } from './canitedit/index.ts';
import { chartmimic } from './chartmimic/index.ts';
import { design2code } from './design2code/index.ts';
import { dsbench } from './dsbench/index.ts';
import { harbor } from './harbor/index.ts';
import { humaneval } from './humaneval/index.ts';
import { ideBench } from './ide-bench/index.ts';
import { intercodeCtf } from './intercode-ctf/index.ts';
import { minictx } from './minictx/index.ts';
import { withinPlace } from './place.ts';
import { pwpFolder } from './pwp-folder/index.ts';
import { resq } from './res-q/index.ts';
import { sweBench } from './swe-bench/index.ts';
import { swtBench } from './swt-bench/index.ts';

/** Collections of tasks of any kind, in formats of their own. */
const collections: readonly Dataset[] = [ideBench, harbor, pwpFolder];

/** All datasets, in the order of PwP-Bench's families; then the collections. */
const all: readonly Dataset[] = [
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
  ...collections,
];

/** None of them reads anything outside of what its user named. */
export const datasets: readonly Dataset[] = all.map(withinPlace);

/** The dataset of this name. Errors: `no-such-dataset`. */
export function datasetNamed(name: string): Dataset {
  const found = datasets.find(({ about }) => about.name === name);
  if (found) return found;
  throw new PwpError('no-such-dataset', `there is no dataset ${name}`, {
    help: `There are ${datasets.map(({ about }) => about.name).join(', ')}.`,
  });
}
