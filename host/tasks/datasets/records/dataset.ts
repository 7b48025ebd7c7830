import { PwpError } from '../../../../bridge/lib/index.ts';
import type { AgentCode, Task } from '../../format/index.ts';

/** Facts about a dataset that need no data: each is one line of docs/datasets.md. */
export interface DatasetAbout {
  /** By which commands name it, and first part of its tasks' ids, e.g. `humaneval`. */
  readonly name: string;
  /** As its owners write it, e.g. `HumanEval`. */
  readonly title: string;
  /** As the families of PwP-Bench, e.g. `Code generation and editing`. */
  readonly family: string;
  /** Records that its owners publish. */
  readonly records: number;
  /** Where its owners publish it. */
  readonly source: string;
  /** Licence of the data, as its owners state it. */
  readonly licence: string;
  /** The official metric, in a sentence. */
  readonly metric: string;
  /** Where its grader runs what the agent left: `beside` the tests, a pass can be forged, and the record says so. */
  readonly agentCode: AgentCode;
  /** What `--data` must hold, as the owners name it; of a file's forms the usual one. */
  readonly files: readonly string[];
  /** Requirements that Debian and npm alone do not meet, and how to supply them. */
  readonly needs: readonly string[];
}

export interface Dataset {
  readonly about: DatasetAbout;
  /**
   * Reads and checks the records.
   * @param path what `--data` names: a folder that holds the files, or the one file itself
   * Errors: `no-data` (which file is missing and where its owner publishes it), `bad-data` (file, record, field, expected,
   * found).
   */
  open(path: string): Promise<OpenDataset>;
}

export interface OpenDataset {
  /** Ids of all records, in the files' order; unique. */
  readonly ids: readonly string[];
  /** Notes for users on the data as a whole, one sentence each, e.g. that a list of the owners' is missing. */
  readonly notes?: readonly string[];
  /** Records that can't be played or read: why, by their id or place. Default: none. */
  readonly lacking?: ReadonlyMap<string, string>;
  /** Parts that give equally many records to a benchmark's sample. Default: one part. */
  readonly groups?: readonly (readonly string[])[];
  /** A record as a task, of the id `<dataset>/<record>`. Errors: `no-such-record`, `no-data`, `bad-data`. */
  load(id: string): Promise<Task>;
}

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
