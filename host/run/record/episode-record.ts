import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { collectCauses, describeError, PwpError } from '../../../bridge/lib/index.ts';
import { type Refusal, RpcError, type Service, type Usage } from '../../../bridge/protocol/index.ts';
import { tryParseJson } from '../../../bridge/text/index.ts';
import type {
  Checkpoint,
  Fingerprint,
  Observation,
  ResetInfo,
  RestoreInfo,
  StepInfo,
} from '../../ide/index.ts';
import { readUntrustedText } from '../../lib/index.ts';
import type { Grade, LeftChanges } from '../../tasks/index.ts';
import { ExchangeLog, type ModelExchange } from './exchange-log.ts';
import { readRecord } from './read-record.ts';
import { type EventBody, RECORD_VERSION } from './record-events.ts';
import { jsonText, mostTextBytes, privateFolder, recordFiles, writeAtomic } from './record-folder.ts';
import { type AnnotateScreen, FrameStore, keepAction, keepOutcome } from './record-frames.ts';
import { EventLog } from './record-lines.ts';
import type { EpisodeEnding, RecordedTurn, RecordMeta } from './record-meta.ts';
import { type RecordedResult, recordedResult } from './record-result.ts';
import { findNewLimitHits, makeChangesEvent, makeStateEvent } from './recorded-state.ts';
import { makeTrajectory } from './trajectory.ts';
import type { VideoResult } from './video.ts';

/** The recorded parts of a step besides its observation. */
export type RecordedStepInfo = Omit<StepInfo, 'marks' | 'withheld'>;

/** A message of a person. */
interface MessageLike {
  /** The person's name. */
  readonly from: string;
  readonly text: string;
}

/** A person who has opened the page of the session. */
export interface PageVisit {
  readonly name: string;
  readonly rights: 'view' | 'control';
  /** IP address; empty if it is not known. */
  readonly address: string;
  /** ISO 8601, UTC. */
  readonly cameAt: string;
}

/** One act of a person. */
interface PersonActLike {
  /** As an agent would write it. */
  readonly action: string;
  /** The person, and the element that was hit. */
  readonly evidence: string;
}

export interface RecordOptions {
  /** Draws the annotated picture of each observation; without it, no such pictures are kept. */
  readonly annotate?: AnnotateScreen;
}

/** Starts a record in its own folder, which is created if needed. Errors: `record-exists`. */
export async function openRecord(
  folder: string,
  meta: RecordMeta,
  options: RecordOptions = {},
): Promise<EpisodeRecord> {
  await mkdir(join(folder, recordFiles.frames), { recursive: true, mode: privateFolder });
  const journal = await createEventLog(folder);
  await journal.append({ event: 'start', record: RECORD_VERSION, ...meta });
  return new EpisodeRecord(folder, journal, new FrameStore(folder, options.annotate));
}

async function createEventLog(folder: string): Promise<EventLog> {
  try {
    return await EventLog.create(join(folder, recordFiles.events));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    throw new PwpError('record-exists', `${folder} already contains a record`, {
      cause,
      help: 'Give every episode its own folder.',
    });
  }
}

/**
 * The record of an episode in progress. Every call resolves once its files are written. Disposing it without `end` leaves
 * an unfinished record, as a killed run would.
 */
export class EpisodeRecord implements AsyncDisposable {
  /** Absolute or relative, as it was given. */
  readonly folder: string;
  readonly #journal: EventLog;
  readonly #frames: FrameStore;
  readonly #exchanges: ExchangeLog;
  #open = true;
  #wasReset = false;
  #usage: Usage | null = null;
  #firstFiles: ReadonlyMap<string, string> | undefined;

  constructor(folder: string, journal: EventLog, frames: FrameStore) {
    this.folder = folder;
    this.#journal = journal;
    this.#frames = frames;
    this.#exchanges = new ExchangeLog(folder);
  }

  /** The first observation. Once per record. */
  async reset(observation: Observation, info: ResetInfo): Promise<void> {
    if (this.#wasReset)
      throw new PwpError('record-exists', `${this.folder} holds one episode, which was already reset`);
    this.#wasReset = true;
    const { sandbox, image, instruction, startMs, from, checkpoint } = info;
    const how = { from, checkpoint, notes: [...info.notes] };
    const kept = await this.#frames.save(observation);
    await this.#append({ event: 'reset', sandbox, image, instruction, startMs, ...how, observation: kept });
  }

  /** A checkpoint was taken. */
  async checkpoint({ step, id, name, parent, kind, frozenMs, bytes }: Checkpoint): Promise<void> {
    const checkpoint = { id, name, parent, kind, frozenMs, bytes };
    await this.#append({ event: 'checkpoint', step: step ?? 0, checkpoint });
  }

  /** The sandbox returned to a checkpoint: a branch begins. */
  async restore(observation: Observation, info: RestoreInfo): Promise<void> {
    const kept = await this.#frames.save(observation);
    await this.#append({ event: 'restore', ...info, observation: kept });
  }

  /** One step, with the agent's message. */
  async step(observation: Observation, info: RecordedStepInfo, turn: RecordedTurn = {}): Promise<void> {
    const { step, settled, timing, meanwhile } = info;
    const kept = await this.#frames.save(observation);
    const outcomes = await Promise.all(info.outcomes.map((outcome) => keepOutcome(outcome, this.#frames)));
    const lists = { outcomes, skipped: info.skipped.map(keepAction), services: [...info.services] };
    const quiet = { ...settled, busy: [...settled.busy] };
    const rest = { settled: quiet, timing, ...(meanwhile !== undefined && { meanwhile }), observation: kept };
    await this.#append({ event: 'step', step, turn, ...lists, ...rest });
  }

  /**
   * The state of files and editors after a step, `0` for the start; the first one of a record has all files.
   * @param png the screen at that moment, as PNG
   */
  async state(step: number, fingerprint: Fingerprint, png: Uint8Array | null): Promise<void> {
    const screen = png && (await this.#frames.saveLater(png));
    await this.#append(makeStateEvent(step, screen, fingerprint, this.#firstFiles));
    this.#firstFiles ??= fingerprint.files?.entries;
  }

  /** People had control, and this is the agent's observation afterwards. */
  async people(observation: Observation, acts: readonly PersonActLike[]): Promise<void> {
    const kept = acts.map(({ action, evidence }) => ({ action, evidence }));
    const changes = observation.personChanges ?? '';
    await this.#append({
      event: 'people',
      changes,
      acts: kept,
      observation: await this.#frames.save(observation),
    });
  }

  /**
   * A person sends the agent a message.
   * @param observation shown to the agent with it, if it had rested until then
   */
  async message({ from, text }: MessageLike, observation?: Observation): Promise<void> {
    const kept = observation && { observation: await this.#frames.save(observation) };
    await this.#append({ event: 'message', from, text, ...kept });
  }

  /** A person has opened the page of the session. */
  async visit({ name, rights, address, cameAt }: PageVisit): Promise<void> {
    await this.#append({ event: 'visit', name, rights, address, cameAt });
  }

  /** The agent says something without acting, and waits for a message. */
  async reply(turn: RecordedTurn): Promise<void> {
    await this.#append({ event: 'reply', turn });
  }

  /** The agent's final message, without actions. */
  async lastTurn(turn: RecordedTurn): Promise<void> {
    await this.#append({ event: 'last-turn', turn });
  }

  /** A request to a model that gave no answer. */
  async unanswered(turn: RecordedTurn): Promise<void> {
    await this.#append({ event: 'unanswered', turn });
  }

  /** A request to a model and its answer, for a step. */
  async exchange(step: number, exchange: ModelExchange): Promise<void> {
    await this.#exchanges.add(step, exchange);
  }

  /** The agent's output for people; an empty text is not kept. */
  async agentLog(text: string): Promise<void> {
    if (text !== '') await writeAtomic(join(this.folder, recordFiles.agentLog), text);
  }

  /** A part of the desktop died or came back. */
  async service(service: Service): Promise<void> {
    await this.#append({ event: 'service', service });
  }

  /** Resource usage: written if a limit was hit since the last call, and whenever `always` is set. */
  async usage(usage: Usage, always = false): Promise<void> {
    const hit = findNewLimitHits(this.#usage, usage);
    this.#usage = usage;
    if (always || hit.length > 0) await this.#append({ event: 'usage', hit, usage });
  }

  /** A connection that the task's network policy did not allow. */
  async refused({ host, port, why, at: refusedAt }: Refusal): Promise<void> {
    await this.#append({ event: 'refused-connection', host, port, why, refusedAt });
  }

  /** An error on the way. */
  async error(error: unknown): Promise<void> {
    const help = error instanceof PwpError ? error.help : undefined;
    await this.#append({
      event: 'error',
      code: readErrorCode(error),
      message: describeError(error),
      causes: collectCauses(error).map(describeError),
      help,
    });
  }

  /** The outcome of the video, which is next to the other files as `video.mkv`. */
  async video({ frames, failure }: VideoResult): Promise<void> {
    await this.#append({ event: 'video', frames, failure });
  }

  /** The agent's changes to its workspace; the patch is a separate file. */
  async changes(changes: LeftChanges): Promise<void> {
    const { changes: file } = recordFiles;
    if ('text' in changes) await writeAtomic(join(this.folder, file), changes.text);
    await this.#append(makeChangesEvent(changes, file));
  }

  async grade({ reward, checks, unwritten, noVerdict, trust, log, ms }: Grade): Promise<void> {
    const why = { unwritten, noVerdict, trust };
    await this.#append({ event: 'grade', reward, checks: [...checks], ...why, log, durationMs: ms });
  }

  /** The last call: writes `trajectory.json` and `result.json` and closes the record. */
  async end(how: EpisodeEnding, reason?: string): Promise<RecordedResult> {
    await this.#append({ event: 'end', how, reason });
    await this[Symbol.asyncDispose]();
    return finishRecord(this.folder);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await this.#journal.close();
  }

  async #append(body: EventBody): Promise<void> {
    if (!this.#open)
      throw new PwpError('record-ended', `${this.folder} has ended and takes no ${body.event}`);
    await this.#journal.append(body);
  }
}

function readErrorCode(error: unknown): string {
  if (error instanceof PwpError) return error.code;
  return error instanceof RpcError ? String(error.code) : 'unknown';
}

/**
 * Writes `trajectory.json` and `result.json` from a record's events. Called at the end of an episode; may also
 * be called for a record whose run was killed, to recover as much as possible.
 */
export async function finishRecord(folder: string): Promise<RecordedResult> {
  const history = await readRecord(folder);
  await writeAtomic(join(folder, recordFiles.trajectory), jsonText(makeTrajectory(history)));
  await writeAtomic(join(folder, recordFiles.result), jsonText(recordedResult.parse(history.result)));
  return history.result;
}

/** The result of a record's folder. If it is missing or damaged, it is made from the events; null without these. */
export async function readResult(folder: string): Promise<RecordedResult | null> {
  const written = await readUntrustedText(folder, recordFiles.result, mostTextBytes).catch(() => null);
  const parsed = written === null ? null : recordedResult.safeParse(tryParseJson(written));
  if (parsed?.success === true) return parsed.data;
  return await finishRecord(folder).catch((error: unknown) => {
    if (error instanceof PwpError && ['no-record', 'bad-record'].includes(error.code)) return null;
    throw error;
  });
}
