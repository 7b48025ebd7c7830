import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import type { Environment } from '../environment/index.ts';
import type { EpisodeHistory, EventOf, RecordedObservation, RecordedState } from '../record/index.ts';

/** One event of an episode that changed the IDE. */
export interface EpisodeMoment {
  readonly event: EventOf<'step' | 'people'>;
  /** The agent's observation before it. */
  readonly before: RecordedObservation;
  /** The state after it; null in records without states. */
  readonly state: RecordedState | null;
  /** The last step so far, this one included. */
  readonly step: number;
  /** People took control before it was over: the observation shows what they left, or the state before. */
  readonly isMixed: boolean;
}

/** A checkpoint that was taken on the way. */
interface SavedCheckpoint {
  readonly id: string;
  readonly step: number;
  /** Number of moments before it. */
  readonly after: number;
}

/** The way of an episode to a step: the moments that led there, without those of abandoned branches. */
export interface EpisodePath {
  /** Null for the initial state of the task, else the checkpoint that the episode began from. */
  readonly from: string | null;
  readonly first: { readonly observation: RecordedObservation; readonly state: RecordedState | null };
  readonly moments: readonly EpisodeMoment[];
  /** Live checkpoints on it, the last first. */
  readonly saved: readonly SavedCheckpoint[];
}

/** A state of the IDE and the one before it: branches share the states before them. */
interface PathState {
  readonly parent: PathState | null;
  readonly from: string | null;
  readonly event: EventOf<'step' | 'people'> | null;
  readonly before: RecordedObservation;
  readonly observation: RecordedObservation;
  readonly step: number;
  state: RecordedState | null;
  isMixed: boolean;
  readonly saved: string[];
}

/**
 * The line to a step, `0` for the start. Errors: `usage` for a step that does not exist; `bad-record` for an episode
 * that never began.
 */
export function findPath(history: EpisodeHistory, step: number): EpisodePath {
  const place = collectStates(history).get(step);
  if (place) return tracePath(place);
  const { steps, folder } = history;
  throw new PwpError('usage', `${folder} has no step ${step}`, {
    help: `It has ${steps.length} step${steps.length === 1 ? '' : 's'}, from 1; 0 is the start.`,
  });
}

function collectStates({ events, start, folder }: EpisodeHistory): Map<number, PathState> {
  const bySteps = new Map<number, PathState>();
  const byCheckpoint = new Map<string, PathState>();
  let at: PathState | null = null;
  for (const event of events) {
    if (event.event === 'reset') {
      const isFork = event.from === 'fork';
      const from = isFork ? (event.checkpoint ?? start.forkedFrom?.checkpoint ?? '') : null;
      at = makeRootState(from, 0, event.observation);
      bySteps.set(0, at);
      if (event.checkpoint) byCheckpoint.set(event.checkpoint, at);
      if (event.checkpoint && isFork) at.saved.push(event.checkpoint);
    }
    if (at === null) continue;
    if (event.event === 'step' || event.event === 'people') {
      const step: number = event.event === 'step' ? event.step : at.step;
      const { observation } = event;
      const isSame: boolean = observation.number === at.observation.number;
      // The step before has already reported what people did.
      if (event.event === 'people' && isSame) at.isMixed = true;
      at = {
        parent: at,
        from: at.from,
        event,
        before: at.observation,
        observation,
        step,
        state: null,
        // The agent was not shown the state after it.
        isMixed: event.event === 'step' && isSame,
        saved: [],
      };
      if (event.event === 'step') bySteps.set(step, at);
    }
    if (event.event === 'state') at.state = event;
    if (event.event === 'checkpoint') {
      byCheckpoint.set(event.checkpoint.id, at);
      if (event.checkpoint.kind === 'live') at.saved.push(event.checkpoint.id);
    }
    if (event.event === 'restore') {
      const back: PathState =
        byCheckpoint.get(event.checkpoint) ??
        makeRootState(event.checkpoint, event.step ?? 0, event.observation);
      // Marks have had other numbers since then.
      at = { ...back, observation: event.observation };
    }
  }
  if (at !== null) return bySteps;
  throw new PwpError('bad-record', `the episode in ${folder} never began: there is nothing to go back to`);
}

function makeRootState(from: string | null, step: number, observation: RecordedObservation): PathState {
  return {
    parent: null,
    from,
    event: null,
    before: observation,
    observation,
    step,
    state: null,
    isMixed: false,
    saved: [],
  };
}

function tracePath(last: PathState): EpisodePath {
  const places: PathState[] = [];
  for (let at: PathState | null = last; at; at = at.parent) places.unshift(at);
  const [first = last, ...rest] = places;
  const moments = rest.flatMap(({ event, before, state, step, isMixed }) =>
    event ? [{ event, before, state, step, isMixed }] : [],
  );
  const saved = places.flatMap(({ saved: ids, step }, after) => ids.map((id) => ({ id, step, after })));
  const { from, observation, state } = first;
  return { from, first: { observation, state }, moments, saved: saved.toReversed() };
}

/** The beginning of a replay. */
export interface Beginning {
  /** The checkpoint that it began from; null for the initial state of the task. */
  readonly checkpoint: string | null;
  /** The step that this reached, `0` for the start. */
  readonly step: number;
  /** The number of the line's moments that this reached. */
  readonly after: number;
  /** Why it did not begin later. */
  readonly notes: readonly string[];
}

/** A replay that has begun. */
interface BegunReplay {
  readonly beginning: Beginning;
  /** The screen at the checkpoint, as PNG; null without one. */
  readonly restored: Uint8Array | null;
}

/** Errors after which the recorded actions still lead there, without the checkpoint. */
const replayableErrors = [
  'no-such-checkpoint',
  'checkpoint-damaged',
  'checkpoint-other-image',
  'checkpoint-other-format',
  'restore-failed',
  'unsupported',
];

/**
 * Begins at the last checkpoint of the line that can be restored, else in the task's initial state. Errors:
 * `replay-no-start` for an episode that itself began from a checkpoint, which is gone.
 * @param useCheckpoints consider the checkpoints that were taken on the way
 */
export async function beginReplay(
  env: Environment,
  history: EpisodeHistory,
  line: EpisodePath,
  useCheckpoints: boolean,
  signal: AbortSignal,
): Promise<BegunReplay> {
  const notes: string[] = [];
  const usable = line.saved.filter(({ after }) => useCheckpoints || (line.from !== null && after === 0));
  const first: SavedCheckpoint[] =
    line.from === null || usable.some(({ id }) => id === line.from)
      ? []
      : [{ id: line.from, step: 0, after: 0 }];
  for (const { id, step, after } of [...usable, ...first]) {
    const resumed = await resumeAt(env, id, step, signal);
    if (!('why' in resumed)) return { beginning: { checkpoint: id, step, after, notes }, ...resumed };
    notes.push(`the checkpoint after step ${step} can't be used: ${resumed.why}`);
  }
  if (line.from !== null) throw makeNoStartError(history, notes);
  const [, { notes: ofReset }] = await env.reset({ signal });
  const beginning = { checkpoint: null, step: 0, after: 0, notes: [...notes, ...ofReset] };
  return { beginning, restored: null };
}

/** Begins there, or returns why it can't. */
async function resumeAt(
  env: Environment,
  checkpoint: string,
  step: number,
  signal: AbortSignal,
): Promise<Pick<BegunReplay, 'restored'> | { readonly why: string }> {
  let restored: Uint8Array | null = null;
  try {
    await env.resume(
      { checkpoint, step },
      { signal, onRestored: (screen) => (restored = screen?.bytes ?? null) },
    );
    return { restored };
  } catch (error) {
    if (error instanceof PwpError && replayableErrors.includes(error.code))
      return { why: describeError(error) };
    throw error;
  }
}

function makeNoStartError({ start, folder }: EpisodeHistory, notes: readonly string[]): PwpError {
  const { forkedFrom } = start;
  const at = forkedFrom?.step ?? null;
  const where = forkedFrom ? ` ${forkedFrom.session}${at === null ? '' : ` after its step ${at}`}` : '';
  return new PwpError(
    'replay-no-start',
    `the episode in ${folder} began from a checkpoint: ${notes.join('; ')}`,
    {
      help: `It branched off the episode${where}: replay that one.`,
    },
  );
}
