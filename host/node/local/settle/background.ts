import { pause } from '../../../../bridge/lib/index.ts';
import type { XDisplay } from '../../display/index.ts';
import {
  answerMs,
  ideSessions,
  keyOf,
  lastingIn,
  lastingSchema,
  namesOf,
  notAwaited,
  nothing,
  sliceMs,
  sparedMs,
  stillThere,
  tilesOf,
  together,
  usedBetween,
  type Lasting,
  type ProcessUse,
  type Slice,
} from './lasting.ts';
import { SharedFile } from '../shared-file.ts';

/** How long the IDE is looked at before input, if something kept it busy after the input before; milliseconds. */
const checkMs = 150;

/** The sources to look at. */
export interface BackgroundSources {
  readonly display: Pick<XDisplay, 'drawnSince'>;
  readonly processes: () => Promise<readonly ProcessUse[]>;
  /** Milliseconds of a clock that all processes share. */
  readonly now: () => number;
}

/**
 * Activity that keeps a sandbox busy without input: a program at work, an animation. Known from waits that ended in
 * vain, of any process, and looked at again before the next input. After the input, only more than that is waited for.
 */
export class Background {
  readonly #file: SharedFile<Lasting>;
  /** The activity right before the input. */
  #before: Lasting = nothing;

  /** @param path the file by which processes know it from each other */
  constructor(path: string) {
    this.#file = new SharedFile(path, lastingSchema, nothing);
  }

  /** Looks before input whether what kept the IDE busy still does. Takes no time where nothing did. */
  async look(sources: () => Promise<BackgroundSources>, signal: AbortSignal): Promise<void> {
    const known = this.#file.read();
    this.#before = nothing;
    if (isNothing(known)) return;
    const { display, processes } = await sources();
    const [start, before] = [performance.now(), await processes()];
    await pause(checkMs, signal);
    const busy = wantedBetween(before, await processes(), performance.now() - start);
    const drawn = new Set(display.drawnSince(start).flatMap(({ box }) => tilesOf(box)));
    this.#before = stillThere(known, { busy, drawn });
    this.#keep();
  }

  /** For one wait after input. */
  async watch(sources: BackgroundSources): Promise<Watch> {
    const { programs } = this.#before;
    const spared = notAwaited(this.#before, sources.now());
    const first = programs.length > 0 ? await sources.processes() : undefined;
    return new Watch(sources, spared, first, (found) => this.#note(found));
  }

  #note(found: Lasting): void {
    if (isNothing(found)) return;
    this.#before = together(this.#before, found);
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

function isNothing({ programs, tiles }: Lasting): boolean {
  return programs.length === 0 && tiles.length === 0;
}

/** Which part of a core programs used, or wanted to. */
function wantedBetween(
  before: readonly ProcessUse[],
  after: readonly ProcessUse[],
  ms: number,
): Map<string, number> {
  const wanted = ({ cpuMs, waitMs, ...use }: ProcessUse) => ({ ...use, waitMs, cpuMs: cpuMs + waitMs });
  const used = usedBetween(before.map(wanted), after.map(wanted), ideSessions(after));
  return new Map([...used].map(([key, { cpuMs }]) => [key, cpuMs / ms]));
}

/** The background during one wait: which of it is not waited for, and which turns out to last. */
export class Watch {
  readonly #sources: BackgroundSources;
  readonly #spared: Lasting;
  readonly #tiles: ReadonlySet<number>;
  readonly #first: readonly ProcessUse[] | undefined;
  readonly #note: (found: Lasting) => void;
  readonly #start = performance.now();
  readonly #slices: Slice[] = [];
  #slice: { readonly at: number; readonly processes: readonly ProcessUse[] } | undefined;

  constructor(
    sources: BackgroundSources,
    spared: Lasting,
    first: readonly ProcessUse[] | undefined,
    note: (found: Lasting) => void,
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
    return namesOf(this.#spared);
  }

  /** When something was drawn last elsewhere than where it is drawn all the time. */
  lastDamage(last: number | undefined): number | undefined {
    if (this.#tiles.size === 0) return last;
    const elsewhere = ({ box }: { readonly box: Parameters<typeof tilesOf>[0] }) =>
      tilesOf(box).some((at) => !this.#tiles.has(at));
    return this.#sources.display.drawnSince(this.#start).findLast(elsewhere)?.at;
  }

  /** How much of the processor time and the waiting of all is from programs that are not waited for. */
  async spared(): Promise<{ readonly cpuMs: number; readonly waitMs: number | undefined }> {
    if (this.#first === undefined || this.#spared.programs.length === 0)
      return { cpuMs: 0, waitMs: undefined };
    const now = await this.#sources.processes();
    const ide = ideSessions(now);
    const cpuMs = sparedMs(this.#spared, usedBetween(this.#first, now, ide), performance.now() - this.#start);
    return { cpuMs, waitMs: waitOf(now, this.#spared, ide) };
  }

  /**
   * Looks at what goes on, when it is time. Activity that still goes on long after the input is not an answer to it.
   */
  async note(): Promise<void> {
    const now = performance.now();
    const since = this.#slice?.at;
    if (since === undefined ? now - this.#start < answerMs : now - since < sliceMs) return;
    const processes = await this.#sources.processes();
    if (this.#slice) this.#slices.push(this.#sliceOf(this.#slice, now, processes));
    this.#slice = { at: now, processes };
  }

  /** Keeps the activity that has turned out to last. */
  end(): void {
    this.#note(lastingIn(this.#slices, this.#sources.now()));
  }

  #sliceOf(
    { at, processes }: { readonly at: number; readonly processes: readonly ProcessUse[] },
    now: number,
    after: readonly ProcessUse[],
  ): Slice {
    const tiles = new Set(this.#sources.display.drawnSince(at).flatMap(({ box }) => tilesOf(box)));
    return { ms: now - at, programs: usedBetween(processes, after, ideSessions(after)), tiles };
  }
}

/** How long the others have waited for a processor. */
function waitOf(all: readonly ProcessUse[], { programs }: Lasting, ide: ReadonlySet<number>): number {
  const spared = new Set(programs.map(({ key }) => key));
  const others = all.filter((use) => !spared.has(keyOf(use, ide)));
  return others.reduce((sum, { waitMs }) => sum + waitMs, 0);
}
