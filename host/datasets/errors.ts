import { PwpError } from '../../bridge/lib/index.ts';
import type { DatasetAbout } from './contract.ts';

/** A file of a dataset that is not there: names it, and where its owner publishes it. */
export function noData(about: DatasetAbout, missing: string, cause?: unknown): PwpError {
  return new PwpError('no-data', `${about.title}: ${missing} is missing`, {
    help: `--data must hold ${about.files.join(', ')}. It is published at ${about.source}; see pwp datasets fetch-help ${about.name}.`,
    ...(cause === undefined ? {} : { cause }),
  });
}

/**
 * A file of a dataset that can't be used as it is.
 * @param where the file, with the record where one is at fault: `HumanEval.jsonl, record 3`
 * @param problem the field, what was expected and what was found
 */
export function badData(where: string, problem: string, cause?: unknown): PwpError {
  return new PwpError('bad-data', `${where}: ${problem}`, {
    help: 'Fetch the file again, as its owner publishes it.',
    ...(cause === undefined ? {} : { cause }),
  });
}
