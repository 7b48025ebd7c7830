import type { LackingRecord } from '../datasets/index.ts';
import { printable } from './printable.ts';

/** Says on the standard error which records of datasets are left out, and why. */
export function warnOfLacking(lacking: readonly LackingRecord[]): void {
  for (const [dataset, own] of Map.groupBy(lacking, (one) => one.dataset)) {
    const [first] = own;
    const more = own.length > 1 ? `; and ${own.length - 1} more` : '';
    process.stderr.write(
      printable(
        `${dataset}: ${own.length} ${own.length === 1 ? 'record is' : 'records are'} left out: ${first?.id}: ${first?.why}${more}\n`,
      ),
    );
  }
}
