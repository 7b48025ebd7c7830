import { join } from 'node:path';

/** The parts of one checkpoint; absolute paths. */
export interface CheckpointParts {
  /** Processes, as CRIU writes them; empty in a checkpoint of the disk alone. */
  readonly images: string;
  /** Everything in the file system that belongs to this sandbox alone: an archive, see {@link keepTree}. */
  readonly upper: string;
  /** The folders that host and sandbox share: open logs, the sockets that are listened on. */
  readonly shared: string;
  readonly desk: string;
  /** A file with the last number that a process inside was given. */
  readonly lastPid: string;
}

/** @param folder of the checkpoint in the store */
export function partsOf(folder: string): CheckpointParts {
  const files = join(folder, 'files');
  return {
    images: join(folder, 'images'),
    upper: join(files, 'upper'),
    shared: join(files, 'run'),
    desk: join(files, 'desk'),
    lastPid: join(files, 'last-pid'),
  };
}
