import { type Cancellable, describeError, PwpError } from '../../../bridge/lib/index.ts';
import { clipEnd } from '../../../bridge/text/index.ts';
import { dropBinaryParts } from '../../lib/index.ts';
import { defaultDisplay, defaultLimits, type Node, type SandboxSpec } from '../../node/index.ts';
import { type ImageTask, packArchive, type Task, type TaskImage } from '../format/index.ts';
import type { AskIdeOptions } from './ask-ide.ts';
import { startUntouched } from './fresh-sandbox.ts';
import { compareFolders, type LeftChanges, readLeftChanges } from './left-changes.ts';
import type { CheckResult } from './verdict.ts';

interface EnterImageOptions extends Cancellable {
  readonly node: Node;
  /** As `SandboxSpec.root`. */
  readonly root: string;
  readonly signal: AbortSignal;
}

/**
 * The task as it is played in an image: another one, if its workspace comes with the image. Errors: `unsupported` for an
 * image that is not the task's own or shows its solution; `owners-package-missing`, `bad-data`.
 */
export async function enterImage(task: Task, options: EnterImageOptions): Promise<Task> {
  const inside = task.inImage ?? task;
  await inside.checkImage?.(await openTaskImage(inside, options));
  return inside;
}

export function isImageTask(task: Task): task is ImageTask {
  return 'judge' in task;
}

/** @param copy as in a sandbox's spec: with one, its sandboxes never wait for room */
async function openTaskImage(
  task: Task,
  { node, root, signal, copy }: EnterImageOptions & Pick<SandboxSpec, 'copy'>,
): Promise<TaskImage> {
  const spec = { name: 'image', role: 'bare', keep: false, root } as const;
  const workspace = isImageTask(task) && { workspace: task.workspacePath };
  const place = {
    ...spec,
    display: defaultDisplay,
    limits: defaultLimits,
    ...workspace,
    ...(copy && { copy }),
  };
  return {
    name: root,
    key: await node.image({ root, signal }),
    signal,
    start: (files) => {
      const seeds = files.length > 0 ? [{ path: '/', tar: packArchive(files) }] : [];
      return node.start({ ...place, seeds }, { signal });
    },
  };
}

interface ImageGrade {
  readonly reward: number;
  readonly checks: readonly CheckResult[];
  readonly noVerdict?: string;
  readonly log: string;
}

type GradeInImageOptions = AskIdeOptions & {
  readonly onChanges?: ((changes: LeftChanges) => void) | undefined;
};

/**
 * Has a task's owners judge what was changed in the workspace, in fresh sandboxes of the same image. Errors:
 * `grading-failed` without a score.
 */
export async function gradePatchInImage(options: GradeInImageOptions, task: ImageTask): Promise<ImageGrade> {
  const { node, sandbox, signal } = options;
  const { root } = sandbox;
  if (root === null)
    throw new PwpError('internal', `${task.id} is graded in an image, and its sandbox has none`);
  const left = await readFrozenChanges(options);
  options.onChanges?.(left);
  if ('problem' in left) return await explainUnread(options, left.problem);
  const image = await openTaskImage(task, { node, root, signal, copy: { from: sandbox.id, paths: [] } });
  const {
    reward,
    checks,
    why = 'its owners give no reason',
    log,
  } = await task.judge(dropBinaryParts(left.text).text, image);
  if (reward === null) throw new PwpError('grading-failed', `${why}\n${clipEnd(log, mostShownLog)}`);
  return { reward, checks, log };
}

const mostShownLog = 4000;

async function readFrozenChanges(options: GradeInImageOptions): Promise<LeftChanges> {
  await using frozen = new AsyncDisposableStack();
  frozen.use(await options.sandbox.freeze());
  return await readLeftChanges(options);
}

/** The agent is at fault, and not the machine, if an untouched workspace can be read. */
async function explainUnread(options: GradeInImageOptions, problem: string): Promise<ImageGrade> {
  await using untouched = await startUntouched(options);
  await compareFolders(untouched, untouched, options.signal).catch((cause: unknown) => {
    throw new PwpError('grading-failed', `the workspace can't be read: ${describeError(cause)}`, { cause });
  });
  return { reward: 0, checks: [], noVerdict: problem, log: problem };
}
