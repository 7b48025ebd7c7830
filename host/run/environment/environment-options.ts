import { type Cancellable, deadline, describeError } from '../../../bridge/lib/index.ts';
import type { Refusal } from '../../../bridge/protocol/index.ts';
import type { Session, SessionOptions } from '../../ide/index.ts';
import {
  type AgentRootInfo,
  defaultDisplay,
  type Display,
  type Node,
  type SandboxSpec,
  type ScreenPicture,
  toSandboxName,
} from '../../node/index.ts';
import {
  chooseTaskWorkspace,
  type FolderTaskOptions,
  isImageTask,
  type LeftChanges,
  readTaskLimits,
  readTaskNetwork,
  type Task,
} from '../../tasks/index.ts';

/** Maximum steps of an agent at a task, as in the paper on Programming with Pixels. */
export const defaultMaxSteps = 20;

export interface EnvironmentOptions extends SessionOptions {
  readonly node: Node;
  readonly task: Task;
  /** Screen size in pixels, and whether there is sound. Default: the task's, else 1920x1080 without. */
  readonly display?: Display | undefined;
  /**
   * Image that is the root of its sandboxes' agents: a name, an archive, a layout, a root folder or a Dockerfile.
   * `{id}` in it is the task's name, without its family; `none` is our own. Default: the task's, else our own.
   */
  readonly image?: string | undefined;
  /** Absolute path of the workspace in its sandboxes. Default: the image's working folder, `/workspace` in our own. */
  readonly workspace?: string | undefined;
  /** Number of steps after which `truncated` is set, including those of abandoned branches. Default 20. */
  readonly maxSteps?: number | undefined;
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

interface SpecOptions extends Pick<EnvironmentOptions, 'display' | 'workspace' | 'keep'> {
  /** Default: our own image. */
  readonly root?: AgentRootInfo | null;
}

/** The sandbox that a task asks for. Given parts replace those of its display: another size keeps the sound. */
export async function makeSandboxSpec(
  task: Task,
  { display, root = null, keep = false, ...given }: SpecOptions,
): Promise<SandboxSpec> {
  const { workspace = isImageTask(task) ? task.workspacePath : chooseTaskWorkspace(task, root) } = given;
  return {
    name: toSandboxName(task.id),
    role: 'ide',
    seeds: await task.seeds({}, workspace, root?.home),
    keep,
    display: { ...defaultDisplay, ...task.config.pwp.display, ...display },
    limits: readTaskLimits(task),
    network: readTaskNetwork(task),
    workspace,
    ...(root && { root: root.image }),
  };
}

/** The longest that the IDE may take to come back, write delayed changes and settle before it is graded. */
const lastFlushMs = 60_000;

/** Why the IDE may not have written all of its changes; undefined if it had enough time. */
export async function whyUnwritten(
  session: Pick<Session, 'flush'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  using limit = deadline('the IDE to write its files', lastFlushMs, signal);
  try {
    await session.flush({ signal: limit.signal });
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    return describeError(error).split('\n', 1)[0];
  }
}
