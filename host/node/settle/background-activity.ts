import { pause } from '../../../bridge/lib/index.ts';
import type { XDisplay } from '../display/index.ts';
import { SharedFile } from '../shared-state.ts';
import {
  type ActivitySlice,
  activitySliceMs,
  buildProgramKey,
  describeActivity,
  findIdeSessions,
  findLastingActivity,
  inputAnswerMs,
  type LastingActivity,
  lastingActivitySchema,
  listTiles,
  measureProcessUse,
  measureSparedMs,
  mergeActivity,
  noActivity,
  type ProcessUse,
  selectNotAwaited,
  selectOngoing,
} from './lasting-activity.ts';

/** How long the IDE is looked at before input, if something kept it busy after the input before; milliseconds. */
const backgroundLookMs = 150;

/** The sources to look at. */
interface BackgroundSources {
  readonly display: Pick<XDisplay, 'drawnSince'>;
  readonly processes: () => Promise<readonly ProcessUse[]>;
  /** Milliseconds of a clock that all processes share. */
  readonly now: () => number;
}

/**
 * Activity that keeps a sandbox busy without input: a program at work, an animation. Known from waits that ended in
 * vain, of any process, and looked at again before the next input. After the input, only more than that is waited for.
 */
export class BackgroundActivity {
  readonly #file: SharedFile<LastingActivity>;
  /** The activity right before the input. */
  #before: LastingActivity = noActivity;

  /** @param path the file by which processes know it from each other */
  constructor(path: string) {
    this.#file = new SharedFile(path, lastingActivitySchema, noActivity);
  }

  /** Looks before input whether what kept the IDE busy still does. Takes no time where nothing did. */
  async look(sources: () => Promise<BackgroundSources>, signal: AbortSignal): Promise<void> {
    const known = this.#file.read();
    this.#before = noActivity;
    if (isNothing(known)) return;
    const { display, processes } = await sources();
    const [start, before] = [performance.now(), await processes()];
    await pause(backgroundLookMs, signal);
    const busy = measureWanted(before, await processes(), performance.now() - start);
    const drawn = new Set(display.drawnSince(start).flatMap(({ box }) => listTiles(box)));
    this.#before = selectOngoing(known, { busy, drawn });
    this.#keep();
  }

  /** For one wait after input. */
  async watch(sources: BackgroundSources): Promise<BackgroundWatch> {
    const { programs } = this.#before;
    const spared = selectNotAwaited(this.#before, sources.now());
    const first = programs.length > 0 ? await sources.processes() : undefined;
    return new BackgroundWatch(sources, spared, first, (found) => this.#note(found));
  }

  #note(found: LastingActivity): void {
    if (isNothing(found)) return;
    this.#before = mergeActivity(this.#before, found);
    this.#keep();
  }

  #keep(): void {
    try {
      this.#file.replace(this.#before);
    } catch {
      // The folder goes with its sandbox, and the file is then useless. Else, the next wait finds the activity again.
    }
  }
}

function isNothing({ programs, tiles }: LastingActivity): boolean {
  return programs.length === 0 && tiles.length === 0;
}

/** Which part of a core programs used, or wanted to. */
function measureWanted(
  before: readonly ProcessUse[],
  after: readonly ProcessUse[],
  ms: number,
): Map<string, number> {
  const wanted = ({ cpuMs, waitMs, ...use }: ProcessUse) => ({ ...use, waitMs, cpuMs: cpuMs + waitMs });
  const used = measureProcessUse(before.map(wanted), after.map(wanted), findIdeSessions(after));
  return new Map([...used].map(([key, { cpuMs }]) => [key, cpuMs / ms]));
}

/** The background during one wait: which of it is not waited for, and which turns out to last. */
export class BackgroundWatch {
  readonly #sources: BackgroundSources;
  readonly #spared: LastingActivity;
  readonly #tiles: ReadonlySet<number>;
  readonly #first: readonly ProcessUse[] | undefined;
  readonly #note: (found: LastingActivity) => void;
  readonly #start = performance.now();
  readonly #slices: ActivitySlice[] = [];
  #slice: { readonly at: number; readonly processes: readonly ProcessUse[] } | undefined;

  constructor(
    sources: BackgroundSources,
    spared: LastingActivity,
    first: readonly ProcessUse[] | undefined,
    note: (found: LastingActivity) => void,
  ) {
    this.#sources = sources;
    this.#spared = spared;
    this.#tiles = new Set(spared.tiles);
    this.#first = first;
    this.#note = note;
  }

  /** Something is not waited for. */
  get spares(): boolean {
    return !isNothing(this.#spared);
  }

  /** The activity that is not waited for, in words. */
  get names(): string[] {
    return describeActivity(this.#spared);
  }

  /** When something was drawn last elsewhere than where it is drawn all the time. */
  lastDamage(last: number | undefined): number | undefined {
    if (this.#tiles.size === 0) return last;
    const elsewhere = ({ box }: { readonly box: Parameters<typeof listTiles>[0] }) =>
      listTiles(box).some((at) => !this.#tiles.has(at));
    return this.#sources.display.drawnSince(this.#start).findLast(elsewhere)?.at;
  }

  /** How much of the processor time and the waiting of all is from programs that are not waited for. */
  async spared(): Promise<{ readonly cpuMs: number; readonly waitMs: number | undefined }> {
    if (this.#first === undefined || this.#spared.programs.length === 0)
      return { cpuMs: 0, waitMs: undefined };
    const now = await this.#sources.processes();
    const ide = findIdeSessions(now);
    const cpuMs = measureSparedMs(
      this.#spared,
      measureProcessUse(this.#first, now, ide),
      performance.now() - this.#start,
    );
    return { cpuMs, waitMs: sumWaitOfOthers(now, this.#spared, ide) };
  }

  /**
   * Looks at what goes on, when it is time. Activity that still goes on long after the input is not an answer to it.
   */
  async note(): Promise<void> {
    const now = performance.now();
    const since = this.#slice?.at;
    if (since === undefined ? now - this.#start < inputAnswerMs : now - since < activitySliceMs) return;
    const processes = await this.#sources.processes();
    if (this.#slice) this.#slices.push(this.#sliceOf(this.#slice, now, processes));
    this.#slice = { at: now, processes };
  }

  /** Keeps the activity that has turned out to last. */
  end(): void {
    this.#note(findLastingActivity(this.#slices, this.#sources.now()));
  }

  #sliceOf(
    { at, processes }: { readonly at: number; readonly processes: readonly ProcessUse[] },
    now: number,
    after: readonly ProcessUse[],
  ): ActivitySlice {
    const tiles = new Set(this.#sources.display.drawnSince(at).flatMap(({ box }) => listTiles(box)));
    return { ms: now - at, programs: measureProcessUse(processes, after, findIdeSessions(after)), tiles };
  }
}

/** How long the others have waited for a processor. */
function sumWaitOfOthers(
  all: readonly ProcessUse[],
  { programs }: LastingActivity,
  ide: ReadonlySet<number>,
): number {
  const spared = new Set(programs.map(({ key }) => key));
  const others = all.filter((use) => !spared.has(buildProgramKey(use, ide)));
  return others.reduce((sum, { waitMs }) => sum + waitMs, 0);
}
