import type { Leak } from './leaks/index.ts';
import type { Settings, TaskConfig } from './schema.ts';
import type { TaskSeed } from './seeds.ts';
import type { FalseSolution, Solution } from './solution.ts';

/** A task of a Harbor-format folder, checked; archives are made on request. */
export interface Task {
  /** Name of the folder above and of the task's own, e.g. `vscode/autosave-500`. */
  readonly id: string;
  /** Absolute path of its folder. */
  readonly path: string;
  /** The seed of its variant; null for a task that is the same with every seed. */
  readonly seed: number | null;
  /** The instruction for the agent, without the white space around it. */
  readonly instruction: string;
  readonly config: TaskConfig;
  /**
   * The initial state, as archives for a new sandbox; the same bytes every time.
   * @param base user settings that every task starts with; the task's own win
   */
  seeds(base?: Settings): Promise<TaskSeed[]>;
  /** The tests, for the grading sandbox alone. */
  testSeeds(): Promise<TaskSeed[]>;
  /** Places where the agent could read the content of tests and solutions. */
  leaks(): Promise<Leak[]>;
  /** Lines of the tests that seem to run the agent's code beside them, as `tests/check.py:12: …`: a hint, no proof. */
  agentCodeUses(): Promise<string[]>;
  /** Solutions that must score 1, sorted by name. */
  solutions(): Promise<Solution[]>;
  /** Solutions that must score 0, sorted by name. */
  falseSolutions(): Promise<FalseSolution[]>;
}
