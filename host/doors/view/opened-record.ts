import { describeError } from '../../../bridge/lib/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import { type GrowingMoment, makeMoment, makeStartMoment, type ReportMoment } from '../../read/index.ts';
import { type LinePlace, parseEvent, type RecordEvent, RecordLines } from '../../run/index.ts';

/** A line of the course of an episode: a stop on its time line. */
interface TimelineStop {
  readonly place: LinePlace;
  /** Its name in links; as in the report. */
  readonly id: string;
  /** Messages of people and the agent after it. */
  readonly said: readonly LinePlace[];
}

/** The lines of a stop, as written. */
interface StopText {
  /** Its place on the time line, from 0. */
  readonly at: number;
  readonly stop: TimelineStop;
  readonly text: string;
  /** Of {@link TimelineStop.said}. */
  readonly said: readonly string[];
}

/** A stop as it was read: its moment, or why it can't be read. */
export type ReadStop = TimelineStop & { readonly at: number; readonly text: string } & (
    | { readonly moment: ReportMoment; readonly problem: null; readonly unheard: readonly string[] }
    | { readonly moment: null; readonly problem: string }
  );

type EventKind = RecordEvent['event'];

const stopKinds = new Set<EventKind>(['reset', 'step', 'restore', 'people']);
const messageKinds = new Set<EventKind>(['message', 'reply']);
/** The maximum number of lines of one kind to read, besides those of its course. */
const mostOfKind = 200;

/** An open record; it may still be written. */
export class OpenedRecord {
  readonly lines: RecordLines;
  #stops: readonly TimelineStop[] = [];
  #byId = new Map<string, number>();
  #known = 0;

  private constructor(lines: RecordLines) {
    this.lines = lines;
    this.#name();
  }

  /** @param path of the `events.jsonl` */
  static async open(path: string): Promise<OpenedRecord> {
    return new OpenedRecord(await RecordLines.open(path));
  }

  /** Reads new lines. */
  async refresh(): Promise<void> {
    await this.lines.refresh();
    if (this.lines.places.length !== this.#known) this.#name();
  }

  get stops(): readonly TimelineStop[] {
    return this.#stops;
  }

  get lastMs(): number {
    return this.lines.places.at(-1)?.ms ?? 0;
  }

  /** Undefined for an unknown name. */
  find(id: string): number | undefined {
    return this.#byId.get(id);
  }

  /** Some of its stops, one by one, including lines that can't be read. */
  async *read(from: number, to: number): AsyncGenerator<ReadStop> {
    for await (const text of this.texts(from, to)) yield this.parse(text);
  }

  /** The same, unread. */
  async *texts(from: number, to: number): AsyncGenerator<StopText> {
    const stops = this.#stops.slice(from, to);
    const lines = this.lines.texts(stops.flatMap(({ place, said }) => [place, ...said]));
    const next = async () => {
      const { value } = (await lines.next()) as IteratorResult<readonly [LinePlace, string], undefined>;
      return value?.[1] ?? '';
    };
    try {
      for (const [i, stop] of stops.entries()) {
        const text = await next();
        const said: string[] = [];
        while (said.length < stop.said.length) said.push(await next());
        yield { at: from + i, stop, text, said };
      }
    } finally {
      await lines.return(undefined);
    }
  }

  parse({ at, stop, text, said }: StopText): ReadStop {
    const read = { ...stop, at, text };
    try {
      const moment = this.#momentOf(parseLine(stop.place, text), at);
      const problem = `line ${stop.place.number} is not an event of this version`;
      if (!moment) return { ...read, moment, problem };
      const unheard = this.#hear(moment, stop, said);
      return { ...read, moment: { ...moment, id: stop.id }, problem: null, unheard };
    } catch (error) {
      return { ...read, moment: null, problem: cutToFirstLines(describeError(error)) };
    }
  }

  /** The events besides its course, and the lines of them that can't be read. */
  async others(): Promise<{ readonly events: readonly RecordEvent[]; readonly problems: readonly string[] }> {
    const counts = new Map<EventKind, number>();
    const places = this.lines.places.filter(({ kind }) => {
      if (kind === null || (kind !== 'reset' && (stopKinds.has(kind) || messageKinds.has(kind))))
        return false;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      return (counts.get(kind) ?? 0) <= mostOfKind;
    });
    const [events, problems]: [RecordEvent[], string[]] = [[], []];
    for await (const [place, text] of this.lines.texts(places)) {
      try {
        events.push(parseLine(place, text));
      } catch (error) {
        problems.push(cutToFirstLines(describeError(error)));
      }
    }
    return { events, problems: [...this.#whole(), ...problems.slice(0, 20)] };
  }

  /** Adds to a moment the messages after it. Returns those that can't be read. */
  #hear(moment: GrowingMoment, stop: TimelineStop, said: readonly string[]): string[] {
    return stop.said.flatMap((place, i) => {
      try {
        const event = parseLine(place, said[i] ?? '');
        if (event.event === 'message' || event.event === 'reply') moment.said.push(event);
        return [];
      } catch (error) {
        return [cutToFirstLines(describeError(error))];
      }
    });
  }

  #momentOf(event: RecordEvent, at: number): GrowingMoment | null {
    if (event.event === 'reset') return makeStartMoment(event);
    if (event.event === 'step' || event.event === 'restore' || event.event === 'people')
      return makeMoment(event, at);
    return null;
  }

  /** Problems of the record as a whole. */
  #whole(): string[] {
    const { places } = this.lines;
    const unread = places.filter(({ kind }) => kind === null);
    return [
      ...(places.length === 0 ? ['It is empty.'] : []),
      ...(places.length > 0 && places[0]?.kind !== 'start'
        ? ['Its first line is not the start of a record.']
        : []),
      ...(unread.length > 0 ? [`Lines that are not events of this version: ${unread.length}.`] : []),
    ];
  }

  /** Gives each stop its name, as the report does. */
  #name(): void {
    const { places } = this.lines;
    let [restores, course] = [0, 0];
    const stops: (TimelineStop & { readonly said: LinePlace[] })[] = [];
    for (const place of places) {
      const { kind } = place;
      const isMessage = kind !== null && messageKinds.has(kind);
      const isStop = kind === null || stopKinds.has(kind);
      if (kind !== null && (isMessage || isStop) && kind !== 'reset') course += 1;
      if (kind === 'restore') restores += 1;
      if (isMessage) stops.at(-1)?.said.push(place);
      else if (isStop) stops.push({ place, id: nameStop(place, restores, course), said: [] });
    }
    this.#stops = stops;
    this.#byId = new Map(stops.map(({ id }, at) => [id, at] as const).reverse());
    this.#known = places.length;
  }
}

/** @param course events of the course until now, this one included */
function nameStop({ kind, step, number }: LinePlace, restores: number, course: number): string {
  if (kind === 'reset') return 'step-0';
  if (kind === 'restore') return `branch-${restores}`;
  if (kind === 'people') return `people-${course - 1}`;
  return kind === 'step' && step !== null ? `step-${step}` : `line-${number}`;
}

function parseLine({ number }: LinePlace, text: string): RecordEvent {
  return parseEvent(text, `line ${number}`);
}

function cutToFirstLines(text: string): string {
  return clip(text.split('\n').slice(0, 3).join(' '), 500);
}
