import { PwpError } from '../../bridge/lib/index.ts';
import type { EpisodeHistory, EventOf, RecordedObservation, RecordedState } from '../record/index.ts';

/** One event of an episode that changed the IDE. */
export interface Moment {
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
export interface Saved {
  readonly id: string;
  readonly step: number;
  /** Number of moments before it. */
  readonly after: number;
}

/** The way of an episode to a step: the moments that led there, without those of abandoned branches. */
export interface Line {
  /** Null for the initial state of the task, else the checkpoint that the episode began from. */
  readonly from: string | null;
  readonly first: { readonly observation: RecordedObservation; readonly state: RecordedState | null };
  readonly moments: readonly Moment[];
  /** Live checkpoints on it, the last first. */
  readonly saved: readonly Saved[];
}

/** A state of the IDE and the one before it: branches share the states before them. */
interface Place {
  readonly parent: Place | null;
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
export function lineTo(history: EpisodeHistory, step: number): Line {
  const place = placesOf(history).get(step);
  if (place) return lineOf(place);
  const { steps, folder } = history;
  throw new PwpError('usage', `${folder} has no step ${step}`, {
    help: `It has ${steps.length} step${steps.length === 1 ? '' : 's'}, from 1; 0 is the start.`,
  });
}

function placesOf({ events, start, folder }: EpisodeHistory): Map<number, Place> {
  const bySteps = new Map<number, Place>();
  const byCheckpoint = new Map<string, Place>();
  let at: Place | null = null;
  for (const event of events) {
    if (event.event === 'reset') {
      const isFork = event.from === 'fork';
      const from = isFork ? (event.checkpoint ?? start.forkedFrom?.checkpoint ?? '') : null;
      at = root(from, 0, event.observation);
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
      const back: Place =
        byCheckpoint.get(event.checkpoint) ?? root(event.checkpoint, event.step ?? 0, event.observation);
      // Marks have had other numbers since then.
      at = { ...back, observation: event.observation };
    }
  }
  if (at !== null) return bySteps;
  throw new PwpError('bad-record', `the episode in ${folder} never began: there is nothing to go back to`);
}

function root(from: string | null, step: number, observation: RecordedObservation): Place {
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

function lineOf(last: Place): Line {
  const places: Place[] = [];
  for (let at: Place | null = last; at; at = at.parent) places.unshift(at);
  const [first = last, ...rest] = places;
  const moments = rest.flatMap(({ event, before, state, step, isMixed }) =>
    event ? [{ event, before, state, step, isMixed }] : [],
  );
  const saved = places.flatMap(({ saved: ids, step }, after) => ids.map((id) => ({ id, step, after })));
  const { from, observation, state } = first;
  return { from, first: { observation, state }, moments, saved: saved.toReversed() };
}
