import { basename, join } from 'node:path';
import type { Sharp } from 'sharp';
import {
  type EpisodeHistory,
  type EventOf,
  readFrame,
  readMarks,
  readRecord,
  type RecordedMark,
  type RecordedObservation,
  usePicture,
} from '../../run/index.ts';
import { readPatch, type ShownPatch } from './recorded-changes.ts';

/** Everything a report shows, loaded; rendering reads no file. */
export interface ReportData {
  readonly history: EpisodeHistory;
  /** The agent's changes, as a patch; null without one. */
  readonly patch: ShownPatch | null;
  readonly moments: readonly ReportMoment[];
  /** By the path of the frame in the record. */
  readonly pictures: ReadonlyMap<string, ReportPicture>;
  /** By the path of the marks file in the record. */
  readonly marks: ReadonlyMap<string, readonly RecordedMark[]>;
}

/** One stop on the timeline: the start, a step, a restore or a turn of people, with the screen after it. */
export interface ReportMoment {
  /** Id of its place in the page. */
  readonly id: string;
  /** `Start`, `Step 3`, `Back to step 2`, `People`. */
  readonly name: string;
  readonly observation: RecordedObservation;
  readonly step: EventOf<'step'> | null;
  readonly restore: EventOf<'restore'> | null;
  readonly people: EventOf<'people'> | null;
  /** The messages of people and the agent after it. */
  readonly said: readonly ChatEvent[];
  /** Milliseconds since the record was opened. */
  readonly ms: number;
}

export type ChatEvent = EventOf<'message' | 'reply'>;

export async function loadReport(folder: string): Promise<ReportData> {
  const history = await readRecord(folder);
  const moments = listMoments(history);
  const pictures = new Map<string, ReportPicture>();
  const marks = new Map<string, readonly RecordedMark[]>();
  // One after the other: a picture in progress takes tens of megabytes, and a record may contain hundreds.
  for (const { observation } of moments) {
    const { screen } = observation;
    if (!pictures.has(screen)) pictures.set(screen, await loadPicture(folder, screen));
    if (!marks.has(observation.marks)) marks.set(observation.marks, await readMarks(folder, observation));
  }
  const file = history.changes?.patch ?? null;
  const patch = file === null ? null : await readPatch(folder, basename(file));
  return { history, patch, moments, pictures, marks };
}

async function loadPicture(folder: string, screen: string): Promise<ReportPicture> {
  return await encodePicture(join(folder, screen), await readFrame(folder, screen));
}

function listMoments({ reset, course }: EpisodeHistory): ReportMoment[] {
  const moments = reset === null ? [] : [makeStartMoment(reset)];
  for (const [place, event] of course.entries()) {
    if (event.event === 'message' || event.event === 'reply') moments.at(-1)?.said.push(event);
    else moments.push(makeMoment(event, place));
  }
  return moments;
}

/** A moment, to which the messages after it are added. */
export type GrowingMoment = ReportMoment & { readonly said: ChatEvent[] };

export function makeStartMoment(reset: EventOf<'reset'>): GrowingMoment {
  return { ...makeMomentBase(reset), id: 'step-0', name: 'Start' };
}

/** @param place position of the event in the course of its episode, from 0 */
export function makeMoment(
  event: Exclude<EpisodeHistory['course'][number], ChatEvent>,
  place: number,
): GrowingMoment {
  switch (event.event) {
    case 'step':
      return { ...makeMomentBase(event), id: `step-${event.step}`, name: `Step ${event.step}`, step: event };
    case 'restore':
      return {
        ...makeMomentBase(event),
        id: `branch-${event.branch}`,
        name: `Back to ${describeRestore(event)}`,
        restore: event,
      };
    case 'people':
      return { ...makeMomentBase(event), id: `people-${place}`, name: 'People', people: event };
  }
}

function makeMomentBase({ observation, ms }: Pick<ReportMoment, 'observation' | 'ms'>) {
  const none: Pick<ReportMoment, 'step' | 'restore' | 'people'> = { step: null, restore: null, people: null };
  return { observation, ms, ...none, said: [] as ChatEvent[] };
}

/** The target of a restore, in words: `the start`, `step 2`, or the checkpoint's id. */
function describeRestore({ step, checkpoint }: EventOf<'restore'>): string {
  if (step === null) return checkpoint;
  return step === 0 ? 'the start' : `step ${step}`;
}

/** Whether a step has an action that was not seen to succeed. */
export function isFailingMoment({ step }: ReportMoment): boolean {
  if (step === null) return false;
  const failed = step.outcomes.some(({ effect }) => effect !== 'confirmed' && effect !== 'unverifiable');
  return failed || step.skipped.length > 0;
}

/** One screen for a page: both pictures are `data:` addresses. */
export interface ReportPicture {
  /** WebP in the size of the screen. */
  readonly full: string;
  /** WebP, small, for the strip. */
  readonly thumb: string;
}

const thumbWidth = 320;

/**
 * Re-encodes a screenshot. Errors: `bad-picture`. A third of the PNG's size, with text still sharp. Smart subsampling
 * would take six times as long, and the text would look the same.
 * @param name for errors
 */
async function encodePicture(name: string, png: Uint8Array): Promise<ReportPicture> {
  const made = await usePicture(name, png, (picture) => [
    picture().webp({ quality: 86, effort: 1 }).toBuffer(),
    shrinkPicture(picture()),
  ]);
  const [full = '', thumb = ''] = made.map(toDataAddress);
  return { full, thumb };
}

/** A small WebP of a picture. Errors: `bad-picture`. @param name for errors */
export async function encodeThumbnail(name: string, bytes: Uint8Array): Promise<Buffer> {
  const [thumb] = await usePicture(name, bytes, (picture) => [shrinkPicture(picture())]);
  return thumb ?? Buffer.alloc(0);
}

function shrinkPicture(picture: Sharp): Promise<Buffer> {
  return picture.resize({ width: thumbWidth, withoutEnlargement: true }).webp({ quality: 70 }).toBuffer();
}

function toDataAddress(webp: Buffer): string {
  return `data:image/webp;base64,${webp.toString('base64')}`;
}
