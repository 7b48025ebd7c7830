import { type Cancellable, neverAborted, PwpError } from '../../../bridge/lib/index.ts';
import { type Action, actionText, type StepInfo } from '../../ide/index.ts';
import { packagedTasksFolder } from '../../lib/index.ts';
import type { Node, ViewOptions } from '../../node/index.ts';
import { findTasks, type Task } from '../../tasks/index.ts';
import { Environment } from '../environment/index.ts';
import { type EpisodeHistory, readMarks } from '../record/index.ts';
import { comparedParts, type Comparison, type LateComparison, makeComparer } from './compare-state.ts';
import {
  type Beginning,
  beginReplay,
  type EpisodeMoment,
  type EpisodePath,
  findPath,
} from './episode-path.ts';
import { type Playable, playablePeople, playableStep } from './playable-step.ts';

export interface ReplayOptions extends Cancellable {
  readonly node: Node;
  readonly history: EpisodeHistory;
  readonly task: Task;
  /** The step to go to, `0` for the start. */
  readonly to: number;
  /** Begin at the last checkpoint on the way. Default true. */
  readonly checkpoints?: boolean | undefined;
  /** The sandbox outlives this process. Default false. */
  readonly keep?: boolean | undefined;
  /** Called, and awaited, after each step. */
  readonly onStep?: ((step: ReplayedStep, env: Environment) => Promise<void> | void) | undefined;
}

/** One state that was reached again. */
export interface ReplayedStep extends Comparison {
  /** `0` for the start. Acts of people have the number of the step before. */
  readonly step: number;
  readonly by: 'start' | 'checkpoint' | 'agent' | 'people';
  /** The played actions, for people. */
  readonly actions: readonly string[];
  readonly notes: readonly string[];
}

/** The result of a replay. */
export interface ReplayReport {
  readonly to: number;
  /** The last step whose state was reached, whether it was the same or not. */
  readonly reached: number;
  /** Why it stopped before `to`; null if it did not. */
  readonly stopped: string | null;
  readonly beginning: Beginning;
  /** The beginning, and everything that was played. */
  readonly steps: readonly ReplayedStep[];
  /** The last step up to which every state was the same; null if the beginning already differed. */
  readonly sameTo: number | null;
  /**
   * `same`: the state at `to` is the recorded one in everything that is compared. `apart`: it is not, or was not reached.
   * `not-compared`: it is the same as far as it could be compared, which was not everything.
   */
  readonly end: 'same' | 'apart' | 'not-compared';
  readonly notes: readonly string[];
}

/** An IDE in the state that an episode had after a step. Dispose it to end the sandbox. */
export interface Replayed extends AsyncDisposable {
  readonly env: Environment;
  readonly report: ReplayReport;
}

/**
 * Brings an IDE into the state that an episode had after a step: by a checkpoint, then by playing the recorded actions
 * again. Each state is compared with the record. It stops if an action can't be played as it was; it continues after a
 * difference, and reports it. Errors: `usage`, `replay-no-start`; those of `Environment.reset` and `Environment.step`.
 */
export async function replay(options: ReplayOptions): Promise<Replayed> {
  const { history, to, node, task, keep = false } = options;
  const line = findPath(history, to);
  const { width, height } = line.first.observation;
  const view = readRecordedView(history);
  const env = new Environment({
    node,
    task,
    keep,
    display: { width, height },
    maxSteps: Infinity,
    ...view.option,
  });
  try {
    const report = await playPath(env, line, options);
    return {
      env,
      report: { ...report, notes: [...view.notes, ...report.notes] },
      [Symbol.asyncDispose]: () => env.close(),
    };
  } catch (error) {
    await env.discard();
    throw error;
  }
}

/** The agent's coordinates are in the pixels of the picture that it saw. */
function readRecordedView({ start }: EpisodeHistory): { option: { view?: ViewOptions }; notes: string[] } {
  const { model, view } = start.agent;
  if (view) return { option: { view: { ...view } }, notes: [] };
  if (view === null || model === undefined) return { option: {}, notes: [] };
  return {
    option: { view: { within: usualView } },
    notes: [
      `the record does not say in which pixels its coordinates are: ${usualView.width}x${usualView.height} is assumed`,
    ],
  };
}

/** The view of agents that ask a model, from the time before records contained it. */
const usualView = { width: 1280, height: 720 };

async function playPath(
  env: Environment,
  line: EpisodePath,
  { history, to, checkpoints = true, onStep, signal = neverAborted }: ReplayOptions,
): Promise<ReplayReport> {
  const { beginning, restored } = await beginReplay(env, history, line, checkpoints, signal);
  const look = makeComparer(env, history, signal);
  const steps: ReplayedStep[] = [];
  const add = async (step: ReplayedStep) => {
    steps.push(step);
    await onStep?.(step, env);
  };
  const { step, after } = beginning;
  const reached = line.moments[after - 1];
  const [at, state] = reached
    ? [reached.event.observation, reached.state]
    : [line.first.observation, line.first.state];
  const by = beginning.checkpoint === null ? 'start' : 'checkpoint';
  await add({ step, by, actions: [], ...(await look(at, state, restored)) });
  let stopped: string | null = null;
  for (const moment of line.moments.slice(after)) {
    const played = await playMoment(env, moment, history, signal);
    if ('why' in played) {
      stopped = `${moment.event.event === 'people' ? 'after ' : ''}step ${moment.step}: ${played.why}`;
      break;
    }
    const { event } = moment;
    const { notes, ...comparison } = moment.isMixed
      ? mixedMoment
      : await look(event.observation, moment.state);
    const how = event.event === 'people' ? 'people' : 'agent';
    await add({
      step: moment.step,
      by: how,
      actions: played.actions.map(actionText),
      notes: [...played.notes, ...notes],
      ...comparison,
    });
  }
  const last = steps.at(-1);
  return {
    ...{ to, reached: last?.step ?? step, stopped, beginning, steps },
    sameTo: findLastSame(steps),
    end: stopped !== null || last === undefined ? 'apart' : judgeEnd(last),
    notes: [...beginning.notes, ...noteOtherImage(env, history)],
  };
}

/** For a moment that was recorded in the state that people left: their acts are played next. */
const mixedMoment: LateComparison = {
  differences: [],
  notCompared: comparedParts,
  notes: ['people had control before the step was over, so what it left was not recorded'],
};

function findLastSame(steps: readonly ReplayedStep[]): number | null {
  const apart = steps.findIndex(({ differences }) => differences.length > 0);
  const same = apart < 0 ? steps : steps.slice(0, apart);
  return same.at(-1)?.step ?? null;
}

/** Whether a state is the recorded one. */
export function judgeEnd({ differences, notCompared }: Comparison): ReplayReport['end'] {
  if (differences.length > 0) return 'apart';
  return notCompared.length > 0 ? 'not-compared' : 'same';
}

async function playMoment(
  env: Environment,
  { event, before }: EpisodeMoment,
  { folder }: EpisodeHistory,
  signal: AbortSignal,
): Promise<
  { readonly actions: readonly Action[]; readonly notes: readonly string[] } | { readonly why: string }
> {
  const playable: Playable =
    event.event === 'people'
      ? playablePeople(event, env.observation.screen.view !== undefined)
      : playableStep(event, {
          then: await readMarks(folder, before),
          now: (env.observation.onScreen ?? env.observation).marks,
        });
  if ('why' in playable) return playable;
  const [, , , , info] = await env.step(playable.actions, { signal });
  const why = whyNotPlayed(info);
  return why === undefined ? playable : { why };
}

/** Why an action is not played now, since all of them were played then; undefined if all were played. */
function whyNotPlayed({ outcomes, skipped }: StepInfo): string | undefined {
  const refused = outcomes.find(({ effect }) => effect === 'refused');
  if (refused) return `${actionText(refused.action)} is refused now: ${refused.evidence}`;
  const [first] = skipped;
  return (
    first && `${actionText(first)} is not tried now: ${outcomes.at(-1)?.evidence ?? 'no reason is known'}`
  );
}

function noteOtherImage(env: Environment, { reset }: EpisodeHistory): string[] {
  const [, { image }] = env.began;
  if (!reset || reset.image === image) return [];
  return [`the episode was recorded on the image ${reset.image.slice(0, 12)}, this is ${image.slice(0, 12)}`];
}

/**
 * The task of an episode, in its variant. Errors: `no-such-task`; `replay-other-task` if its instruction has changed, for a
 * task with variants once it is made; `unsupported` for a record without a task.
 * @param folders the folders to search. Default: the project's own tasks
 */
export async function findRecordedTask(
  { start, reset, folder }: EpisodeHistory,
  folders: readonly string[] = [packagedTasksFolder()],
): Promise<Task> {
  const { task: id, seed } = start;
  if (id === null)
    throw new PwpError('unsupported', `${folder} records work on a folder, not on a task`, {
      help: 'Only the episode of a task can be replayed: its initial state is known.',
    });
  const found = (await findTasks(folders, { seed: seed ?? 0 })).find((task) => task.id === id);
  if (!found)
    throw new PwpError('no-such-task', `there is no task ${id} in ${folders.join(', ')}`, {
      help: 'Name its folder: --task <folder>',
    });
  const asRecorded = (task: Task): Task => {
    if (!reset || reset.instruction === task.instruction) return task;
    throw new PwpError(
      'replay-other-task',
      `the instruction of ${id} has changed since ${folder} was recorded`,
      {
        help: `Replay it with the task as it was: --task <folder>. It is read from ${task.path}.`,
      },
    );
  };
  const { make } = found;
  return make ? { ...found, make: async (run) => asRecorded(await make(run)) } : asRecorded(found);
}
