import type { ChosenTasks } from '../datasets/index.ts';
import { printable } from './printable.ts';

/** Prints notes on the data to standard error, and which records are left out and why. */
export function warnOfLacking({ lacking, notes }: Pick<ChosenTasks, 'lacking' | 'notes'>): void {
  for (const note of notes) process.stderr.write(printable(`${note}\n`));
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
