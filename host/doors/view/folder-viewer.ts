import { basename, dirname } from 'node:path';
import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import { encodeThumbnail, failureModes, readPatch, type ShownPatch, showMoment } from '../../read/index.ts';
import {
  readFrame,
  readMarks,
  recordedEffect,
  type RecordedMark,
  type RecordedObservation,
  recordFiles,
} from '../../run/index.ts';
import type {
  AlignedData,
  AttemptData,
  AttemptFacts,
  FoundSteps,
  IndexData,
  MomentData,
  MomentLine,
  StepCriteria,
} from '../web/index.ts';
import { alignAttempts, makeMomentLine, readOverview } from './attempt-data.ts';
import { OpenedRecord } from './opened-record.ts';
import { FactsReader, findMatchingSteps, screenProblems } from './search.ts';
import { readMediaType, type ViewFolder } from './view-folder.ts';
import {
  listTries,
  readViewedResult,
  readViewIndex,
  type ViewedAttempt,
  type ViewIndex,
} from './view-index.ts';

/** The maximum number of records to keep open, with the places of their lines. */
const mostOpenRecords = 8;
/** The maximum number of characters of a line that can't be read. */
const mostLineText = 20_000;
/** The maximum number of small pictures to keep. */
const mostThumbs = 400;

/** Answers the requests of a page for one folder. It only reads. */
export class FolderViewer {
  readonly #folder: ViewFolder;
  readonly #facts: FactsReader;
  readonly #open = new Map<string, Promise<OpenedRecord>>();
  readonly #thumbs = new Map<string, Promise<Buffer>>();
  readonly #isLive: boolean;
  #index: ViewIndex = { studies: [], attempts: [], problems: [] };

  /** @param isLive whether steps can be opened as live IDEs */
  constructor(folder: ViewFolder, isLive = false) {
    this.#isLive = isLive;
    this.#folder = folder;
    this.#facts = new FactsReader(folder);
  }

  /** Reads the folder again. */
  async index(): Promise<IndexData> {
    this.#index = await readViewIndex(this.#folder);
    const { studies, attempts, problems } = this.#index;
    return {
      ...{ name: this.#folder.path, studies, problems, attempts: attempts.map(({ line }) => line) },
      ...{ modes: failureModes, signs: screenProblems, effects: recordedEffect.options },
    };
  }

  facts(signal: AbortSignal): AsyncGenerator<AttemptFacts> {
    return this.#facts.all(this.#index.attempts, signal);
  }

  /** Searches all attempts, in their order. */
  async *find(criteria: StepCriteria, signal: AbortSignal): AsyncGenerator<FoundSteps> {
    const { attempts } = this.#index;
    for (const [i, { line, record }] of attempts.entries()) {
      const found = record === null ? [] : await this.#foundOrNone(record, criteria, signal);
      if (found.length > 0 || i % 20 === 19 || i === attempts.length - 1)
        yield { id: line.id, times: found.length, done: i + 1, of: attempts.length };
    }
  }

  /** A record that can't be read matches nothing; a sign on the attempt shows that. */
  async #foundOrNone(record: string, criteria: StepCriteria, signal: AbortSignal): Promise<number[]> {
    try {
      return await this.#findIn(record, criteria, signal, false);
    } catch {
      signal.throwIfAborted();
      return [];
    }
  }

  /** Places of the matching steps of one attempt. */
  async findIn(id: string, criteria: StepCriteria, signal: AbortSignal): Promise<number[]> {
    return this.#findIn(await this.#recordOf(id), criteria, signal, true);
  }

  async attempt(id: string): Promise<AttemptData> {
    const attempt = await this.#attemptOf(id);
    const record = await this.#recordOf(id);
    const opened = await this.#opened(record);
    const result = await readViewedResult(this.#folder, record);
    const { video, ...about } = await readOverview(opened, result, await this.#patchOf(record));
    const tries = await listTries(this.#folder, record.replace(/(^|\/)try-\d+$/, ''));
    return {
      ...{ id, record, line: attempt.line, moments: opened.stops.length, lastMs: opened.lastMs },
      tries: tries.length > 1 ? tries : [],
      first: opened.stops[0]?.id ?? null,
      ...{ ...about, live: this.#isLive },
      video: (await this.#folder.has(record, recordFiles.video))
        ? { endMs: video?.ms ?? null, failure: video?.failure ?? null }
        : null,
    };
  }

  async moments(id: string, from: number, to: number): Promise<MomentLine[]> {
    const opened = await this.#opened(await this.#recordOf(id));
    const lines: MomentLine[] = [];
    for await (const stop of opened.read(from, to)) lines.push(makeMomentLine(stop));
    return lines;
  }

  /** @param name of the moment, or its place */
  async moment(id: string, name: string): Promise<MomentData> {
    const record = await this.#recordOf(id);
    const opened = await this.#opened(record);
    const at = /^\d+$/.test(name) ? Number(name) : opened.find(name);
    if (at === undefined || at >= opened.stops.length)
      throw new PwpError('no-such-file', `this attempt has no ${JSON.stringify(name)}`);
    for await (const stop of opened.read(at, at + 1)) {
      const line = makeMomentLine(stop);
      if (!stop.moment) return { line, moment: null, text: clip(stop.text, mostLineText) };
      const [marks, problem] = await this.#marksOf(record, stop.moment.observation);
      const problems = [...(problem === null ? [] : [problem]), ...stop.unheard];
      return { line, moment: showMoment(stop.moment), marks, problems };
    }
    throw new PwpError('no-such-file', `this attempt has no ${JSON.stringify(name)}`);
  }

  /** The folder of an attempt's record, without links that lead out. Errors: `no-record`. */
  async recordFolder(id: string): Promise<string> {
    return dirname(await this.#folder.file(await this.#recordOf(id), recordFiles.events));
  }

  async aligned(a: string, b: string): Promise<AlignedData> {
    return alignAttempts(
      await this.#opened(await this.#recordOf(a)),
      await this.#opened(await this.#recordOf(b)),
    );
  }

  /** The path and the type of a picture or a video of an attempt. */
  async file(id: string, name: string): Promise<{ readonly path: string; readonly type: string }> {
    const type = readMediaType(name);
    return { path: await this.#folder.file(await this.#recordOf(id), name), type };
  }

  /** A small picture of a frame. */
  async thumb(id: string, name: string): Promise<Buffer> {
    const { path } = await this.file(id, name);
    const known = this.#thumbs.get(path);
    if (known) return known;
    const made = readFrame(dirname(path), basename(path)).then((bytes) => encodeThumbnail(name, bytes));
    this.#thumbs.set(path, made);
    made.catch(() => this.#thumbs.delete(path));
    dropOldest(this.#thumbs, mostThumbs);
    return made;
  }

  /** The marks of an observation, or why they can't be read. */
  async #marksOf(
    record: string,
    observation: RecordedObservation,
  ): Promise<readonly [readonly RecordedMark[], string | null]> {
    try {
      // This also refuses a link out of the folder.
      await this.#folder.file(record, observation.marks);
      return [await readMarks(this.#folder.below(record), observation), null];
    } catch (error) {
      if (!(error instanceof PwpError)) throw error;
      return [[], `The marks can't be read: ${clip(describeError(error), 300)}`];
    }
  }

  async #findIn(
    record: string,
    criteria: StepCriteria,
    signal: AbortSignal,
    keep: boolean,
  ): Promise<number[]> {
    const opened = keep
      ? await this.#opened(record)
      : await OpenedRecord.open(await this.#folder.file(record, recordFiles.events));
    return findMatchingSteps(
      opened,
      async (seen) => (await this.#marksOf(record, seen))[0],
      criteria,
      signal,
    );
  }

  /** The record to show for an id: an attempt's last try, or the record with that name. Errors: `no-record`. */
  async #recordOf(id: string): Promise<string> {
    const known = this.#index.attempts.find(({ line }) => line.id === id)?.record;
    const record = known ?? ((await this.#folder.has(id, recordFiles.events)) ? id : null);
    if (record !== null && (await this.#folder.has(record, recordFiles.events))) return record;
    const newest = (await listTries(this.#folder, id)).at(-1);
    if (newest !== undefined && (await this.#folder.has(newest, recordFiles.events))) return newest;
    throw new PwpError('no-record', `${id === '' ? this.#folder.path : id} has no record that can be read`);
  }

  async #patchOf(record: string): Promise<ShownPatch | null> {
    const path = await this.#folder.file(record, recordFiles.changes).catch(() => null);
    return path === null ? null : readPatch(dirname(path), recordFiles.changes);
  }

  async #attemptOf(id: string): Promise<ViewedAttempt> {
    if (this.#index.attempts.length === 0) await this.index();
    const own = this.#index.attempts.find(({ line }) => line.id === id);
    const parent = this.#index.attempts.find(({ line }) => id.startsWith(`${line.id}/try-`));
    const found = own ?? parent;
    if (found) return found;
    throw new PwpError('no-record', `there is no attempt ${JSON.stringify(id)} in ${this.#folder.path}`);
  }

  async #opened(record: string): Promise<OpenedRecord> {
    const known = this.#open.get(record);
    if (known) {
      const opened = await known;
      await opened.refresh();
      return opened;
    }
    const opening = this.#folder.file(record, recordFiles.events).then((path) => OpenedRecord.open(path));
    this.#open.set(record, opening);
    opening.catch(() => this.#open.delete(record));
    dropOldest(this.#open, mostOpenRecords);
    return opening;
  }
}

/** Drops the oldest entries. */
function dropOldest<T>(map: Map<string, T>, most: number): void {
  const [first] = map.keys();
  if (map.size > most && first !== undefined) map.delete(first);
}
