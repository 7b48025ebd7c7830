import type { Command } from 'commander';
import { count, wholeNumber } from './options.ts';

/** The choice of a dataset's records. */
export interface SelectionOptions {
  readonly data?: string;
  readonly ids?: string[];
  readonly sample?: number;
  readonly sampleSeed?: number;
}

/** `--data`, `--ids`, `--sample`, `--sample-seed`. */
export function addSelectionOptions(command: Command): Command {
  return command
    .option('--data <path>', 'files of a dataset, or a folder that has a folder for each dataset')
    .option('--ids <id...>', 'records of a dataset, as it names them; default: all')
    .option('--sample <n>', 'number of records to draw from each dataset', count)
    .option('--sample-seed <n>', 'seed of the draw; default: 0', wholeNumber);
}
