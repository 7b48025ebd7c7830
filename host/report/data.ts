import { basename, join } from 'node:path';
import { readFrame, readMarks, readRecord, type EpisodeHistory, type EventOf } from '../record/index.ts';
import type { RecordedMark, RecordedObservation } from '../record/index.ts';
import { readPatch, type ShownPatch } from './changes.ts';
import { pictureOf, type Picture } from './images.ts';

/** Everything a report shows, loaded; rendering reads no file. */
export interface ReportData {
  readonly history: EpisodeHistory;
  /** The agent's changes, as a patch; null without one. */
  readonly patch: ShownPatch | null;
  readonly moments: readonly Moment[];
  /** By the path of the frame in the record. */
  readonly pictures: ReadonlyMap<string, Picture>;
  /** By the path of the marks file in the record. */
  readonly marks: ReadonlyMap<string, readonly RecordedMark[]>;
}

/** One stop on the timeline: the start, a step, a restore or a turn of people, with the screen after it. */
export interface Moment {
  /** Id of its place in the page. */
  readonly id: string;
  /** `Start`, `Step 3`, `Back to step 2`, `People`. */
  readonly name: string;
  readonly observation: RecordedObservation;
  readonly step: EventOf<'step'> | null;
  readonly restore: EventOf<'restore'> | null;
  readonly people: EventOf<'people'> | null;
  /** The messages of people and the agent after it. */
  readonly said: readonly Said[];
  /** Milliseconds since the record was opened. */
  readonly ms: number;
}

export type Said = EventOf<'message' | 'reply'>;

export async function loadReport(folder: string): Promise<ReportData> {
  const history = await readRecord(folder);
  const moments = momentsOf(history);
  const pictures = new Map<string, Picture>();
  const marks = new Map<string, readonly RecordedMark[]>();
  // One after the other: a picture in progress takes tens of megabytes, and a record may contain hundreds.
  for (const { observation } of moments) {
    const { screen } = observation;
    if (!pictures.has(screen)) pictures.set(screen, await pictureIn(folder, screen));
    if (!marks.has(observation.marks)) marks.set(observation.marks, await readMarks(folder, observation));
  }
  const file = history.changes?.patch ?? null;
  const patch = file === null ? null : await readPatch(folder, basename(file));
  return { history, patch, moments, pictures, marks };
}

async function pictureIn(folder: string, screen: string): Promise<Picture> {
  return await pictureOf(join(folder, screen), await readFrame(folder, screen));
}

function momentsOf({ reset, course }: EpisodeHistory): Moment[] {
  const moments = reset === null ? [] : [startOf(reset)];
  for (const [place, event] of course.entries()) {
    if (event.event === 'message' || event.event === 'reply') moments.at(-1)?.said.push(event);
    else moments.push(momentOf(event, place));
  }
  return moments;
}

/** A moment, to which the messages after it are added. */
export type GrowingMoment = Moment & { readonly said: Said[] };

export function startOf(reset: EventOf<'reset'>): GrowingMoment {
  return { ...base(reset), id: 'step-0', name: 'Start' };
}

/** @param place position of the event in the course of its episode, from 0 */
export function momentOf(
  event: Exclude<EpisodeHistory['course'][number], Said>,
  place: number,
): GrowingMoment {
  switch (event.event) {
    case 'step':
      return { ...base(event), id: `step-${event.step}`, name: `Step ${event.step}`, step: event };
    case 'restore':
      return {
        ...base(event),
        id: `branch-${event.branch}`,
        name: `Back to ${backTo(event)}`,
        restore: event,
      };
    case 'people':
      return { ...base(event), id: `people-${place}`, name: 'People', people: event };
  }
}

function base({ observation, ms }: Pick<Moment, 'observation' | 'ms'>) {
  const none: Pick<Moment, 'step' | 'restore' | 'people'> = { step: null, restore: null, people: null };
  return { observation, ms, ...none, said: [] as Said[] };
}

/** The target of a restore, in words: `the start`, `step 2`, or the checkpoint's id. */
export function backTo({ step, checkpoint }: EventOf<'restore'>): string {
  if (step === null) return checkpoint;
  return step === 0 ? 'the start' : `step ${step}`;
}

/** Whether a step has an action that was not seen to succeed. */
export function isFailing({ step }: Moment): boolean {
  if (step === null) return false;
  const failed = step.outcomes.some(({ effect }) => effect !== 'confirmed' && effect !== 'unverifiable');
  return failed || step.skipped.length > 0;
}
