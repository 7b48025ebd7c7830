import type { NetworkPolicy } from '../../node/index.ts';
import type { ArchiveEntry } from './archive.ts';

/**
 * Tests that run in the image of their task as their owners' command runs them: `/tests/test.sh`, which reports to
 * `/logs/verifier`. They find all that the agent changed in its root.
 */
export interface ImageTests {
  readonly runs: readonly ImageTestRun[];
  /** The score of several runs. `mean`: over those that were reached; `final`: of the last of these. */
  readonly strategy: 'mean' | 'final';
  /** How they ask programs that the agent left running; undefined if they need its files alone. */
  readonly service: string | undefined;
}

/** One run of `/tests/test.sh`. */
export interface ImageTestRun {
  readonly name: string;
  /** Of /tests; nothing else is there. */
  readonly files: readonly ArchiveEntry[];
  /** Variables beside those of the image. */
  readonly env: Readonly<Record<string, string>>;
  readonly seconds: number;
  readonly network: NetworkPolicy;
  /** Commands that are run before, in what the agent left. That one fails ends nothing. */
  readonly collect: readonly CollectCommand[];
  /** The smallest value of each reward with which a later run is reached. */
  readonly least: Readonly<Record<string, number>>;
  /** Undefined for tests beside what the agent left. */
  readonly separate: SeparateTests | undefined;
}

interface CollectCommand {
  /** For bash. */
  readonly command: string;
  readonly seconds: number;
}

/** Where tests run that find only some files of what the agent left. */
export interface SeparateTests {
  /** As in `SandboxSpec.root`. */
  readonly image: string;
  /** The folder in which they run. Default: the image's. */
  readonly workdir: string | undefined;
  /** Whether /tests is in the image. */
  readonly hasTests: boolean;
  /** Absolute paths of the files and folders that are brought there. */
  readonly artifacts: readonly string[];
  /** Cores, and MiB. */
  readonly limits: { readonly cpus: number; readonly memoryMb: number; readonly diskMb: number };
}
