import { neverAborted, type Cancellable } from '../../bridge/lib/index.ts';
import { actionText, Environment, type Action, type StepInfo } from '../env/index.ts';
import type { Node, ViewOptions } from '../node/index.ts';
import { readMarks, type EpisodeHistory } from '../record/index.ts';
import type { Task } from '../tasks/index.ts';
import { begin, type Beginning } from './begin.ts';
import { compared, type Comparison } from './compare.ts';
import { lineTo, type Line, type Moment } from './line.ts';
import { comparer, type Looked } from './look.ts';
import { playablePeople, playableStep, type Playable } from './playable.ts';

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
  const line = lineTo(history, to);
  const { width, height } = line.first.observation;
  const view = viewOf(history);
  const env = new Environment({
    node,
    task,
    keep,
    display: { width, height },
    stepLimit: Infinity,
    ...view.option,
  });
  try {
    const report = await play(env, line, options);
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
function viewOf({ start }: EpisodeHistory): { option: { view?: ViewOptions }; notes: string[] } {
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

async function play(
  env: Environment,
  line: Line,
  { history, to, checkpoints = true, onStep, signal = neverAborted }: ReplayOptions,
): Promise<ReplayReport> {
  const { beginning, restored } = await begin(env, history, line, checkpoints, signal);
  const look = comparer(env, history, signal);
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
    const { notes, ...comparison } = moment.isMixed ? mixed : await look(event.observation, moment.state);
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
    sameTo: sameTo(steps),
    end: stopped !== null || last === undefined ? 'apart' : endOf(last),
    notes: [...beginning.notes, ...imageNote(env, history)],
  };
}

/** For a moment that was recorded in the state that people left: their acts are played next. */
const mixed: Looked = {
  differences: [],
  notCompared: compared,
  notes: ['people had control before the step was over, so what it left was not recorded'],
};

function sameTo(steps: readonly ReplayedStep[]): number | null {
  const apart = steps.findIndex(({ differences }) => differences.length > 0);
  const same = apart < 0 ? steps : steps.slice(0, apart);
  return same.at(-1)?.step ?? null;
}

/** Whether a state is the recorded one. */
export function endOf({ differences, notCompared }: Comparison): ReplayReport['end'] {
  if (differences.length > 0) return 'apart';
  return notCompared.length > 0 ? 'not-compared' : 'same';
}

async function playMoment(
  env: Environment,
  { event, before }: Moment,
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

function imageNote(env: Environment, { reset }: EpisodeHistory): string[] {
  const [, { image }] = env.began;
  if (!reset || reset.image === image) return [];
  return [`the episode was recorded on the image ${reset.image.slice(0, 12)}, this is ${image.slice(0, 12)}`];
}
