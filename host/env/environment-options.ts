import type { Cancellable } from '../../bridge/lib/index.ts';
import type { LeftChanges } from '../grade/index.ts';
import type { Display, Node, Refusal, ScreenPicture } from '../node/index.ts';
import type { FolderTaskOptions, Task } from '../tasks/index.ts';
import type { SessionOptions } from './session.ts';

export interface EnvironmentOptions extends SessionOptions {
  readonly node: Node;
  readonly task: Task;
  /** Screen size in pixels, and whether there is sound. Default: the task's, else 1920x1080 without. */
  readonly display?: Display;
  /** Number of steps after which `truncated` is set, including those of abandoned branches. Default 100. */
  readonly stepLimit?: number;
  /** Boot the IDE at each reset, and take no golden checkpoint of it. Default false. */
  readonly cold?: boolean;
  /**
   * How many sandboxes to restore in advance for the next resets; they take memory but no processor time. Default 0.
   */
  readonly warm?: number;
  /** Its sandboxes outlive this process: `close` leaves the last one running. Default false. */
  readonly keep?: boolean;
  /** Called for each connection that the sandbox was refused. */
  readonly onRefusal?: ((refusal: Refusal) => void) | undefined;
}

export type EnvironmentOpenOptions = Omit<EnvironmentOptions, 'task'> & FolderTaskOptions;

export interface EnvironmentForkOptions {
  /** Id of the checkpoint. Default: one that is taken now. */
  readonly from?: string;
  /** How many environments. Default 1. */
  readonly count?: number;
  /** Called for each connection that a fork's sandbox was refused. */
  readonly onRefusal?: (refusal: Refusal) => void;
}

/** How `Environment.grade` scores. */
export interface EnvironmentGradeOptions extends Cancellable {
  /**
   * Called with the agent's changes to its workspace, read during the grading; also if there is no score afterwards.
   * Default: they are not read.
   */
  readonly onChanges?: ((changes: LeftChanges) => void) | undefined;
}

/** How `Environment.resume` begins. */
export interface ResumeOptions extends Cancellable {
  /** Called with the screen as soon as it can be read, before what was pending at the checkpoint. Null if it can't be. */
  readonly onRestored?: ((screen: ScreenPicture | null) => void) | undefined;
}
