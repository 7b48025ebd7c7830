import { agentCodeUses } from './agent-code.ts';
import type { Leak } from './leaks/index.ts';
import type { Settings, TaskConfig } from './schema.ts';
import { leaksOf } from './secrets.ts';
import { initialSeeds, testSeeds, workspaceFiles, type TaskSeed, type WorkspaceFiles } from './seeds.ts';
import type { StreamedTaskSeed } from './streamed-seed.ts';
import { readFalseSolutions, readSolutions, type FalseSolution, type Solution } from './solution.ts';
import type { TaskFiles } from './task-files.ts';
import type { RunVariant } from './variant/index.ts';

/** A task, checked; archives are made on request. */
export interface Task {
  /** Name of the folder above and of the task's own, e.g. `vscode/autosave-500`. */
  readonly id: string;
  /** Absolute path of its folder, or of the data that it was made from. */
  readonly path: string;
  /** The seed of its variant; null for a task that is the same with every seed. */
  readonly seed: number | null;
  /**
   * The instruction for the agent, without the white space around it. Words of a variant that is not made yet are missing:
   * `{{name}}` is in their place.
   */
  readonly instruction: string;
  readonly config: TaskConfig;
  /**
   * Present while its variant is not made: runs its variant.mjs, once for a task, and gives the whole task. Until then all
   * that depends on the seed rejects with `variant-not-made`. `withVariant` runs it in a sandbox of a node.
   */
  readonly make?: (run: RunVariant) => Promise<Task>;
  /**
   * The initial state, as archives for a new sandbox; the same bytes every time. The last may be a streamed one.
   * @param base user settings that every task starts with; the task's own win
   */
  seeds(base?: Settings): Promise<(TaskSeed | StreamedTaskSeed)[]>;
  /** The contents of /workspace at the start. Errors: `no-tests` for a task that can't be graded. */
  workspace(): Promise<WorkspaceFiles>;
  /**
   * The tests, for the grading sandbox alone.
   * @param copied folders that hold what the agent left: files of the image would replace it there
   */
  testSeeds(copied?: readonly string[]): Promise<TaskSeed[]>;
  /** Places where the agent could read the content of tests and solutions. */
  leaks(): Promise<Leak[]>;
  /**
   * Lines of the tests that seem to run the agent's code beside them, as `tests/check.py:12: …`: a hint, not a proof.
   */
  agentCodeUses(): Promise<string[]>;
  /** Solutions that must score 1, sorted by name. */
  solutions(): Promise<Solution[]>;
  /** Solutions that must score 0, sorted by name. */
  falseSolutions(): Promise<FalseSolution[]>;
}

/** A task of its files, which have been checked. */
export function taskOf(
  files: TaskFiles,
  described: Pick<Task, 'id' | 'seed' | 'instruction' | 'config'>,
): Task {
  const { config } = described;
  return {
    ...described,
    path: files.path,
    seeds: (base) => initialSeeds(files, config, base),
    workspace: () => workspaceFiles(files, config),
    testSeeds: (copied) => testSeeds(files, copied),
    leaks: () => leaksOf(files, config),
    agentCodeUses: () => agentCodeUses(files),
    solutions: () => readSolutions(files, 'solution'),
    falseSolutions: () => readFalseSolutions(files),
  };
}
