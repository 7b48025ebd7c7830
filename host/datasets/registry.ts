import { PwpError } from '../../bridge/lib/index.ts';
import type { Dataset } from './contract.ts';
import { bird } from './bird/index.ts';
import { canitedit } from './canitedit/index.ts';
import { humaneval } from './humaneval/index.ts';
import { intercodeCtf } from './intercode-ctf/index.ts';

/** All datasets, in the order of PwP-Bench's families. */
export const datasets: readonly Dataset[] = [humaneval, canitedit, intercodeCtf, bird];

/** The dataset of this name. Errors: `no-such-dataset`. */
export function datasetNamed(name: string): Dataset {
  const found = datasets.find(({ about }) => about.name === name);
  if (found) return found;
  throw new PwpError('no-such-dataset', `there is no dataset ${name}`, {
    help: `There are ${datasets.map(({ about }) => about.name).join(', ')}.`,
  });
}
